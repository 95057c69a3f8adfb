package cancellationfn

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/letter"
)

// The race detector watches this here: package letter is tested without it.
func TestLettersAreWrittenSideBySide(t *testing.T) {
	w := letter.Writer{}
	l := cancellation.Letter{
		Locale: "de-DE",
		Date:   time.Date(2026, time.November, 20, 15, 4, 5, 0, time.UTC),
		Sender: cancellation.Sender{
			Name: "Zoë Ångström", Street: "Hauptallee 12", PostalCode: "10115", City: "Neustadt", Email: "zoe@mail.example",
		},
		Organization: "Acme Telekom",
		Address: cancellation.PostalAddress{
			Recipient: []string{"Acme Telekom"}, Street: "Ringweg 3", PostalCode: "80331", City: "Altstadt", CountryCode: "DE",
		},
		Product:    "Turbo 500",
		References: []cancellation.Reference{{Label: "Ref-A", Value: "4711-0815", IsNumber: true}},
		Signature:  cancellation.Signature{Image: signature(t)},
	}
	want, err := w.Write(l)
	require.NoError(t, err)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if d, err := w.Write(l); assert.NoError(t, err) {
				assert.Equal(t, want, d)
			}
		})
	}
	all.Wait()
}

// signature returns a PNG with a line.
func signature(t *testing.T) []byte {
	t.Helper()
	drawn := image.NewGray(image.Rect(0, 0, 300, 100))
	for i := range drawn.Pix {
		drawn.Pix[i] = 255
	}
	for x := 50; x < 250; x++ {
		drawn.SetGray(x, 20+x/4, color.Gray{})
	}
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, drawn))
	return b.Bytes()
}
