package dex_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/dex"
	"github.com/eventraces/eventraces/engine/internal/dex/dextest"
)

// large is about as large as the dex file of a big app: 30,000 methods.
func large() []byte {
	d := dextest.New(38)
	for i := range 3000 {
		class := fmt.Sprintf("Lcom/example/application/feature%d/Screen%d;", i%50, i)
		c := d.Class(class, "Landroid/app/Activity;", dex.AccPublic, "Ljava/lang/Runnable;").Source(fmt.Sprintf("Screen%d.java", i))
		for j := range 6 {
			c.Field(fmt.Sprintf("field%d", j), "I", dex.AccPrivate)
		}
		c.Field("TAG", "Ljava/lang/String;", dex.AccStatic|dex.AccFinal, fmt.Sprintf("Screen%d", i))
		for j := range 10 {
			body := fmt.Sprintf(".line %d\nconst-string v0, \"message %d of %d\"\n:try\niget v1, p0, %s->field%d:I\n", 10*j, j, i, class, j%6)
			body += strings.Repeat(fmt.Sprintf(".line %d\nadd-int/lit8 v1, v1, 3\ninvoke-virtual {p0, v0, v1}, %s->method%d(Ljava/lang/String;I)V\n", 10*j+3, class, (j+1)%10), 4)
			body += ":end\nreturn-void\n:handler\nmove-exception v0\nthrow v0\n.catch Ljava/lang/RuntimeException; :try :end :handler"
			c.Method(fmt.Sprintf("method%d", j), "(Ljava/lang/String;I)V", dex.AccPublic).Asm(5, body)
		}
	}
	return d.Bytes()
}

func BenchmarkParse(b *testing.B) {
	data := large()
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := dex.Parse("large.dex", data); err != nil {
			b.Fatal(err)
		}
	}
}

func eachMethod(f *dex.File, do func(dex.EncodedMethod)) {
	for i := range f.Classes {
		c := &f.Classes[i]
		for _, list := range [][]dex.EncodedMethod{c.Direct, c.Virtual} {
			for _, m := range list {
				do(m)
			}
		}
	}
}

func BenchmarkCode(b *testing.B) {
	files, err := dex.Parse("large.dex", large())
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		eachMethod(files[0], func(m dex.EncodedMethod) {
			if _, err := files[0].Code(m.Code); err != nil {
				b.Fatal(err)
			}
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	files, err := dex.Parse("large.dex", large())
	if err != nil {
		b.Fatal(err)
	}
	var all [][]uint16
	eachMethod(files[0], func(m dex.EncodedMethod) {
		code, err := files[0].Code(m.Code)
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, code.Insns)
	})
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		for _, insns := range all {
			for pc := 0; pc < len(insns); {
				in, err := dex.Decode(insns, pc)
				if err != nil {
					b.Fatal(err)
				}
				pc += in.Width
				n++
			}
		}
		b.ReportMetric(float64(n), "instructions/op")
	}
}
