package mapping_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/mapping"
)

// BenchmarkRead reads the mapping of an app of 20,000 classes.
func BenchmarkRead(b *testing.B) {
	var text bytes.Buffer
	for c := range 20000 {
		fmt.Fprintf(&text, "com.acme.part%d.Class%d -> a.a%d:\n# {\"id\":\"sourceFile\",\"fileName\":\"Class%d.kt\"}\n", c%200, c, c, c)
		for m := range 10 {
			fmt.Fprintf(&text, "    int field%d -> f%d\n    %d:%d:void method%d(int,com.acme.part1.Class%d):%d:%d -> m%d\n", m, m, 9*m+1, 9*m+5, m, m, 20*m+7, 20*m+11, m)
			fmt.Fprintf(&text, "    %d:%d:java.lang.String com.acme.part2.Class2.help(long):3:3 -> m%d\n    %d:%d:void method%d(int,com.acme.part1.Class%d):%d -> m%d\n",
				9*m+6, 9*m+9, m, 9*m+6, 9*m+9, m, m, 20*m+12, m)
		}
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := mapping.Read(bytes.NewReader(text.Bytes()), "mapping.txt"); err != nil {
			b.Fatal(err)
		}
	}
}
