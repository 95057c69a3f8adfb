package letter

import (
	"fmt"
	"image"
	"image/color"

	"github.com/boombuler/barcode/qr"
)

// newCode returns a QR code of the text, with a pixel for each module.
func newCode(text string) (image.Image, error) {
	symbol, err := qr.Encode(text, qr.M, qr.Unicode)
	if err != nil {
		return nil, fmt.Errorf("QR code: %w", err)
	}
	return symbol, nil
}

// code draws a QR code. Its modules are squares and not pixels, so it is sharp in any size.
func (s *sheet) code(x, y, width float64, symbol image.Image) {
	size := symbol.Bounds().Dx()
	module := width / float64(size)
	s.pdf.SetFillColor(0, 0, 0)
	for row := range size {
		for column := 0; column < size; column++ {
			first := column
			for column < size && symbol.At(column, row) == color.Black {
				column++
			}
			if column > first { // one bar for neighbours leaves no gaps between them
				s.pdf.Rect(x+float64(first)*module, y+float64(row)*module, float64(column-first)*module, module, "F")
			}
		}
	}
}
