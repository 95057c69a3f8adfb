package letter

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"aviso/internal/cancellation"
)

func TestSubject(t *testing.T) {
	birth := cancellation.Reference{Label: "Geburtsdatum", Value: "1990-02-28", Date: time.Date(1990, 2, 28, 0, 0, 0, 0, time.UTC)}
	child := cancellation.Reference{Label: "Name des Kindes", Value: "Mia"}
	contract := cancellation.Reference{Label: "Vertragsnummer", Value: "V-1", IsNumber: true}
	for name, c := range map[string]struct {
		references []cancellation.Reference
		want       string
	}{
		"shows the number":                {[]cancellation.Reference{contract}, "Kündigung: Turbo 500 – Vertragsnummer V-1"},
		"shows the number only":           {[]cancellation.Reference{birth, child, contract}, "Kündigung: Turbo 500 – Vertragsnummer V-1"},
		"shows no birth date or child":    {[]cancellation.Reference{birth, child}, "Kündigung: Turbo 500"},
		"shows the product alone if bare": {nil, "Kündigung: Turbo 500"},
	} {
		t.Run(name, func(t *testing.T) {
			l := sampleLetter("de-DE")
			l.References = c.references
			d := write(t, l)
			assert.Equal(t, c.want, d.Subject)
			text := textOf(t, d.PDF)
			for _, r := range c.references {
				assert.Contains(t, text, r.Label)
			}
			if len(c.references) > 1 {
				for _, shown := range []string{text, d.Text} {
					assert.Contains(t, shown, "28. Februar 1990")
					assert.NotContains(t, shown, "1990-02-28")
				}
			}
		})
	}
}

func TestMail(t *testing.T) {
	l := sampleLetter("de-DE")
	d := write(t, l)
	assert.Equal(t, "Kündigung: Turbo 500 – Ref-A 4711-0815", d.Subject)
	assert.Equal(t, "Kuendigung.pdf", d.FileName)
	assert.Equal(t, `Sehr geehrte Damen und Herren,

hiermit kündige ich den zwischen uns bestehenden Vertrag „Turbo 500“ ordentlich und fristgerecht zum nächstmöglichen Zeitpunkt, zu dem mir dadurch keine Kosten entstehen. Mein Schreiben vom 20. November 2026 liegt dieser E-Mail als PDF bei.

Ref-A: 4711-0815
Ref-B: V99/2024

Bitte bestätigen Sie mir den Eingang dieser Kündigung und das Datum, zu dem der Vertrag endet, in Textform. Ihre Antwort senden Sie bitte per E-Mail an zoe@mail.example oder per Post an meine Anschrift.

Außerdem verlange ich die Löschung meiner personenbezogenen Daten; Näheres steht im Schreiben.

Mit freundlichen Grüßen

Zoë Ångström
Hauptallee 12
10115 Neustadt
Telefon: +00 555 0102030
E-Mail: zoe@mail.example
`, d.Text)

	t.Run("has only the name if nothing else is known", func(t *testing.T) {
		l := sampleLetter("it-IT")
		l.Sender = cancellation.Sender{Name: "Zoë Ångström"}
		l.References, l.DeleteData = nil, false
		d := write(t, l)
		assert.Equal(t, "Disdetta: Turbo 500", d.Subject)
		assert.Equal(t, `Spettabile Acme Telekom,

con la presente comunico la disdetta e il recesso dal contratto «Turbo 500» in essere con voi, con effetto dalla prima data utile senza costi a mio carico. In allegato trovate, in formato PDF, la mia lettera datata 20 novembre 2026.

Vi chiedo di confermarmi per iscritto la ricezione della presente e la data di cessazione del contratto.

Distinti saluti

Zoë Ångström
`, d.Text)
		text := textOf(t, d.PDF)
		assert.Contains(t, text, "20 novembre 2026", "the date has no place")
		assert.NotContains(t, text, "·", "no return line without an address")
		assert.NotContains(t, text, "Telefono")
	})

	t.Run("is plain text in every locale", func(t *testing.T) {
		w := Writer{}
		for _, locale := range w.Locales() {
			d := write(t, sampleLetter(locale))
			assert.NotContains(t, d.Subject, "\n")
			assert.NotContains(t, d.Text, "\r")
			assert.NotContains(t, d.Text, nbsp)
			assert.NotContains(t, d.Text, "\n\n\n")
			assert.True(t, strings.HasSuffix(d.Text, "@mail.example\n"))
			for _, essential := range []string{"Turbo 500", "4711-0815", "V99/2024", "Zoë Ångström", "2026"} {
				assert.Contains(t, d.Text, essential, locale)
			}
		}
	})

	t.Run("does not replace placeholders in values", func(t *testing.T) {
		l := sampleLetter("de-DE")
		l.Product = "{organization} {date}"
		d := write(t, l)
		assert.Contains(t, d.Text, "„{organization} {date}“")
		assert.Contains(t, textOf(t, d.PDF), "„{organization} {date}“")
	})
}
