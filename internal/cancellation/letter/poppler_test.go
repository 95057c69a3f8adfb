package letter

import (
	"bytes"
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// poppler runs a tool of poppler-utils on the PDF and returns its output.
func poppler(t testing.TB, pdf []byte, tool string, options ...string) string {
	t.Helper()
	path, err := exec.LookPath(tool)
	require.NoError(t, err, "%s is missing: run .ci/need pdftotext, or apt-get install poppler-utils", tool)
	file := filepath.Join(t.TempDir(), "letter.pdf")
	require.NoError(t, os.WriteFile(file, pdf, 0o600))
	args := slices.Concat(options, []string{file})
	if tool == "pdftotext" {
		args = append(args, "-")
	}
	var out, complaints bytes.Buffer
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Stdout, cmd.Stderr = &out, &complaints
	require.NoError(t, cmd.Run(), complaints.String())
	require.Empty(t, complaints.String(), "the PDF is in order")
	return out.String()
}

// textOf returns the text of the PDF in reading order, with white space collapsed.
func textOf(t testing.TB, pdf []byte) string {
	t.Helper()
	return strings.Join(strings.Fields(poppler(t, pdf, "pdftotext", "-raw")), " ")
}

// squeezed removes white space from the text, which rejoins words broken across lines.
func squeezed(text string) string { return strings.Join(strings.Fields(text), "") }

// word is a word and its box in mm from the upper left corner of its page.
type word struct {
	text                   string
	page                   int
	left, top, right, foot float64
}

func wordsOf(t testing.TB, pdf []byte) []word {
	t.Helper()
	var doc struct {
		Pages []struct {
			Words []struct {
				XMin float64 `xml:"xMin,attr"`
				YMin float64 `xml:"yMin,attr"`
				XMax float64 `xml:"xMax,attr"`
				YMax float64 `xml:"yMax,attr"`
				Text string  `xml:",chardata"`
			} `xml:"word"`
		} `xml:"body>doc>page"`
	}
	decoder := xml.NewDecoder(strings.NewReader(poppler(t, pdf, "pdftotext", "-bbox")))
	decoder.Strict = false
	decoder.Entity = xml.HTMLEntity
	require.NoError(t, decoder.Decode(&doc))
	var words []word
	for i, page := range doc.Pages {
		for _, w := range page.Words {
			words = append(words, word{w.Text, i + 1, mm(w.XMin), mm(w.YMin), mm(w.XMax), mm(w.YMax)})
		}
	}
	require.NotEmpty(t, words)
	return words
}
