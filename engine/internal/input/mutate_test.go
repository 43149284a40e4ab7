package input

import (
	"bytes"
	"encoding/binary"
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/eventraces/eventraces/engine/internal/input/inputtest"
)

var mutations = flag.Int("mutations", 4000, "damaged documents and tables to try")

// damage overwrites one to three fields of b with values that counts, sizes
// and offsets go wrong by, which a byte-wise fuzzer finds slowly.
func damage(r *rand.Rand, b []byte) []byte {
	b = bytes.Clone(b)
	for range 1 + r.IntN(3) {
		at := r.IntN(len(b)/2) * 2
		values := []uint32{0, 1, 2, 3, 4, 8, 0xff, 0xffff, 0x7fff, 0x8000, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffff0,
			uint32(len(b)), uint32(len(b) - at), uint32(r.IntN(2 * len(b))), r.Uint32()}
		v := values[r.IntN(len(values))]
		switch {
		case r.IntN(3) == 0:
			b[at] = byte(v)
		case r.IntN(2) == 0 || at+4 > len(b):
			binary.LittleEndian.PutUint16(b[at:], uint16(v))
		default:
			binary.LittleEndian.PutUint32(b[at:], v)
		}
	}
	if r.IntN(20) == 0 {
		b = b[:r.IntN(len(b))]
	}
	return b
}

// TestDamaged: what is damaged is read or refused, within the stated memory,
// and twice the same.
func TestDamaged(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	table, _ := sampleTable(inputtest.Dense, false)
	sparse, _ := sampleTable(inputtest.Sparse, true)
	short, _ := sampleTable(inputtest.Offset16, true)
	documents := [][]byte{inputtest.XML(document()), inputtest.XMLOptions{UTF8: true, NoRaw: true}.Write(document()), inputtest.XML(inputtest.Manifest("com.acme", elem("activity", a("name", ".A"), launcherFilter())))}
	tables := [][]byte{table.Bytes(), sparse.Bytes(), short.Bytes()}
	read := 0
	for range *mutations {
		doc := damage(r, documents[r.IntN(len(documents))])
		tab := damage(r, tables[r.IntN(len(tables))])
		allocation(t, len(doc), 512, 1<<20, func() {
			again := bytes.Clone(doc)
			elements, err := readXML(doc)
			if err != nil {
				checkBad(t, err, len(doc))
			} else {
				read++
			}
			if second, _ := readXML(again); printXML(second) != printXML(elements) {
				t.Errorf("the same bytes give\n%s\nand then\n%s", printXML(elements), printXML(second))
			}
		})
		allocation(t, len(tab), 512, 1<<20, func() {
			got, err := readTable(tab)
			if err != nil {
				checkBad(t, err, len(tab))
				return
			}
			read++
			files, err := got.files("layout")
			if err == nil && len(files) > 0 {
				got.value(files[0].id)
				got.id(files[0].name)
			}
		})
		if t.Failed() {
			t.Fatalf("document %x\ntable %x", doc, tab)
		}
	}
	// Damage to names, values and padding is no fault of structure.
	if read < *mutations/10 {
		t.Errorf("only %d of %d damaged inputs were read: the damage tests nothing but the first check", read, *mutations)
	}
}
