// Package plot draws lines over a logarithmic axis, as an SVG that is readable on light and
// dark pages.
package plot

import (
	"fmt"
	"html"
	"math"
	"os"
	"path/filepath"
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

// Figure is a row of panels, with a legend below.
type Figure struct {
	X      string
	Panels []Panel
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
		p.draw(&b, left+float64(i)*(left+width+gap), f.X)
	}
	for i, s := range f.Panels[0].Series {
		y := legend + lineHeight*float64(i)
		fmt.Fprintf(&b, `<line x1="%.0f" y1="%.1f" x2="%.0f" y2="%.1f" stroke="%s" stroke-width="2"/>`,
			left, y, left+24, y, colour(i))
		mark(&b, i, left+12, y)
		fmt.Fprintf(&b, `<text x="%.0f" y="%.1f">%s</text>`+"\n", left+32, y+4, html.EscapeString(s.Name))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func colour(i int) string { return colours()[i%len(colours())] }

func (p Panel) draw(b *strings.Builder, x0 float64, xTitle string) {
	lowX, highX, highY := p.bounds()
	step := niceStep(highY / 5)
	highY = math.Ceil(highY/step) * step
	x := func(v float64) float64 { return x0 + width*(math.Log10(v)-lowX)/(highX-lowX) }
	y := func(v float64) float64 { return top + height*(1-v/highY) }
	fmt.Fprintf(b, `<text x="%.1f" y="22" font-weight="bold">%s</text>`+"\n", x0, html.EscapeString(p.Title))
	for v := 0.0; v <= highY+step/2; v += step {
		fmt.Fprintf(b, `<line class="grid" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`, x0, y(v), x0+width, y(v))
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="end">%s</text>`+"\n",
			x0-6, y(v)+4, strconv.FormatFloat(v, 'g', 4, 64))
	}
	for e := lowX; e <= highX; e++ {
		at := x(math.Pow(10, e))
		fmt.Fprintf(b, `<line class="grid" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`, at, top, at, top+height)
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle">%.0f</text>`+"\n",
			at, top+height+16, math.Pow(10, e))
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

// bounds returns the powers of ten around the points, and the largest value.
func (p Panel) bounds() (lowX, highX, highY float64) {
	lowX, highX = math.Inf(1), math.Inf(-1)
	for _, s := range p.Series {
		for _, point := range s.Points {
			lowX, highX = min(lowX, math.Floor(math.Log10(point.X))), max(highX, math.Ceil(math.Log10(point.X)))
			highY = max(highY, point.Y)
		}
	}
	return lowX, max(highX, lowX+1), max(highY, 1e-9)
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
