package letter

import (
	"bytes"
	"fmt"
	"image"
	"image/png"

	"golang.org/x/image/draw"

	"aviso/internal/cancellation"
)

const (
	// MaxImageSize is how many bytes a signature's PNG may have.
	MaxImageSize = 100 * 1024
	// A small file may hold a huge image: the pixels are counted before they
	// are decoded.
	maxImageWidth, maxImageHeight = 3000, 1500

	// The place for a signature, in mm, and the pixels of it: 300 to the inch
	// are as fine as printers get.
	signatureWidth, signatureHeight = 60.0, 22.0
	pixelsWide, pixelsHigh          = 709, 260
	// coarsest is the pixel in mm (96 to the inch) beyond which a small image
	// is not blown up.
	coarsest = 25.4 / 96
	// pictureSize is what a picture may take of MaxSize; a noisy one is made
	// coarser until it does.
	pictureSize = 120_000
)

// picture is a signature ready to be placed.
type picture struct {
	png           []byte
	width, height float64 // mm
}

// pictureOf cuts the margins off the image, lays it on white and makes it no
// finer than needed: any kind of PNG becomes one of 8 bits, not interlaced and
// without transparency, which is what the PDF library takes as it is.
func pictureOf(data []byte) (picture, error) {
	paper, inked, err := ink(data)
	if err != nil {
		return picture{}, err
	}
	w, h := float64(inked.Dx()), float64(inked.Dy())
	perPixel := min(signatureWidth/w, signatureHeight/h, coarsest)
	fine := min(1, pixelsWide/w, pixelsHigh/h)
	for {
		small := image.NewRGBA(image.Rect(0, 0, max(1, int(w*fine)), max(1, int(h*fine))))
		draw.BiLinear.Scale(small, small.Bounds(), paper, inked, draw.Src, nil)
		encoded, err := encode(small)
		if err != nil {
			return picture{}, fmt.Errorf("encode signature: %w", err)
		}
		if len(encoded) <= pictureSize {
			return picture{png: encoded, width: w * perPixel, height: h * perPixel}, nil
		}
		fine *= 0.8
	}
}

// ink is the image on white paper, and the part of it that is not white.
func ink(data []byte) (*image.RGBA, image.Rectangle, error) {
	if len(data) > MaxImageSize {
		return nil, image.Rectangle{}, &cancellation.ImageError{Reason: "has more than 100 KB"}
	}
	config, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, image.Rectangle{}, &cancellation.ImageError{Reason: "is no PNG"}
	}
	if config.Width > maxImageWidth || config.Height > maxImageHeight {
		return nil, image.Rectangle{}, &cancellation.ImageError{Reason: "has more than 3000 by 1500 pixels"}
	}
	decoded, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, image.Rectangle{}, &cancellation.ImageError{Reason: "is a damaged PNG"}
	}
	paper := image.NewRGBA(image.Rect(0, 0, config.Width, config.Height))
	draw.Draw(paper, paper.Bounds(), image.White, image.Point{}, draw.Src)
	draw.Draw(paper, paper.Bounds(), decoded, decoded.Bounds().Min, draw.Over)
	inked := inkedPart(paper)
	if inked.Empty() {
		return nil, image.Rectangle{}, &cancellation.ImageError{Reason: "shows nothing on white paper"}
	}
	return paper, inked, nil
}

// inkedPart is the smallest rectangle with all that is darker than paper.
func inkedPart(paper *image.RGBA) image.Rectangle {
	const lightest = 0xE0
	inked := image.Rectangle{Min: paper.Rect.Max, Max: paper.Rect.Min}
	for y := range paper.Rect.Dy() {
		row := paper.Pix[y*paper.Stride:][:4*paper.Rect.Dx()]
		for x := range paper.Rect.Dx() {
			if min(row[4*x], row[4*x+1], row[4*x+2]) < lightest {
				inked.Min.X, inked.Min.Y = min(inked.Min.X, x), min(inked.Min.Y, y)
				inked.Max.X, inked.Max.Y = max(inked.Max.X, x+1), max(inked.Max.Y, y+1)
			}
		}
	}
	return inked
}

// encode makes a PNG, of grey where there are no colours.
func encode(m *image.RGBA) ([]byte, error) {
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	grey := image.NewGray(m.Rect)
	for i := range grey.Pix {
		r, g, blue := m.Pix[4*i], m.Pix[4*i+1], m.Pix[4*i+2]
		if r != g || g != blue {
			err := encoder.Encode(&b, m)
			return b.Bytes(), err
		}
		grey.Pix[i] = r
	}
	err := encoder.Encode(&b, grey)
	return b.Bytes(), err
}
