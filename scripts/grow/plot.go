//go:build unix

package main

import (
	"fmt"
	"io"
	"math"
	"strings"
)

// Sizes of the plot: a panel for each shape, in rows.
const (
	panelWidth  = 230.0
	panelHeight = 190.0
	columns     = 4
	marginLeft  = 44.0 // of a panel, for the labels
	marginTop   = 26.0
	marginBelow = 26.0
	marginRight = 12.0
	fastest     = 0.05 // CPU seconds at the bottom of a panel
	slowest     = 50.0 // and at its top
)

// colors of the kinds, told apart in print and by those who see no red.
var colors = map[bool]string{true: "#b2182b", false: "#2166ac"}

// panel draws one shape. Both scales are logarithmic; that of time is the same
// in all panels.
type panel struct {
	b           *strings.Builder
	left, top   float64 // of the area with the lines
	small, full float64 // sizes at its edges
}

func (p panel) x(size int) float64 {
	part := 0.5
	if p.full > p.small {
		part = math.Log(float64(size)/p.small) / math.Log(p.full/p.small)
	}
	return p.left + part*(panelWidth-marginLeft-marginRight)
}

func (p panel) y(seconds float64) float64 {
	seconds = min(slowest, max(fastest, seconds))
	height := panelHeight - marginTop - marginBelow
	return p.top + height*(1-math.Log(seconds/fastest)/math.Log(slowest/fastest))
}

// plot draws all shapes as one SVG.
func (g growth) plot(w io.Writer) error {
	var shapes [][]series // of one shape each
	for _, s := range g.series {
		if n := len(shapes); n > 0 && shapes[n-1][0].shape.Name == s.shape.Name {
			shapes[n-1] = append(shapes[n-1], s)
		} else {
			shapes = append(shapes, []series{s})
		}
	}
	rows := (len(shapes) + columns - 1) / columns
	width, height := columns*panelWidth, float64(rows)*panelHeight+24
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" font-family="sans-serif" font-size="11">
<rect width="100%%" height="100%%" fill="#fff"/>
`, width, height)
	for i, list := range shapes {
		small, full := math.Inf(1), 0.0
		for _, s := range list {
			for _, p := range s.points {
				small, full = min(small, float64(p.size)), max(full, float64(p.size))
			}
		}
		p := panel{&b, float64(i%columns)*panelWidth + marginLeft, float64(i/columns)*panelHeight + marginTop, small, full}
		p.frame(list[0].shape.Name)
		for _, s := range list {
			p.line(s, g.exponentText(s))
		}
	}
	fmt.Fprintf(&b, `<text x="%.0f" y="%.0f">CPU seconds against size, both logarithmic. <tspan fill="%s">Racing</tspan> and `+
		`<tspan fill="%s">silent</tspan> kind with their exponents; dashed: linear; triangle: did not end.</text>
</svg>
`, marginLeft, height-8, colors[true], colors[false])
	_, err := io.WriteString(w, b.String())
	return err
}

// frame draws the axes, their labels, and a line of linear growth.
func (p panel) frame(name string) {
	right, bottom := p.x(int(p.full)), p.y(fastest)
	if p.full <= p.small {
		right = p.left + panelWidth - marginLeft - marginRight
	}
	fmt.Fprintf(p.b, `<text x="%.1f" y="%.1f" font-weight="bold">%s</text>`+"\n", p.left, p.top-8, name)
	for _, s := range []float64{0.1, 1, 10} {
		fmt.Fprintf(p.b, `<path d="M%.1f %.1fH%.1f" stroke="#ddd"/><text x="%.1f" y="%.1f" text-anchor="end">%g s</text>`+"\n",
			p.left, p.y(s), right, p.left-4, p.y(s)+4, s)
	}
	fmt.Fprintf(p.b, `<path d="M%.1f %.1fV%.1fH%.1f" fill="none" stroke="#888"/>`+"\n", p.left, p.top, bottom, right)
	fmt.Fprintf(p.b, `<text x="%.1f" y="%.1f" text-anchor="middle">%.0f</text><text x="%.1f" y="%.1f" text-anchor="middle">%.0f</text>`+"\n",
		p.left, bottom+14, p.small, right, bottom+14, p.full)
	if p.full > p.small {
		fmt.Fprintf(p.b, `<path d="M%.1f %.1fL%.1f %.1f" stroke="#888" stroke-dasharray="3 3"/>`+"\n",
			p.left, p.y(0.1), right, p.y(0.1*p.full/p.small))
	}
}

// line draws the sizes of a kind that ended, and a triangle for one that did
// not.
func (p panel) line(s series, exponent string) {
	color := colors[s.racing]
	var ended []string
	for _, q := range s.points {
		x, y := p.x(q.size), p.y(q.CPU.Seconds())
		if !q.Ended {
			fmt.Fprintf(p.b, `<path d="M%.1f %.1fl4 8h-8z" fill="none" stroke="%s"/>`+"\n", x, p.y(slowest), color)
			continue
		}
		ended = append(ended, fmt.Sprintf("%.1f,%.1f", x, y))
		fmt.Fprintf(p.b, `<circle cx="%.1f" cy="%.1f" r="2.5" fill="%s"/>`+"\n", x, y, color)
	}
	fmt.Fprintf(p.b, `<polyline points="%s" fill="none" stroke="%s"/>`+"\n", strings.Join(ended, " "), color)
	shift := 0.0
	if !s.racing {
		shift = 40
	}
	fmt.Fprintf(p.b, `<text x="%.1f" y="%.1f" text-anchor="end" fill="%s">%s</text>`+"\n",
		p.left+panelWidth-marginLeft-marginRight-shift, p.top-8, color, exponent)
}
