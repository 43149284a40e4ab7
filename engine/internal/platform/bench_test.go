package platform

import "testing"

func BenchmarkLoadIndex(b *testing.B) {
	for b.Loop() {
		if _, err := ReadIndex(embedded); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoadModels(b *testing.B) {
	for b.Loop() {
		if _, err := LoadModels(nil); err != nil {
			b.Fatal(err)
		}
	}
}
