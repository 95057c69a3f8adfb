package letter

import (
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/evidence"
)

var update = flag.Bool("update", false, "rewrite testdata/summary")

func sampleEvidence(locale cancellation.Locale, history string) evidence.Document {
	return evidenceOf(about{
		Locale: string(locale), Organization: "Acme Telekom", Product: "Turbo 500", Email: "service@acme.example",
		Address: "Acme Telekom, Dpt. 7, Ringweg 3, 80331 Altstadt", Fax: "+00 555 0102031",
	}, history)
}

func summarize(t testing.TB, d evidence.Document) []byte {
	t.Helper()
	pdf, err := Summarize(d, "Zoë Ångström")
	require.NoError(t, err)
	return pdf
}

func TestSummaryText(t *testing.T) {
	for _, locale := range []cancellation.Locale{"de-DE", "fr-FR", "it-IT", "pl-PL", "sv-SE"} {
		for _, history := range []string{"bounced", "answered"} {
			got := poppler(t, summarize(t, sampleEvidence(locale, history)), "pdftotext", "-raw")
			file := filepath.Join("testdata", "summary", string(locale)+"-"+history+".txt")
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(got), 0o600))
			}
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			assert.Equal(t, string(want), got, file)
		}
	}
}

// Every history fits, and only one that is longer than any leaves steps out.
func TestSummaryFits(t *testing.T) {
	for _, locale := range (Writer{}).Locales() {
		for _, history := range histories() {
			d := sampleEvidence(locale, history)
			pdf := summarize(t, d)
			if history == "bounced" {
				assert.Equal(t, pdf, summarize(t, d), "the same bytes")
			}
			words := wordsOf(t, pdf)
			pages, left := words[len(words)-1].page, 0
			assert.LessOrEqual(t, pages, maxPages, "%s %s", locale, history)
			steps, headed := map[string]bool{}, map[int]bool{}
			var text strings.Builder
			for _, w := range words {
				text.WriteString(w.text)
				assert.Less(t, w.right, 191.0, "%s %s: %s", locale, history, w.text)
				if w.left < leftMargin+1 && w.top > topMargin && w.foot < bottom {
					steps[w.text] = true
				}
				if w.text == d.Cancellation.ID && w.foot < topMargin {
					headed[w.page] = true
				}
			}
			assert.Len(t, headed, pages, "each page says which cancellation it is about")
			for i := range d.Entries {
				if !steps[strconv.Itoa(i+1)] {
					left++
				}
			}
			assert.Contains(t, text.String(), d.Head.String())
			texts := mustWords(t, locale).Evidence
			more := fill(texts.More, "count", strconv.Itoa(left))
			assert.Equal(t, left > 0, strings.Contains(text.String(), squeezed(more)), "%s %s leaves out %d", locale, history, left)
			assert.Equal(t, history == "endless", left > 0, "%s %s leaves out %d", locale, history, left)
		}
	}
}

// Evidence of an objection says so, and names the cancellation that it belongs to.
func TestSummaryOfObjection(t *testing.T) {
	for _, locale := range (Writer{}).Locales() {
		d := sampleEvidence(locale, "bounced")
		cancelled := squeezed(textOf(t, summarize(t, d)))
		d.Cancellation.ObjectionID = "019d0c5e-6f1a-7c3b-9a52-3f8f2f1d7b61"
		texts := mustWords(t, locale).Evidence
		objected := squeezed(textOf(t, summarize(t, d)))
		for _, want := range []string{
			texts.Objection, texts.ObjectionOrdered, texts.ObjectionID, d.Cancellation.ObjectionID, d.Cancellation.ID,
		} {
			assert.Contains(t, objected, squeezed(want), locale)
		}
		assert.NotContains(t, objected, squeezed(texts.Title), locale)
		assert.Contains(t, cancelled, squeezed(texts.Title), locale)
		assert.NotContains(t, cancelled, squeezed(texts.Objection), locale)
	}
}

// What carriers and catalogues send is not checked before, and this release may not know
// what a later one wrote.
// A reason stands with its article in the facts, and in the first step.
func TestSummaryNamesTheReason(t *testing.T) {
	for _, locale := range (Writer{}).Locales() {
		d := evidenceOf(about{Locale: string(locale), Product: "Turbo", Organization: "Acme", Email: "a@b.example"}, "answered")
		without := mustSummarize(t, d)
		d.Cancellation.Reason = evidence.Reason{Kind: "PriceRise", Date: "2027-03-01", Article: "§ 57 TKG"}
		d.Entries[0].Reason = "PriceRise"
		text := mustSummarize(t, d)
		assert.Contains(t, text, "(§ 57 TKG)", locale)
		assert.NotContains(t, text, "PriceRise", locale)
		assert.Equal(t, 2, strings.Count(text, "2027"), locale)
		assert.NotContains(t, without, mustWords(t, locale).Evidence.Reason, locale)
	}
}

func mustSummarize(t *testing.T, d evidence.Document) string {
	t.Helper()
	pdf, err := Summarize(d, "Zoë Ångström")
	require.NoError(t, err)
	return textOf(t, pdf)
}

func TestSummaryOfTheUnknown(t *testing.T) {
	d := sampleEvidence("de-DE", "delivered")
	d.Cancellation.Organization, d.Cancellation.Product = "", "Ђорђе 😀\u202e漢字"
	e := &d.Entries[len(d.Entries)-1]
	e.Event, e.Actor, e.Channel, e.Reason = "Vanished", "somebody", "Pigeon", "line\nbreak \u0000"
	e.Proofs = []evidence.Proof{{Kind: "feather", Value: "Žluťoučký"}}
	text := textOf(t, summarize(t, d))
	for _, want := range []string{d.Cancellation.OrganizationID, "Ђорђе □□□□", "Vanished", "Pigeon · line□break □", "Žluťoučký"} {
		assert.Contains(t, text, want)
	}
	d.Entries = nil
	_, err := Summarize(d, "Zoë Ångström")
	assert.ErrorContains(t, err, "without steps")
	d.Cancellation.Locale = "xx-XX"
	_, err = Summarize(d, "Zoë Ångström")
	assert.ErrorIs(t, err, ErrLocale)
}

func TestSummaryWithTheLongestValues(t *testing.T) {
	d := sampleEvidence("de-DE", "endless")
	long := strings.Repeat("Åbcdéfghij", MaxLength/10)
	d.Cancellation.Organization, d.Cancellation.Product, d.Cancellation.ExternalID = long, long, long
	for i := range d.Cancellation.Recipients {
		d.Cancellation.Recipients[i].Address = long + long
	}
	pdf, err := Summarize(d, long)
	require.NoError(t, err)
	words := wordsOf(t, pdf)
	assert.LessOrEqual(t, words[len(words)-1].page, maxPages)
}
