package input

import (
	"bytes"
	"encoding/xml"
	"io"
	"strconv"
	"strings"

	"github.com/shogo82148/androidbinary"
)

const (
	androidNS = "http://schemas.android.com/apk/res/android"
	appNS     = "http://schemas.android.com/apk/res-auto"
)

// element is one XML element; elements of a document are in document order.
type element struct {
	name   string // without namespace
	parent int    // index, -1 for the root
	attrs  []xml.Attr
}

// readXML decodes binary XML: our structural check, then androidbinary, then
// the text it produced. It modifies data.
func readXML(data []byte) (elements []element, err error) {
	if err := checkXML(data); err != nil {
		return nil, err
	}
	defer func() {
		// The check is meant to leave the library nothing to panic about;
		// what it missed must still not end the run.
		if r := recover(); r != nil {
			elements, err = nil, bad(0, "binary XML that the decoder cannot handle: %v", r)
		}
	}()
	f, err := androidbinary.NewXMLFile(bytes.NewReader(data))
	if err != nil {
		return nil, bad(0, "binary XML: %s", plain(err))
	}
	return readTextXML(f.Reader())
}

func readTextXML(r io.Reader) ([]element, error) {
	d := xml.NewDecoder(r)
	var all []element
	top := -1
	for {
		tok, err := d.Token()
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, bad(0, "XML: %s", plain(err))
		}
		switch t := tok.(type) {
		case xml.StartElement:
			all = append(all, element{name: t.Name.Local, parent: top, attrs: t.Attr})
			top = len(all) - 1
		case xml.EndElement:
			top = all[top].parent
		}
	}
}

// attr is the value of an attribute of the android namespace, or empty.
func (e *element) attr(name string) string { return e.nsAttr(androidNS, name) }

func (e *element) nsAttr(ns, name string) string {
	for i := range e.attrs {
		if a := &e.attrs[i]; a.Name.Local == name && a.Name.Space == ns {
			return a.Value
		}
	}
	return ""
}

// refOf is the resource id of a reference "@0x7F010001", or zero.
func refOf(value string) uint32 {
	if !strings.HasPrefix(value, "@0x") {
		return 0
	}
	n, err := strconv.ParseUint(value[3:], 16, 32)
	if err != nil {
		return 0
	}
	return uint32(n)
}
