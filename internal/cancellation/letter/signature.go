package letter

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/png"

	"golang.org/x/image/draw"

	"aviso/internal/cancellation"
)

const (
	// MaxImageSize is the maximum size of a signature's PNG in bytes.
	MaxImageSize = 100 * 1024
	// A small file may contain a huge image, so the dimensions are checked before
	// decoding.
	maxImageWidth, maxImageHeight = 3000, 1500

	// The maximum size of a signature in mm, and in pixels at 300 dpi. Printers cannot resolve more.
	signatureWidth, signatureHeight = 60.0, 22.0
	pixelsWide, pixelsHigh          = 709, 260
	// coarsest is the maximum size of a pixel in mm (96 dpi). Small images are not enlarged beyond it.
	coarsest = 25.4 / 96
	// pictureSize is the share of MaxSize for the picture. A noisy image is scaled
	// down until it fits.
	pictureSize = 120_000
)

// picture is a signature ready for printing.
type picture struct {
	png           []byte
	width, height float64 // mm
}

// object returns the entries and data of the picture's object. PDF supports the compression of PNG.
func (p *picture) object() (entries string, data []byte) {
	const headerSize, chunkSize, trueColour = 8, 12, 2
	header := p.png[headerSize+8:]
	colours, space := 1, "DeviceGray"
	if header[9] == trueColour {
		colours, space = 3, "DeviceRGB"
	}
	width := binary.BigEndian.Uint32(header)
	for chunk := p.png[headerSize:]; len(chunk) > 0; {
		size := binary.BigEndian.Uint32(chunk)
		if string(chunk[4:8]) == "IDAT" {
			data = append(data, chunk[8:][:size]...)
		}
		chunk = chunk[chunkSize+size:]
	}
	return fmt.Sprintf("/Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/%s/BitsPerComponent 8"+
		"/DecodeParms<</Predictor 15/Colors %d/Columns %[1]d>>", width, binary.BigEndian.Uint32(header[4:]), space, colours), data
}

// newPicture crops the image, puts it on a white background and scales it down to the resolution for printing. Any
// kind of PNG becomes an 8-bit one without interlacing and transparency, which a PDF embeds unchanged.
func newPicture(data []byte) (picture, error) {
	paper, inked, err := decodeSignature(data)
	if err != nil {
		return picture{}, err
	}
	w, h := float64(inked.Dx()), float64(inked.Dy())
	perPixel := min(signatureWidth/w, signatureHeight/h, coarsest)
	scale := min(1, pixelsWide/w, pixelsHigh/h)
	for {
		small := image.NewRGBA(image.Rect(0, 0, max(1, int(w*scale)), max(1, int(h*scale))))
		draw.BiLinear.Scale(small, small.Bounds(), paper, inked, draw.Src, nil)
		encoded, err := encode(small)
		if err != nil {
			return picture{}, fmt.Errorf("encode signature: %w", err)
		}
		if len(encoded) <= pictureSize {
			return picture{png: encoded, width: w * perPixel, height: h * perPixel}, nil
		}
		scale *= 0.8
	}
}

// decodeSignature returns the image on a white background, and the part that is not white.
func decodeSignature(data []byte) (*image.RGBA, image.Rectangle, error) {
	if len(data) > MaxImageSize {
		return nil, image.Rectangle{}, &cancellation.ImageError{Reason: "is larger than 100 KB"}
	}
	config, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, image.Rectangle{}, &cancellation.ImageError{Reason: "is not a PNG"}
	}
	if config.Width > maxImageWidth || config.Height > maxImageHeight {
		return nil, image.Rectangle{}, &cancellation.ImageError{Reason: "is larger than 3000 by 1500 pixels"}
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
		return nil, image.Rectangle{}, &cancellation.ImageError{Reason: "is blank on white paper"}
	}
	return paper, inked, nil
}

// inkedPart returns the smallest rectangle with everything darker than paper.
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

// encode encodes a PNG, in greyscale if the image has no colours.
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
