// Package plot draws lines over a logarithmic axis or the hours of a day, as an SVG that is
// readable on light and dark pages.
package plot

import (
	"fmt"
	"html"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Point is a value.
type Point struct{ X, Y float64 }

// Series is a line.
type Series struct {
	Name   string
	Points []Point
}

// Panel is one plot. Its n-th line has the same colour as the n-th lines of other panels.
type Panel struct {
	Title, Y string
	Series   []Series
}

// Figure is a row of panels, with a legend below the first and below those whose lines
// have other names. All have the same number of lines.
type Figure struct {
	X string
	// Hours makes the axis that of a day, from 0 to 24, and leaves out the marks.
	Hours  bool
	Panels []Panel
}

// axis is where values are along the x axis, and which of them are written there.
type axis struct {
	at    func(float64) float64 // 0 to 1
	ticks []float64
	marks bool
}

func (f Figure) axis(p Panel) axis {
	if f.Hours {
		return axis{at: func(v float64) float64 { return v / 24 }, ticks: []float64{0, 4, 8, 12, 16, 20, 24}}
	}
	low, high := p.bounds()
	a := axis{at: func(v float64) float64 { return (math.Log10(v) - low) / (high - low) }, marks: true}
	for e := low; e <= high; e++ {
		a.ticks = append(a.ticks, math.Pow(10, e))
	}
	return a
}

const (
	width, height = 400.0, 260.0 // of the inside of a panel
	left, top     = 62.0, 44.0
	gap, below    = 40.0, 56.0
	lineHeight    = 20.0
)

// colours returns colours that differ on white and on black. The marks tell lines apart
// without colours.
func colours() []string {
	return []string{"#3b82c4", "#c77700", "#2f9e5f", "#c2417c", "#8a63d2", "#b33a3a", "#1c9aa8", "#7d7d2a"}
}

// Write draws the figure to a file.
func Write(file string, f Figure) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("create the folder of the plot: %w", err)
	}
	if err := os.WriteFile(file, []byte(f.SVG()), 0o644); err != nil {
		return fmt.Errorf("write the plot: %w", err)
	}
	return nil
}

// SVG returns the figure as SVG.
func (f Figure) SVG() string {
	across := float64(len(f.Panels))
	whole := across*(left+width) + gap*across
	legend := top + height + below
	down := legend + lineHeight*float64(len(f.Panels[0].Series)) + 10
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" `+
		`font-family="system-ui, sans-serif" font-size="12">`+"\n", whole, down, whole, down)
	b.WriteString(`<style>
text { fill: #24292f } .axis { stroke: #57606a } .grid { stroke: #d0d7de } .page { fill: #ffffff }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .axis { stroke: #8d96a0 } .grid { stroke: #30363d } .page { fill: #0d1117 } }
</style>
`)
	fmt.Fprintf(&b, `<rect class="page" width="%.0f" height="%.0f"/>`+"\n", whole, down)
	for i, p := range f.Panels {
		p.draw(&b, left+float64(i)*(left+width+gap), f.X, f.axis(p))
	}
	for i, p := range f.Panels {
		if i == 0 || !slices.Equal(p.names(), f.Panels[0].names()) {
			f.legend(&b, p, left+float64(i)*(left+width+gap), legend)
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func (p Panel) names() (names []string) {
	for _, s := range p.Series {
		names = append(names, s.Name)
	}
	return names
}

func (f Figure) legend(b *strings.Builder, p Panel, x, y float64) {
	for i, s := range p.Series {
		fmt.Fprintf(b, `<line x1="%.0f" y1="%.1f" x2="%.0f" y2="%.1f" stroke="%s" stroke-width="2"/>`,
			x, y, x+24, y, colour(i))
		if !f.Hours {
			mark(b, i, x+12, y)
		}
		fmt.Fprintf(b, `<text x="%.0f" y="%.1f">%s</text>`+"\n", x+32, y+4, html.EscapeString(s.Name))
		y += lineHeight
	}
}

func colour(i int) string { return colours()[i%len(colours())] }

func (p Panel) draw(b *strings.Builder, x0 float64, xTitle string, a axis) {
	highY := p.highest()
	step := niceStep(highY / 5)
	highY = math.Ceil(highY/step) * step
	x := func(v float64) float64 { return x0 + width*a.at(v) }
	y := func(v float64) float64 { return top + height*(1-v/highY) }
	fmt.Fprintf(b, `<text x="%.1f" y="22" font-weight="bold">%s</text>`+"\n", x0, html.EscapeString(p.Title))
	for v := 0.0; v <= highY+step/2; v += step {
		fmt.Fprintf(b, `<line class="grid" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`, x0, y(v), x0+width, y(v))
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="end">%s</text>`+"\n",
			x0-6, y(v)+4, short(v))
	}
	for _, tick := range a.ticks {
		at := x(tick)
		fmt.Fprintf(b, `<line class="grid" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`, at, top, at, top+height)
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle">%.0f</text>`+"\n",
			at, top+height+16, tick)
	}
	fmt.Fprintf(b, `<path class="axis" fill="none" d="M%.1f %.1fV%.1fH%.1f"/>`+"\n", x0, top, top+height, x0+width)
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle">%s</text>`+"\n",
		x0+width/2, top+height+34, html.EscapeString(xTitle))
	fmt.Fprintf(b, `<text transform="translate(%.1f %.1f) rotate(-90)" text-anchor="middle">%s</text>`+"\n",
		x0-44, top+height/2, html.EscapeString(p.Y))
	for i, s := range p.Series {
		var path strings.Builder
		for n, point := range s.Points {
			fmt.Fprintf(&path, "%s%.1f %.1f", map[bool]string{true: "M", false: "L"}[n == 0], x(point.X), y(point.Y))
		}
		fmt.Fprintf(b, `<path fill="none" stroke="%s" stroke-width="2" d="%s"/>`, colour(i), path.String())
		for _, point := range s.Points {
			if !a.marks {
				break
			}
			mark(b, i, x(point.X), y(point.Y))
		}
		b.WriteString("\n")
	}
}

// mark draws a circle, a square or a diamond.
func mark(b *strings.Builder, i int, x, y float64) {
	switch i % 3 {
	case 0:
		fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="3.5" fill="%s"/>`, x, y, colour(i))
	case 1:
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="7" height="7" fill="%s"/>`, x-3.5, y-3.5, colour(i))
	default:
		fmt.Fprintf(b, `<path d="M%.1f %.1fl4.5 4.5l-4.5 4.5l-4.5 -4.5z" fill="%s"/>`, x, y-4.5, colour(i))
	}
}

// bounds returns the powers of ten around the points.
func (p Panel) bounds() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, s := range p.Series {
		for _, point := range s.Points {
			low, high = min(low, math.Floor(math.Log10(point.X))), max(high, math.Ceil(math.Log10(point.X)))
		}
	}
	return low, max(high, low+1)
}

func (p Panel) highest() float64 {
	highest := 1e-9
	for _, s := range p.Series {
		for _, point := range s.Points {
			highest = max(highest, point.Y)
		}
	}
	return highest
}

// short writes a value with at most four digits, and thousands and millions as k and M.
func short(v float64) string {
	switch {
	case v >= 1e6:
		return strconv.FormatFloat(v/1e6, 'g', 4, 64) + "M"
	case v >= 1e4:
		return strconv.FormatFloat(v/1e3, 'g', 4, 64) + "k"
	default:
		return strconv.FormatFloat(v, 'g', 4, 64)
	}
}

// niceStep returns 1, 2 or 5 times a power of ten that is at least v.
func niceStep(v float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, factor := range []float64{1, 2, 5} {
		if v <= factor*power {
			return factor * power
		}
	}
	return 10 * power
}
