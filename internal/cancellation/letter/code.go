package letter

import (
	"image"
	"image/color"
)

// code draws a QR code of the text. Its modules are squares and not pixels, so it is sharp
// in any size.
func (s *sheet) code(x, y, width float64, symbol image.Image, text string) {
	size := symbol.Bounds().Dx()
	module := width / float64(size)
	e := s.newFigure(text)
	s.put(e, "0 g\n")
	for row := range size {
		for column := 0; column < size; column++ {
			first := column
			for column < size && symbol.At(column, row) == color.Black {
				column++
			}
			if column > first { // one bar for neighbours leaves no gaps between them
				s.put(e, "%.2f %.2f %.2f %.2f re f\n", points(x+float64(first)*module), points(pageHeight-y-float64(row+1)*module),
					points(float64(column-first)*module), points(module))
			}
		}
	}
}
