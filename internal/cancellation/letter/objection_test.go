package letter

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/evidence"
)

func TestObjections(t *testing.T) {
	w := Writer{}
	for _, locale := range w.Locales() {
		t.Run(string(locale), func(t *testing.T) {
			l := sampleLetter(locale)
			l.DeleteData = false
			cancelled := write(t, l)
			l.Objection = &cancellation.Objection{
				SentOn:  time.Date(2026, time.February, 20, 9, 0, 0, 0, time.UTC),
				EndedOn: time.Date(2026, time.March, 31, 0, 0, 0, 0, time.UTC),
				SHA256:  "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
				Debits: []cancellation.Debit{
					{TransactionID: "t", Date: "2026-04-04", Amount: "-13.9", Currency: "EUR"},
					{TransactionID: "u", Date: "2026-05-05", Amount: "-1200", Currency: "EUR"},
				},
			}
			d := write(t, l)
			text, words := squeezed(textOf(t, d.PDF)), mustWords(t, locale).Letter
			for _, day := range []time.Time{
				l.Objection.SentOn, l.Objection.EndedOn, l.Objection.Debits[0].Day(), l.Objection.Debits[1].Day(),
			} {
				assert.Contains(t, text, squeezed(words.formatDate(day)))
			}
			point := words.Point
			require.Contains(t, []string{",", "."}, point)
			for _, want := range []string{"13" + point + "90EUR", "1200" + point + "00EUR", l.Objection.SHA256, "14", "Turbo500"} {
				assert.Contains(t, text, want)
			}
			for _, text := range []string{text, d.Subject, d.Text} {
				assert.NotContains(t, text, "{")
				assert.NotContains(t, text, "}")
				assert.NotContains(t, text, "..")
			}
			assert.Contains(t, d.Text, plain(words.formatDate(l.Objection.EndedOn)))
			assert.NotEqual(t, cancelled.Subject, d.Subject)
			assert.NotEqual(t, cancelled.FileName, d.FileName)
			assert.Nil(t, d.Joined)

			l.Enclosed = &evidence.Case{Document: sampleEvidence(locale, "delivered"), Sender: "Zoë Ångström"}
			both := write(t, l)
			assert.Equal(t, both, write(t, l), "the same bytes")
			of := mustWords(t, locale).Objection
			letter, joined := squeezed(textOf(t, both.PDF)), squeezed(textOf(t, both.Joined))
			for _, text := range []string{letter, squeezed(both.Text)} {
				assert.Contains(t, text, squeezed(plain(of.Enclosed)))
				assert.NotContains(t, text, squeezed(plain(of.OnRequest)))
			}
			assert.NotContains(t, text, squeezed(plain(of.Enclosed)))
			assert.Equal(t, letter+squeezed(textOf(t, summarize(t, l.Enclosed.Document))), joined, "the letter, then the evidence")
		})
	}
}

// An answer has what the organization asked for, and says nothing that the first letter has said.
func TestAnswers(t *testing.T) {
	w := Writer{}
	for _, locale := range w.Locales() {
		t.Run(string(locale), func(t *testing.T) {
			l := sampleLetter(locale)
			l.DeleteData = false
			first := write(t, l)
			l.Answers = true
			d := write(t, l)
			words := mustWords(t, locale)
			text := squeezed(textOf(t, d.PDF))
			assert.Contains(t, text, "Turbo500")
			assert.Contains(t, text, squeezed(fill(words.Answer.Notice, "product", l.Product)))
			assert.NotContains(t, text, squeezed(words.Letter.DirectDebit))
			assert.NotEqual(t, first.Subject, d.Subject)
			for _, r := range l.References {
				assert.Contains(t, d.Text, r.Label)
			}
			for _, text := range []string{text, d.Subject, d.Text} {
				assert.NotContains(t, text, "{")
			}
		})
	}
}
