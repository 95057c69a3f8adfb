package letter

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
)

// checkImage returns an error if the data cannot be used as a signature.
func checkImage(data []byte) error {
	_, _, err := decodeSignature(data)
	return err
}

// scribble returns a signature in blue ink on a transparent background.
func scribble(t testing.TB, width, height int) []byte {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	for x := width / 10; x < width*9/10; x++ {
		y := height/2 + (x%(height/2) - height/4)
		for dy := range max(1, height/40) {
			m.SetNRGBA(x, y+dy, color.NRGBA{B: 0x90, A: 0xFF})
		}
	}
	return encoded(t, m)
}

func encoded(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, m))
	return b.Bytes()
}

// noise returns an image that cannot be compressed, to get the largest file.
func noise(t testing.TB, m interface {
	image.Image
	Set(x, y int, c color.Color)
}, colors []color.Color) []byte {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			m.Set(x, y, colors[random.IntN(len(colors))])
		}
	}
	return encoded(t, m)
}

func TestAcceptedImages(t *testing.T) {
	black := color.Gray{}
	dot := func(m interface {
		image.Image
		Set(x, y int, c color.Color)
	}) []byte {
		for x := range m.Bounds().Dx() {
			for y := range m.Bounds().Dy() {
				m.Set(x, y, color.White)
			}
		}
		m.Set(3, 3, black)
		return encoded(t, m)
	}
	box := image.Rect(0, 0, 40, 20)
	for name, data := range map[string][]byte{
		"alpha":             scribble(t, 600, 200),
		"16 bits":           dot(image.NewNRGBA64(box)),
		"16 bits greyscale": dot(image.NewGray16(box)),
		"grey":              dot(image.NewGray(box)),
		"a palette":         dot(image.NewPaletted(box, color.Palette{color.White, black})),
		"interlaced":        interlaced(t),
		"one pixel":         encoded(t, image.NewGray(image.Rect(0, 0, 1, 1))),
		"a thin line":       encoded(t, image.NewGray(image.Rect(0, 0, 3000, 1))),
		"a vertical line":   encoded(t, image.NewGray(image.Rect(0, 0, 1, 1500))),
		"the largest":       encoded(t, image.NewGray(image.Rect(0, 0, 3000, 1500))),
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, checkImage(data))
			l := sampleLetter("de-DE")
			l.Signature = cancellation.Signature{Image: data}
			d := write(t, l)
			listed := strings.Split(strings.TrimSpace(poppler(t, d.PDF, "pdfimages", "-list")), "\n")
			assert.Len(t, listed, 3, "two header lines, one image and no mask")
			p, err := newPicture(data)
			require.NoError(t, err)
			assert.Positive(t, p.width)
			assert.Positive(t, p.height)
			assert.LessOrEqual(t, p.width, signatureWidth)
			assert.LessOrEqual(t, p.height, signatureHeight)
		})
	}
}

func TestRejectedImages(t *testing.T) {
	var photo bytes.Buffer
	require.NoError(t, jpeg.Encode(&photo, image.NewGray(image.Rect(0, 0, 9, 9)), nil))
	good := scribble(t, 600, 200)
	flipped := bytes.Clone(good)
	flipped[len(flipped)/2] ^= 0xFF
	for name, test := range map[string]struct {
		data   []byte
		reason string
	}{
		"no data":              {nil, "is not a PNG"},
		"text":                 {[]byte("Z. Ångström"), "is not a PNG"},
		"a JPEG":               {photo.Bytes(), "is not a PNG"},
		"half a PNG":           {good[:len(good)/2], "is a damaged PNG"},
		"a flipped byte":       {flipped, "is a damaged PNG"},
		"a large file":         {make([]byte, MaxImageSize+1), "is larger than 100 KB"},
		"a decompression bomb": {claiming(good, 60_000, 60_000), "is larger than 3000 by 1500 pixels"},
		"too wide":             {encoded(t, image.NewGray(image.Rect(0, 0, 3001, 1))), "is larger than 3000 by 1500 pixels"},
		"too tall":             {encoded(t, image.NewGray(image.Rect(0, 0, 1, 1501))), "is larger than 3000 by 1500 pixels"},
		"all transparent":      {encoded(t, image.NewNRGBA(image.Rect(0, 0, 90, 30))), "is blank on white paper"},
		"white on transparent": {whiteOnNothing(t), "is blank on white paper"},
	} {
		t.Run(name, func(t *testing.T) {
			err := checkImage(test.data)
			var refused *cancellation.ImageError
			require.ErrorAs(t, err, &refused)
			assert.Equal(t, test.reason, refused.Reason)
			assert.Equal(t, "the image "+test.reason, err.Error())

			if len(test.data) > 0 {
				l := sampleLetter("de-DE")
				l.Signature = cancellation.Signature{Image: test.data}
				_, err = Writer{}.Write(l)
				assert.ErrorAs(t, err, &refused)
			}
		})
	}
}

func FuzzImage(f *testing.F) {
	f.Add(scribble(f, 60, 20))
	f.Add(encoded(f, image.NewGray16(image.Rect(0, 0, 5, 5))))
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := checkImage(data); err != nil {
			var refused *cancellation.ImageError
			require.ErrorAs(t, err, &refused)
			return
		}
		p, err := newPicture(data)
		require.NoError(t, err)
		assert.LessOrEqual(t, len(p.png), pictureSize)
	})
}

func TestSignatureImageIsPlaced(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 1000, 1000))
	for x := 300; x < 700; x++ {
		for y := 400; y < 500; y++ {
			m.SetNRGBA(x, y, color.NRGBA{R: 0x20, G: 0x20, B: 0x80, A: 0xFF})
		}
	}
	p, err := newPicture(encoded(t, m))
	require.NoError(t, err)
	assert.InDelta(t, 60, p.width, 0.01, "without its margins it is as wide as the place for it")
	assert.InDelta(t, 15, p.height, 0.01, "and keeps its shape")

	config, err := png.DecodeConfig(bytes.NewReader(p.png))
	require.NoError(t, err)
	assert.Equal(t, 400, config.Width, "a small image gets no more pixels")
}

func TestLargestImageFits(t *testing.T) {
	grey := make([]color.Color, 256)
	for i := range grey {
		grey[i] = color.Gray{Y: uint8(i)}
	}
	palette := color.Palette{color.White, color.RGBA{R: 255, A: 255}, color.RGBA{B: 255, A: 255}, color.RGBA{G: 128, A: 255}}
	var colours []color.Color
	random := rand.New(rand.NewPCG(3, 4))
	for range 4096 {
		colours = append(colours, color.RGBA{uint8(random.Uint32()), uint8(random.Uint32()), uint8(random.Uint32()), 255})
	}
	for name, data := range map[string][]byte{
		"two tones":   noise(t, image.NewPaletted(image.Rect(0, 0, 1450, 550), palette[:2]), palette[:2]),
		"four tones":  noise(t, image.NewPaletted(image.Rect(0, 0, 1040, 380), palette), palette),
		"grey":        noise(t, image.NewGray(image.Rect(0, 0, 520, 190)), grey),
		"all colours": noise(t, image.NewRGBA(image.Rect(0, 0, 300, 110)), colours),
	} {
		t.Run(name, func(t *testing.T) {
			require.Greater(t, len(data), MaxImageSize*9/10, "nearly the largest file")
			require.LessOrEqual(t, len(data), MaxImageSize)
			l := sampleLetter("de-DE")
			l.Signature = cancellation.Signature{Image: data}
			d := write(t, l)
			t.Logf("image of %d bytes, letter of %d", len(data), len(d.PDF))
			assert.Less(t, len(d.PDF), MaxSize)
		})
	}
}

func whiteOnNothing(t testing.TB) []byte {
	m := image.NewNRGBA(image.Rect(0, 0, 90, 30))
	for x := range 90 {
		m.SetNRGBA(x, 15, color.NRGBA{R: 255, G: 255, B: 255, A: 255})
	}
	return encoded(t, m)
}

// claiming returns the PNG with another size in its header.
func claiming(data []byte, width, height uint32) []byte {
	data = bytes.Clone(data)
	binary.BigEndian.PutUint32(data[16:], width)
	binary.BigEndian.PutUint32(data[20:], height)
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	return data
}

// interlaced returns a black image of 1 by 1 pixel, interlaced by Adam7. Only its first
// pass has data. Go's own encoder does not interlace.
func interlaced(t testing.TB) []byte {
	data := encoded(t, image.NewGray(image.Rect(0, 0, 1, 1)))
	data[28] = 1
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	return data
}

func BenchmarkLargestImage(b *testing.B) {
	m := image.NewNRGBA64(image.Rect(0, 0, 3000, 1500))
	for x := range 3000 {
		for y := 700; y < 720; y++ {
			m.SetNRGBA64(x, y, color.NRGBA64{A: 0xFFFF})
		}
	}
	data := encoded(b, m)
	require.LessOrEqual(b, len(data), MaxImageSize)
	for b.Loop() {
		if _, err := newPicture(data); err != nil {
			b.Fatal(err)
		}
	}
}
