package letter

import (
	"crypto/sha256"
	"encoding/xml"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
)

// sampleLetter returns a letter with everything except an image.
func sampleLetter(locale cancellation.Locale) cancellation.Letter {
	return cancellation.Letter{
		Locale: locale, Date: time.Date(2026, time.November, 20, 15, 4, 5, 0, time.UTC),
		Sender: cancellation.Sender{
			Name: "Zoë Ångström", Street: "Hauptallee 12", PostalCode: "10115", City: "Neustadt",
			Email: "zoe@mail.example", PhoneNumber: "+00 555 0102030",
		},
		Organization: "Acme Telekom",
		Address: cancellation.PostalAddress{
			Recipient: []string{"Acme Telekom", "Dpt. 7"}, Street: "Ringweg 3", PostalCode: "80331", City: "Altstadt",
			CountryCode: locale.Country(),
		},
		Product:    "Turbo 500",
		References: []cancellation.Reference{{Label: "Ref-A", Value: "4711-0815", IsNumber: true}, {Label: "Ref-B", Value: "V99/2024"}},
		DeleteData: true, Signature: cancellation.Signature{Text: "Z. Ångström"},
	}
}

func write(t testing.TB, l cancellation.Letter) cancellation.Document {
	t.Helper()
	d, err := Writer{}.Write(l)
	require.NoError(t, err)
	return d
}

// That letters can be written side by side is tested in cancellationfn.
func TestWriteIsDeterministic(t *testing.T) {
	w := Writer{}
	withImage := sampleLetter("de-DE")
	withImage.Signature = cancellation.Signature{Image: scribble(t, 600, 200)}
	for name, l := range map[string]cancellation.Letter{"typed": sampleLetter("fr-FR"), "image": withImage} {
		t.Run(name, func(t *testing.T) {
			want, err := w.Write(l)
			require.NoError(t, err)

			t.Run("with another writer and at another hour", func(t *testing.T) {
				later := l
				later.Date = l.Date.Add(5 * time.Hour)
				again, err := Writer{}.Write(later)
				require.NoError(t, err)
				assert.Equal(t, sha256.Sum256(want.PDF), sha256.Sum256(again.PDF))
				assert.Equal(t, want.Text, again.Text)
			})
		})
	}
}

func TestWriteDoesNotChangeTheLetter(t *testing.T) {
	l := sampleLetter("de-DE")
	l.Address.Recipient[1] = "Abt.\u00A07"
	l.References[0].Value = "47 \u2009 11"
	write(t, l)
	assert.Equal(t, "Abt.\u00A07", l.Address.Recipient[1])
	assert.Equal(t, "47 \u2009 11", l.References[0].Value)
}

func TestWriteRejectsInvalidLetters(t *testing.T) {
	w := Writer{}
	for name, test := range map[string]struct {
		change func(*cancellation.Letter)
		want   error
	}{
		"an unknown locale":  {func(l *cancellation.Letter) { l.Locale = "eo-DE" }, ErrLocale},
		"no locale":          {func(l *cancellation.Letter) { l.Locale = "" }, ErrLocale},
		"an unknown country": {func(l *cancellation.Letter) { l.Address.CountryCode = "AQ" }, ErrCountry},
		"no date":            {func(l *cancellation.Letter) { l.Date = time.Time{} }, ErrIncomplete},
		"no sender":          {func(l *cancellation.Letter) { l.Sender.Name = " " }, ErrIncomplete},
		"no organization":    {func(l *cancellation.Letter) { l.Organization = "" }, ErrIncomplete},
		"no product":         {func(l *cancellation.Letter) { l.Product = "" }, ErrIncomplete},
		"no signature":       {func(l *cancellation.Letter) { l.Signature.Text = "" }, ErrIncomplete},
		"two signatures":     {func(l *cancellation.Letter) { l.Signature.Image = []byte("x") }, ErrIncomplete},
		"a value too long":   {func(l *cancellation.Letter) { l.Sender.City = strings.Repeat("ä", MaxLength+1) }, cancellation.ErrTooLong},
		"an address too long": {func(l *cancellation.Letter) {
			l.Address.Street = strings.Repeat("W", 200)
			l.Address.City = l.Address.Street
			l.Address.Recipient[0] = l.Address.Street
		}, ErrAddressTooLong},
		"a document too large": {func(l *cancellation.Letter) { l.References = manyReferences(2000) }, ErrTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			l := sampleLetter("de-DE")
			test.change(&l)
			d, err := w.Write(l)
			assert.ErrorIs(t, err, test.want)
			assert.Nil(t, d.PDF)
			if err != nil {
				assert.NotContains(t, err.Error(), "Ångström", "errors must not contain personal data")
			}
		})
	}

	t.Run("an unprintable character in any text", func(t *testing.T) {
		for name, change := range textsOf() {
			l := sampleLetter("de-DE")
			l.Email, l.Fax = "a@mail.example", "+49301"
			change(&l, "a\U0001F600b")
			_, err := w.Write(l)
			var unprintable *cancellation.UnprintableError
			if assert.ErrorAs(t, err, &unprintable, name) {
				assert.Equal(t, "U+1F600", unprintable.Name, name)
			}
		}
	})
}

// manyReferences returns references that do not compress well.
func manyReferences(n int) []cancellation.Reference {
	random := rand.New(rand.NewPCG(5, 6))
	references := make([]cancellation.Reference, n)
	for i := range references {
		value := make([]byte, MaxLength)
		for k := range value {
			value[k] = byte('!' + random.IntN('~'-'!'))
		}
		references[i] = cancellation.Reference{Label: "Nr.", Value: string(value)}
	}
	return references
}

// textsOf returns a setter for each text of a letter.
func textsOf() map[string]func(*cancellation.Letter, string) {
	return map[string]func(*cancellation.Letter, string){
		"name":                    func(l *cancellation.Letter, s string) { l.Sender.Name = s },
		"street":                  func(l *cancellation.Letter, s string) { l.Sender.Street = s },
		"postal code":             func(l *cancellation.Letter, s string) { l.Sender.PostalCode = s },
		"city":                    func(l *cancellation.Letter, s string) { l.Sender.City = s },
		"email":                   func(l *cancellation.Letter, s string) { l.Sender.Email = s },
		"mailbox":                 func(l *cancellation.Letter, s string) { l.Sender.Email, l.Mailbox = "", s },
		"phone":                   func(l *cancellation.Letter, s string) { l.Sender.PhoneNumber = s },
		"product":                 func(l *cancellation.Letter, s string) { l.Product = s },
		"label":                   func(l *cancellation.Letter, s string) { l.References[1].Label = s },
		"value":                   func(l *cancellation.Letter, s string) { l.References[1].Value = s },
		"signature":               func(l *cancellation.Letter, s string) { l.Signature.Text = s },
		"recipient":               func(l *cancellation.Letter, s string) { l.Address.Recipient[1] = s },
		"recipient's street":      func(l *cancellation.Letter, s string) { l.Address.Street = s },
		"recipient's postal code": func(l *cancellation.Letter, s string) { l.Address.PostalCode = s },
		"recipient's city":        func(l *cancellation.Letter, s string) { l.Address.City = s },
		"organization": func(l *cancellation.Letter, s string) {
			l.Address, l.Organization = cancellation.PostalAddress{}, s
		},
		"recipient's email": func(l *cancellation.Letter, s string) { l.Address, l.Email = cancellation.PostalAddress{}, s },
		"recipient's fax":   func(l *cancellation.Letter, s string) { l.Address, l.Fax = cancellation.PostalAddress{}, s },
	}
}

func TestWriteDescribesTheDocument(t *testing.T) {
	d := write(t, sampleLetter("pl-PL"))
	info := poppler(t, d.PDF, "pdfinfo", "-rawdates")
	for _, want := range []string{
		"Title:           Wypowiedzenie umowy: Turbo 500\n",
		"Subject:         Wypowiedzenie umowy: Turbo 500 – Ref-A 4711-0815\n", "Author:          Zoë Ångström\n",
		"Producer:        Aviso\n", "CreationDate:    D:20261120000000\n", "ModDate:         D:20261120000000\n",
		"Pages:           1\n", "(A4)",
	} {
		assert.Contains(t, info, want)
	}
	assert.Contains(t, string(streamsOf(t, d.PDF, "/ObjStm")[0]), "/Lang (pl-PL)")
	metadata := string(streamsOf(t, d.PDF, "/Metadata")[0])
	assert.Contains(t, metadata, "Wypowiedzenie umowy: Turbo 500 – Ref-A 4711-0815")
	assert.Contains(t, metadata, "<xmp:CreateDate>2026-11-20T00:00:00Z<")
	l := sampleLetter("pl-PL")
	l.Product = "A&B <1> ]]>"
	assert.NoError(t, xml.Unmarshal(streamsOf(t, write(t, l).PDF, "/Metadata")[0], new(any)))
}

// Programs that read a letter aloud get each paragraph in one piece, and no page numbers.
func TestWriteTagsTheText(t *testing.T) {
	l := sampleLetter("de-DE")
	l.References = append(l.References, manyReferences(40)...)
	l.Signature = cancellation.Signature{Image: scribble(t, 600, 200)}
	d := write(t, l)
	read := poppler(t, d.PDF, "pdfinfo", "-struct-text")
	for _, want := range []string{
		"  H1 (block)\n    \"Kündigung: Turbo 500 – Ref-A 4711-0815\"\n",
		"  P (block)\n    \"Ref-B\"\n  P (block)\n    \"V99/2024\"\n",
		"    \"hiermit kündige ich den zwischen uns bestehenden Vertrag „Turbo 500“ ordentlich und fristgerecht zum " +
			"nächstmöglichen Zeitpunkt, zu dem mir dadurch keine Kosten entstehen. Sollte",
		"  Figure\n",
	} {
		assert.Contains(t, read, want)
	}
	assert.NotContains(t, read, "Seite 1")
	assert.Contains(t, string(streamsOf(t, d.PDF, "/ObjStm")[0]), "/Alt"+pdfText(l.Sender.Name))
}

func TestWriteIsSmall(t *testing.T) {
	w := Writer{}
	largest := 0
	for _, locale := range w.Locales() {
		d, err := w.Write(sampleLetter(locale))
		require.NoError(t, err)
		largest = max(largest, len(d.PDF))
	}
	t.Logf("largest letter without an image: %d bytes", largest)
	assert.Less(t, largest, 30_000)

	t.Run("with every printable character", func(t *testing.T) {
		l := sampleLetter("de-DE")
		all := []rune(string(everyPrintable(t)))
		for len(all) > 0 {
			n := min(len(all), 250)
			l.References = append(l.References, cancellation.Reference{Label: "Nr.", Value: string(all[:n])})
			all = all[n:]
		}
		d, err := w.Write(l)
		require.NoError(t, err)
		t.Logf("letter with every character: %d bytes", len(d.PDF))
		assert.Less(t, len(d.PDF), 150_000)
	})
}

func BenchmarkWrite(b *testing.B) {
	w := Writer{}
	l := sampleLetter("de-DE")
	for b.Loop() {
		if _, err := w.Write(l); err != nil {
			b.Fatal(err)
		}
	}
}
