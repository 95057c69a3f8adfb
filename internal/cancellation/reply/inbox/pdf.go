package inbox

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/ledongthuc/pdf"
)

// The limits of a PDF file. Its streams are unpacked before the library reads it, because that has no limit.
const (
	maxPages    = 10
	maxUnpacked = 32 << 20
	maxReading  = 5 * time.Second
)

// pdfText returns the text of a PDF file, line by line. It is empty if the file cannot be read safely.
func pdfText(content []byte) string {
	if !bytes.HasPrefix(content, []byte("%PDF-")) || !unpacks(content) {
		return ""
	}
	done := make(chan string, 1)
	go func() {
		defer func() {
			if recover() != nil { // the library panics on some broken files
				done <- ""
			}
		}()
		r, err := pdf.NewReader(bytes.NewReader(content), int64(len(content)))
		if err != nil {
			done <- ""
			return
		}
		var pages []string
		for i := 1; i <= min(r.NumPage(), maxPages); i++ {
			if page := r.Page(i); !page.V.IsNull() && !page.Resources().IsNull() {
				pages = append(pages, pageText(page.Content().Text))
			}
		}
		done <- strings.Join(pages, "\n\n")
	}()
	timer := time.NewTimer(maxReading)
	defer timer.Stop()
	select {
	case text := <-done:
		return text
	case <-timer.C:
		return ""
	}
}

// unpacks reports whether the streams of a PDF file have a bounded size. Streams that are packed twice are refused.
func unpacks(content []byte) bool {
	left := int64(maxUnpacked)
	for rest := content; ; {
		at := bytes.Index(rest, []byte("stream"))
		if at < 0 {
			return true
		}
		start := max(0, at-300)
		if bytes.Count(rest[start:at], []byte("/FlateDecode")) > 1 && bytes.Contains(rest[start:at], []byte("[")) &&
			twice(rest[start:at]) {
			return false
		}
		rest = rest[at+len("stream"):]
		z, err := zlib.NewReader(bytes.NewReader(bytes.TrimLeft(rest[:min(len(rest), 1<<22)], "\r\n")))
		if err != nil {
			continue
		}
		n, _ := io.Copy(io.Discard, io.LimitReader(z, left))
		if left -= n; left <= 0 {
			return false
		}
	}
}

// twice reports whether one list of filters has the same filter twice.
func twice(dictionary []byte) bool {
	at := bytes.LastIndex(dictionary, []byte("/Filter"))
	if at < 0 {
		return false
	}
	list, _, _ := bytes.Cut(dictionary[at:], []byte("]"))
	return bytes.Count(list, []byte("/FlateDecode")) > 1
}

// pageText joins glyphs to words, lines and paragraphs.
func pageText(glyphs []pdf.Text) string {
	slices.SortStableFunc(glyphs, func(a, b pdf.Text) int {
		if math.Abs(a.Y-b.Y) > 2 {
			return cmp.Compare(b.Y, a.Y)
		}
		return cmp.Compare(a.X, b.X)
	})
	var out strings.Builder
	for i, g := range glyphs {
		if i > 0 {
			last := glyphs[i-1]
			switch down := last.Y - g.Y; {
			case down > 1.9*max(g.FontSize, 6):
				out.WriteString("\n\n")
			case down > 2:
				out.WriteString("\n")
			case g.X-(last.X+last.W) > 0.2*max(g.FontSize, 6) && last.S != " ":
				out.WriteString(" ")
			}
		}
		out.WriteString(g.S)
		if out.Len() > maxText {
			break
		}
	}
	return out.String()
}
