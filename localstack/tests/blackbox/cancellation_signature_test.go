package blackbox_test

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// scrawl is a PNG of some size with a line in it.
func scrawl(t *testing.T, width, height int) []byte {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, width, height))
	for i := range m.Pix {
		m.Pix[i] = 0xff
	}
	for x := range width {
		m.SetGray(x, x*height/width, color.Gray{})
	}
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, m))
	return b.Bytes()
}

// bomb is a PNG of few bytes that says, and holds, very many pixels.
func bomb(t *testing.T, width, height uint32) []byte {
	t.Helper()
	var pixels bytes.Buffer
	z := zlib.NewWriter(&pixels)
	_, err := z.Write(make([]byte, 20<<20))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	head := binary.BigEndian.AppendUint32(nil, width)
	head = append(binary.BigEndian.AppendUint32(head, height), 8, 0, 0, 0, 0)
	out := []byte("\x89PNG\r\n\x1a\n")
	for _, chunk := range []struct {
		name string
		data []byte
	}{{"IHDR", head}, {"IDAT", pixels.Bytes()}, {"IEND", nil}} {
		out = binary.BigEndian.AppendUint32(out, uint32(len(chunk.data)))
		body := append([]byte(chunk.name), chunk.data...)
		out = append(out, body...)
		out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(body))
	}
	return out
}

func TestCancelSignatureImages(t *testing.T) {
	t.Parallel()
	p := newPartner(t, "sandbox")
	body := letterTo(p.product(t, "Success Society"))
	signed := func(data string) map[string]any {
		return with(body, "signature", map[string]any{"type": "IMAGE", "data": data})
	}
	image := scrawl(t, 400, 120)
	noise := make([]byte, 101<<10)
	copy(noise, image)
	for name, c := range map[string]struct{ data, code string }{
		"no base64":               {marker, "invalid"},
		"base64 for addresses":    {"_-_-", "invalid"},
		"base64 with line breaks": {"iVBO\nRw==", "invalid"},
		"text":                    {base64.StdEncoding.EncodeToString([]byte("Anna Sommer " + marker)), "invalid"},
		"a JPEG":                  {base64.StdEncoding.EncodeToString([]byte("\xff\xd8\xff\xe0\x00\x10JFIF\x00")), "invalid"},
		"half a PNG":              {base64.StdEncoding.EncodeToString(image[:len(image)/2]), "invalid"},
		"a PNG of one pixel":      {base64.StdEncoding.EncodeToString(scrawl(t, 1, 1)[:40]), "invalid"},
		"more than 100 KB":        {base64.StdEncoding.EncodeToString(noise), "invalid"},
		"too many pixels":         {base64.StdEncoding.EncodeToString(scrawl(t, 3001, 100)), "invalid"},
		"a decompression bomb":    {base64.StdEncoding.EncodeToString(bomb(t, 60_000, 60_000)), "invalid"},
		"pixels beyond its size":  {base64.StdEncoding.EncodeToString(bomb(t, 10, 10)), "invalid"},
		"a blank page":            {base64.StdEncoding.EncodeToString(blank(t)), "invalid"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			faults := refused(
				t,
				request{method: http.MethodPost, path: cancellations, header: p.headers(), body: toJSON(t, signed(c.data))},
				422,
				"validation_failed",
			).problem(t).Errors
			require.Len(t, faults, 1)
			assert.Equal(t, []string{"/signature/data", c.code}, []string{faults[0].Pointer, faults[0].Code})
		})
	}
	t.Run("more than any image is a body that is too long", func(t *testing.T) {
		t.Parallel()
		faults := refused(
			t,
			request{
				method: http.MethodPost,
				path:   cancellations,
				header: p.headers(),
				body:   toJSON(t, signed(strings.Repeat("A", 140_004))),
			},
			422,
			"validation_failed",
		).problem(t).Errors
		assert.Equal(t, "/signature/data", faults[0].Pointer)
		refused(
			t,
			request{
				method: http.MethodPost,
				path:   cancellations,
				header: p.headers(),
				body:   toJSON(t, signed(strings.Repeat("A", 300_000))),
			},
			413,
			"payload_too_large",
		)
	})
	t.Run("a hand's signature is in the letter", func(t *testing.T) {
		t.Parallel()
		with, without := p.dryRun(t, signed(base64.StdEncoding.EncodeToString(image))), p.dryRun(t, body)
		assert.Contains(t, string(with.PDF), "/Subtype/Image")
		assert.NotContains(t, string(without.PDF), "/Subtype/Image")
	})
}

// blank is a PNG with nothing on it.
func blank(t *testing.T) []byte {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, 40, 20))
	for i := range m.Pix {
		m.Pix[i] = 0xff
	}
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, m))
	return b.Bytes()
}
