package letter

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"
)

// The letters of DIN 91379 that exist only with combining marks, small and capital: registers in Europe have names
// with them.
const sequences = "A\u030B C\u0300 C\u0304 C\u0306 C\u0308 C\u0315 C\u0323 C\u0326 C\u0328\u0306 D\u0302 F\u0300 F\u0304 G\u0300 " +
	"H\u0304 H\u0326 H\u0331 J\u0301 J\u030C K\u0300 K\u0302 K\u0304 K\u0307 K\u0315 K\u031B K\u0326 K\u035FH K\u035Fh L\u0302 " +
	"L\u0325 L\u0325\u0304 L\u0326 M\u0300 M\u0302 M\u0306 M\u0310 N\u0302 N\u0304 N\u0306 N\u0326 P\u0300 P\u0304 P\u0315 P\u0323 " +
	"R\u0306 R\u0325 R\u0325\u0304 S\u0300 S\u0304 S\u031B\u0304 S\u0331 T\u0300 T\u0304 T\u0308 T\u0315 T\u031B U\u0307 Z\u0300 " +
	"Z\u0304 Z\u0306 Z\u0308 Z\u0327 Ç\u0306 Û\u0304 Y\u0308\u0301 Č\u0315 Č\u0323 E\u0304\u030D Ī\u0301 O\u0304\u030D Ž\u0326 Ž\u0327 " +
	"Ḳ\u0304 Ṣ\u0304 Ṭ\u0304 Ạ\u0308 Ọ\u0308 Ụ\u0304 Ụ\u0308"

func TestLettersOfDIN91379ArePrinted(t *testing.T) {
	all := strings.Fields(sequences + " " + strings.ToLower(sequences))
	for len(all) > 0 {
		n := min(len(all), 60)
		l := sampleLetter("de-DE")
		l.Sender.Name = strings.Join(all[:n], "x")
		l.Signature.Text = l.Sender.Name
		text := norm.NFC.String(squeezed(poppler(t, write(t, l).PDF, "pdftotext", "-raw")))
		assert.GreaterOrEqual(t, strings.Count(text, norm.NFC.String(l.Sender.Name)), 3)
		all = all[n:]
	}
}

// Marks touch neither their letter nor each other, except those that belong to its shape.
func TestMarksStandClearOfTheirLetters(t *testing.T) {
	fonts := newSheet().fonts
	for _, f := range fonts {
		for cluster := range strings.FieldsSeq(sequences + " " + strings.ToLower(sequences) + " Ade\u0301ba\u0301yo\u0323\u0300") {
			cluster = firstCluster(norm.NFC.String(cluster))
			all, _ := f.components(cluster)
			covered := f.box(all[0].character)
			for _, c := range all[1:] {
				mark := f.box(c.character)
				mark = box{mark.left + c.x, mark.bottom + c.y, mark.right + c.x, mark.top + c.y}
				attached := strings.ContainsRune("\u0327\u0328\u031B\u0315", c.character)
				assert.True(t, attached || mark.bottom > covered.top || mark.top < covered.bottom, "%s: %+q", f.name, cluster)
				covered = covered.with(mark)
			}
		}
	}
}

// A letter under a heap of marks stays in its line.
func TestMarksDoNotPileUp(t *testing.T) {
	f := newSheet().fonts[regular]
	_, three := f.components("x" + strings.Repeat("\u0301", 3))
	_, many := f.components("x" + strings.Repeat("\u0301", 29))
	assert.Equal(t, three, many)
	l := sampleLetter("de-DE")
	l.Sender.Name = "x" + strings.Repeat("\u0301", 29) + "i\u030B"
	assert.Contains(t, norm.NFC.String(poppler(t, write(t, l).PDF, "pdftotext", "-raw")), "i\u030B")
}

func TestFirstCluster(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a": "a", "ab": "a", "o\u0323\u0300x": "o\u0323\u0300", "é": "é", "\u0301a": "\u0301",
	} {
		require.Equal(t, want, firstCluster(text))
	}
}
