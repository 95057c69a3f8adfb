package plot_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/bench/plot"
)

func TestSVG(t *testing.T) {
	t.Parallel()
	text := plot.Figure{X: "rows", Panels: []plot.Panel{{
		Title: "Units & time", Y: "ms", Series: []plot.Series{{Name: "a <list>", Points: []plot.Point{{X: 100, Y: 1}, {X: 10_000, Y: 9}}}},
	}}}.SVG()
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err, "well-formed")
	}
	for _, want := range []string{"Units &amp; time", "a &lt;list&gt;", ">rows<", ">ms<", ">100<", ">1000<",
		">10000<", "prefers-color-scheme: dark"} {
		assert.Contains(t, text, want)
	}
}

func TestHoursOfADay(t *testing.T) {
	t.Parallel()
	text := plot.Figure{X: "hour", Hours: true, Panels: []plot.Panel{{
		Series: []plot.Series{{Name: "waiting", Points: []plot.Point{{X: 0, Y: 0}, {X: 24, Y: 2_000_000}}}},
	}}}.SVG()
	for _, want := range []string{">0<", ">8<", ">24<", ">2M<", ">500k<"} {
		assert.Contains(t, text, want)
	}
	assert.NotContains(t, text, "<circle", "a day has too many points for marks")
}
