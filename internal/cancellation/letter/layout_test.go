package letter

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/internal/cancellation"
)

// inFrenchWindow returns the words that the window of a French envelope shows, wherever the
// sheet is in it.
func inFrenchWindow(t *testing.T, words []word) string {
	t.Helper()
	var texts []string
	for _, w := range words {
		if w.page != 1 || w.right < 90 || w.foot < 44 || w.top > 85 {
			continue
		}
		assert.GreaterOrEqual(t, w.left, 100.0, w.text)
		assert.LessOrEqual(t, w.right, 190.0, w.text)
		assert.GreaterOrEqual(t, w.top, 55.0-0.1, w.text)
		assert.LessOrEqual(t, w.foot, 79.0, w.text)
		texts = append(texts, w.text)
	}
	return strings.Join(texts, " ")
}

// inWindow returns the words in the recipient's part of the address field.
func inWindow(t *testing.T, words []word) string {
	t.Helper()
	var texts []string
	for _, w := range words {
		if w.page != 1 || w.left >= 105 || w.top < 62 || w.top >= 90 {
			continue
		}
		assert.GreaterOrEqual(t, w.left, 25.0-0.1, w.text)
		assert.LessOrEqual(t, w.right, 105.0, w.text)
		assert.GreaterOrEqual(t, w.top, 62.7, w.text)
		assert.LessOrEqual(t, w.foot, 90.0, w.text)
		texts = append(texts, w.text)
	}
	return strings.Join(texts, " ")
}

func TestRecipientIsInTheWindow(t *testing.T) {
	for _, locale := range (Writer{}).Locales() {
		t.Run(string(locale), func(t *testing.T) {
			l := sampleLetter(locale)
			l.Address.CountryCode = "LU"
			d := write(t, l)
			words := wordsOf(t, d.PDF)
			assert.Equal(t, locale == "fr-FR", d.AddressOnTheRight)
			if d.AddressOnTheRight {
				assert.Regexp(t, `^Acme Telekom Dpt\. 7 Ringweg 3 80331 Altstadt L\p{Lu}+$`, inFrenchWindow(t, words))
				return
			}
			assert.Regexp(t, `^Acme Telekom Dpt\. 7 Ringweg 3 80331 Altstadt L[UK]\p{Lu}+$`, inWindow(t, words))

			var beside, above, between []word
			street := 0
			for _, w := range words {
				switch {
				case w.left < 25-0.1 || w.right > 190+0.1 || w.foot > 297-20:
					beside = append(beside, w)
				case w.left < 105 && w.top < 45:
					above = append(above, w)
				case w.left < 105 && w.top >= 90 && w.top < 98.46:
					between = append(between, w)
				}
				if w.text == "Hauptallee" {
					street++
				}
			}
			assert.Empty(t, beside, "nothing is in the margins")
			assert.Empty(t, above, "the return line is in the address field as well")
			assert.Empty(t, between, "the text begins below the field")
			assert.Equal(t, 2, street, "in the sender's block and in the return line")
		})
	}
}

func TestRecipient(t *testing.T) {
	german := func(change func(*cancellation.Letter)) string {
		l := sampleLetter("de-DE")
		change(&l)
		return inWindow(t, wordsOf(t, write(t, l).PDF))
	}

	t.Run("has no country in a domestic letter", func(t *testing.T) {
		assert.Equal(t, "Acme Telekom Dpt. 7 Ringweg 3 80331 Altstadt", german(func(*cancellation.Letter) {}))
	})
	t.Run("has the country in capitals in a letter abroad", func(t *testing.T) {
		assert.Equal(t, "Acme Telekom Dpt. 7 Ringweg 3 80331 Altstadt ÖSTERREICH", german(func(l *cancellation.Letter) {
			l.Address.CountryCode = "AT"
		}))
	})
	t.Run("follows the custom of the country", func(t *testing.T) {
		assert.Equal(t, "Acme Telekom Dpt. 7 Ringweg 3 LEEDS LS1 4AP VEREINIGTES KÖNIGREICH", german(func(l *cancellation.Letter) {
			l.Address.City, l.Address.PostalCode, l.Address.CountryCode = "Leeds", "LS1 4AP", "GB"
		}))
		assert.Equal(t, "Acme Telekom Dpt. 7 Ringweg 3 Dublin 2 D02 XY45 IRLAND", german(func(l *cancellation.Letter) {
			l.Address.City, l.Address.PostalCode, l.Address.CountryCode = "Dublin 2", "D02 XY45", "IE"
		}))
		assert.Equal(t, "Acme Telekom Dpt. 7 Ringweg 3 Reno NV 89501 VEREINIGTE STAATEN", german(func(l *cancellation.Letter) {
			l.Address.City, l.Address.PostalCode, l.Address.CountryCode = "Reno NV", "89501", "US"
		}))
	})
	t.Run("has no street if the postal code is enough", func(t *testing.T) {
		assert.Equal(t, "Acme Telekom Dpt. 7 53250 Bonn", german(func(l *cancellation.Letter) {
			l.Address.Street, l.Address.PostalCode, l.Address.City = "", "53250", "Bonn"
		}))
	})
	t.Run("has e-mail and fax if there is no address", func(t *testing.T) {
		assert.Equal(t, "Acme Telekom Per E-Mail: a@mail.example Per Telefax: +4930123", german(func(l *cancellation.Letter) {
			l.Address, l.Email, l.Fax = cancellation.PostalAddress{}, "a@mail.example", "+4930123"
		}))
	})
	t.Run("fits seven lines", func(t *testing.T) {
		assert.Equal(t, "Acme Telekom Dpt. 7 Dpt. 8 Ringweg 3 LEEDS LS1 4AP VEREINIGTES KÖNIGREICH", german(func(l *cancellation.Letter) {
			l.Address.Recipient = append(l.Address.Recipient, "Dpt. 8")
			l.Address.City, l.Address.PostalCode, l.Address.CountryCode = "Leeds", "LS1 4AP", "GB"
		}))
	})
	t.Run("wraps long lines", func(t *testing.T) {
		got := german(func(l *cancellation.Letter) {
			l.Address.Recipient = []string{strings.Repeat("Gesellschaft ", 10), strings.Repeat("Abteilung ", 8), "Kundenservice"}
			l.Address.Street = "Straße-des-Siebzehnten-Juni-und-so-weiter-und-so-fort 1234567890"
			l.Address.CountryCode = "CH"
		})
		assert.Equal(t, 10, strings.Count(got, "Gesellschaft"))
		assert.Equal(t, 8, strings.Count(got, "Abteilung"))
		assert.Contains(
			t, squeezed(got),
			"KundenserviceStraße-des-Siebzehnten-Juni-und-so-weiter-und-so-fort123456789080331AltstadtSCHWEIZ",
		)
	})
}

func TestLongValuesAreCompleteAndWithinTheMargins(t *testing.T) {
	w := Writer{}
	// These differ in what they do with values.
	for _, locale := range []cancellation.Locale{"de-DE", "en-GB", "it-IT"} {
		for _, fill := range []string{"W", "—", "Ǻ", "i"} {
			t.Run(fmt.Sprint(locale, fill), func(t *testing.T) {
				l := sampleLetter(locale)
				values := map[string]*string{
					"n": &l.Sender.Name, "s": &l.Sender.Street, "c": &l.Sender.City, "p": &l.Sender.PostalCode,
					"e": &l.Sender.Email, "t": &l.Sender.PhoneNumber, "o": &l.Product, "g": &l.Signature.Text,
					"a": &l.References[0].Label, "b": &l.References[0].Value,
				}
				for mark, value := range values {
					*value = mark + "0" + strings.Repeat(fill, MaxLength-4) + "1" + mark
				}
				for range 30 {
					l.References = append(l.References, cancellation.Reference{Label: "Ref-C", Value: strings.Repeat("ab ", 90) + "c"})
				}
				d, err := w.Write(l)
				require.NoError(t, err)
				text := squeezed(poppler(t, d.PDF, "pdftotext"))
				for _, value := range values {
					assert.Contains(t, strings.ToLower(text), strings.ToLower(*value), (*value)[:2])
				}
				assert.Equal(t, 30, strings.Count(text, strings.Repeat("ab", 90)+"c"))
				last := 0
				for _, w := range wordsOf(t, d.PDF) {
					if w.left < 25-0.1 || w.right > 190+0.1 || w.top < 18 || w.foot > 297-10 {
						assert.Fail(t, "in a margin", "%+v", w)
					}
					last = w.page
				}
				assert.Greater(t, last, 1)
				assert.Contains(t, text, fmt.Sprintf("%d", last))
			})
		}
	}
}

func TestPagesAreNumberedFromTwoPagesOn(t *testing.T) {
	l := sampleLetter("sv-SE")
	for range 40 {
		l.References = append(l.References, l.References[0])
	}
	text := textOf(t, write(t, l).PDF)
	assert.Contains(t, text, "Sida 1 av 2")
	assert.Contains(t, text, "Sida 2 av 2")
	assert.NotContains(t, textOf(t, write(t, sampleLetter("sv-SE")).PDF), "Sida")
}

// linesOf returns the lines of text on the page, of the left and of the right column.
func linesOf(t *testing.T, l cancellation.Letter) []string {
	t.Helper()
	type place struct{ right, top int }
	var order []place
	lines := map[place][]string{}
	for _, w := range wordsOf(t, write(t, l).PDF) {
		at := place{top: int(w.top)}
		if w.left >= columnLeft-0.1 && w.top < fieldBottom {
			at.right = 1
		}
		if lines[at] == nil {
			order = append(order, at)
		}
		lines[at] = append(lines[at], w.text)
	}
	var joined []string
	for _, at := range order {
		joined = append(joined, strings.Join(lines[at], " "))
	}
	return joined
}

func TestLongNamesBreakWell(t *testing.T) {
	for name, c := range map[string]struct {
		locale cancellation.Locale
		change func(*cancellation.Letter)
		want   []string
	}{
		"a house number stays with its street": {
			"fr-CH", func(l *cancellation.Letter) { l.Sender.Street = "Chemin de la Croix-de-Rive-au-Grand-Pré 12" },
			[]string{"Chemin de la Croix-de-Rive-au-Grand-Pré 12"},
		},
		"a legal form stays with its company": {
			"en-IE", func(l *cancellation.Letter) {
				l.Address.Recipient[0] = "Irish Agricultural Wholesale Society Broadband Ltd"
			},
			[]string{"Irish Agricultural Wholesale Society Broadband Ltd"},
		},
		"a word that is too long shrinks by itself": {
			"en-GB", func(l *cancellation.Letter) {
				l.Sender.City = "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch"
			},
			[]string{"LLANFAIRPWLLGWYNGYLLGOGERYCHWYRNDROBWLLLLANTYSILIOGOGOGOCH", "Hauptallee 12"},
		},
		"a typed signature takes one line": {
			"de-DE", func(l *cancellation.Letter) {
				l.Signature.Text = "Karl-Eduard Leutheusser-Schnarrenberger zu Hohenlohe-Waldenburg-Schillingsfürst"
			},
			[]string{"Karl-Eduard Leutheusser-Schnarrenberger zu Hohenlohe-Waldenburg-Schillingsfürst"},
		},
		"a number stays together in the subject": {
			"sv-SE", func(l *cancellation.Letter) {
				l.Product = "Bostadsrättsförsäkring med självriskreducering"
				l.References[0] = cancellation.Reference{Label: "Kundnummer", Value: "4711 0815 23", IsNumber: true}
			},
			[]string{"Kundnummer 4711 0815 23"},
		},
		"a house number follows its street to the next line": {
			"da-DK", func(l *cancellation.Letter) { l.Sender.Street = "Christian den Tiendes Boulevard-Sidegade 114, 3. tv." },
			[]string{"Christian den Tiendes Boulevard-", "Sidegade 114, 3. tv."},
		},
		"no word of a city is alone": {
			"it-IT", func(l *cancellation.Letter) {
				l.Sender.PostalCode, l.Sender.City = "65020", "San Valentino in Abruzzo Citeriore Superiore PE"
			},
			[]string{"65020 San Valentino in Abruzzo Citeriore", "Superiore PE"},
		},
		"no line begins with a separator": {
			"fr-FR", func(l *cancellation.Letter) {
				l.Sender.Name = "Anne-Élisabeth de La Rochefoucauld-Liancourt de Clermont-Tonnerre"
				l.Sender.Street = "Avenue du Maréchal-de-Lattre-de-Tassigny"
				l.Product = "Électricité verte à prix variable avec compteur bihoraire"
			},
			nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := sampleLetter(c.locale)
			c.change(&l)
			lines := linesOf(t, l)
			for _, want := range c.want {
				assert.Contains(t, lines, want)
			}
			for _, line := range lines {
				assert.NotRegexp(t, "^[·–]", line)
			}
		})
	}

	t.Run("a word that is too long leaves the others as they are", func(t *testing.T) {
		l := sampleLetter("en-GB")
		l.Sender.City = "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch"
		for _, w := range wordsOf(t, write(t, l).PDF) {
			if w.text == "Hauptallee" && w.left > columnLeft-0.1 {
				assert.Greater(t, w.foot-w.top, mm(7.5))
			}
		}
	})
}

func TestWrap(t *testing.T) {
	measure := func(s string) float64 { return float64(len([]rune(s))) }
	for text, want := range map[string][]string{
		"":                      {""},
		"one two three":         {"one two", "three"},
		"exactly-8 a":           {"exactly-", "8 a"},
		"a Ab-Cdefgh":           {"a Ab-", "Cdefgh"},
		"4711-0815-23":          {"4711-081", "5-23"},
		"a abcdefghijklmnopq b": {"a", "abcdefgh", "ijklmnop", "q b"},
		"äöüäöüäöü":             {"äöüäöüäö", "ü"},
	} {
		lines := wrap(text, 8, measure)
		assert.Equal(t, want, lines, text)
	}

	t.Run("loses no text and is never too wide", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			text := rapid.StringMatching(`[a-zß€ -]{0,200}`).Draw(t, "text")
			width := float64(rapid.IntRange(1, 40).Draw(t, "width"))
			lines := wrap(strings.Join(strings.Fields(text), " "), width, measure)
			assert.Equal(t, squeezed(text), squeezed(strings.Join(lines, " ")))
			for _, line := range lines {
				assert.LessOrEqual(t, measure(line), width)
			}
		})
	})

	t.Run("breaks after each character if nothing fits", func(t *testing.T) {
		assert.Equal(t, []string{"a", "b"}, wrap("ab", 0.5, measure))
	})

	t.Run("breaks at a hyphen, and inside a word only if that is not enough", func(t *testing.T) {
		assert.Equal(t, []string{"Müller-", "Lüdenscheidt"}, wrap("Müller-Lüdenscheidt", 14, measure))
		assert.Equal(t, []string{"Müller-", "Lüdenschei", "dt"}, wrap("Müller-Lüdenscheidt", 10, measure))
	})
}

func TestFitted(t *testing.T) {
	s := newSheet()
	const text = "Herr Müller-Lüdenscheidt"
	f := s.fitted(text, 10, face{regular, 12}, 4)
	assert.Less(t, f.size, 12.0)
	assert.Equal(t, []string{"Herr Müller-", "Lüdenscheidt"}, s.lines(text, 10, f))
	f.size += 0.2
	assert.NotContains(t, s.lines(text, 10, f), "Lüdenscheidt", "it is the largest")
	assert.InDelta(t, 4, s.fitted(text, 1, face{regular, 12}, 4).size, 0, "but not too small")
	assert.InDelta(t, 12, s.fitted(text, 100, face{regular, 12}, 4).size, 0)
}

func TestLongNamesBreakAtHyphens(t *testing.T) {
	for _, name := range []string{
		"Freifrau Karoline von und zu Hohenlohe-Waldenburg-Schillingsfürst",
		"Maximiliane-Alexandra Wolfeschlegelsteinhausenbergerdorff", "Donaudampfschifffahrtsgesellschaftskapitänswitwe",
	} {
		l := sampleLetter("de-DE")
		l.Sender.Name = name
		l.Address.Recipient = []string{name}
		var printed []string
		for _, w := range wordsOf(t, write(t, l).PDF) {
			printed = append(printed, w.text)
		}
		parts := strings.FieldsFunc(strings.ReplaceAll(name, "-", "- "), func(r rune) bool { return r == ' ' })
		text := strings.ReplaceAll(strings.Join(printed, " "), "-", "- ")
		found := strings.Count(strings.Join(strings.Fields(text), " "), strings.Join(parts, " "))
		assert.GreaterOrEqual(t, found, 4, "sender, return line, recipient and signature in %s", text)
	}
}

func TestPostcodes(t *testing.T) {
	for _, c := range []struct{ country, sent, want string }{
		{"PL", "30001", "30-001"}, {"PL", "30 001", "30-001"}, {"PL", "30-001", "30-001"}, {"PL", "300010", "300010"},
		{"CZ", "11000", "110 00"}, {"SK", "81101", "811 01"}, {"SE", "11455", "114 55"}, {"GR", "10558", "105 58"},
		{"NL", "1012ab", "1012 AB"}, {"PT", "1100148", "1100-148"}, {"PT", "1100", "1100"},
		{"GB", "sw1a1aa", "SW1A 1AA"}, {"GB", "M11AE", "M1 1AE"}, {"GB", "EC1A 1BB", "EC1A 1BB"},
		{"IE", "A65F4E2", "A65 F4E2"}, {"MT", "VLT1117", "VLT 1117"}, {"LV", "LV1010", "LV-1010"}, {"LT", "LT01100", "LT-01100"},
		{"DE", "10115", "10115"}, {"CH", "8001", "8001"}, {"DE", "10 115", "10 115"},
	} {
		assert.Equal(t, c.want, postcode(c.country, c.sent), c.country)
	}
	l := sampleLetter("pl-PL")
	l.Sender.PostalCode, l.Sender.City = "30001", "Kraków"
	assert.Contains(t, textOf(t, write(t, l).PDF), "30-001 Kraków")
}

func TestLetterToSignByHand(t *testing.T) {
	l := sampleLetter("de-DE")
	l.Signature, l.SignByHand = cancellation.Signature{}, true
	signed := sampleLetter("de-DE")
	signed.Signature.Text = "Signed"
	pdf := write(t, l).PDF
	text := textOf(t, pdf)
	assert.Equal(t, strings.Replace(textOf(t, write(t, signed).PDF), " Signed ", " ", 1), text)
	name := wordsOf(t, pdf)
	closing := name[len(name)-3]
	require.Equal(t, "Grüßen", closing.text)
	assert.Greater(t, name[len(name)-1].top-closing.foot, 20.0, "there is room to sign")
}

func TestPaginate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := make([]row, rapid.IntRange(1, 200).Draw(t, "rows"))
		for i := range rows {
			rows[i] = row{
				gap: rapid.Float64Range(0, 20).Draw(t, "gap"), height: rapid.Float64Range(1, 60).Draw(t, "height"),
				tied: i > 0 && rapid.IntRange(0, 3).Draw(t, "tied") > 0, runs: []run{{text: fmt.Sprint(i)}},
			}
		}
		start := rapid.Float64Range(textTop, bottom+20).Draw(t, "start")
		pages := paginate(rows, start)

		i := 0
		for n, page := range pages {
			assert.True(t, n == 0 || len(page) > 0, "only the first page may be empty")
			y := topMargin
			if n == 0 {
				y = start
			}
			for k, p := range page {
				assert.Equal(t, fmt.Sprint(i), p.runs[0].text, "rows must be complete and in order")
				assert.GreaterOrEqual(t, p.y, y-1e-9, "rows must not overlap")
				assert.LessOrEqual(t, p.y+p.height, bottom+1e-9)
				if n > 0 && k == 0 && p.tied {
					first := i
					for rows[first].tied {
						first--
					}
					end := i
					for end < len(rows) && (end == first || rows[end].tied) {
						end++
					}
					assert.Greater(t, height(rows[first:end], true), bottom-topMargin, "tied rows are separated only if no page holds them")
				}
				y = p.y + p.height
				i++
			}
		}
		assert.Equal(t, len(rows), i)
	})
}

func TestLastLineHasMoreThanOneWord(t *testing.T) {
	wide := func(string) bool { return true }
	lines := []string{"one two three four", "five"}
	avoidSingleWord(lines, wide)
	assert.Equal(t, []string{"one two three", "four five"}, lines)

	for _, kept := range [][]string{{"one"}, {"one two three", "four"}, {"one two three four", "five six"}} {
		same := append([]string(nil), kept...)
		avoidSingleWord(same, wide)
		assert.Equal(t, kept, same)
	}
	lines = []string{"one two three four", "five"}
	avoidSingleWord(lines, func(string) bool { return false })
	assert.Equal(t, []string{"one two three four", "five"}, lines)
}

// The import accepts three recipient lines and a street of 50 characters each, a postal
// code of 12 and a city of 37. They must fit the window in the widest letters, with the
// longest country name, and in Britain, where the postal code has its own line.
func TestEveryAddressOfTheCatalogueFits(t *testing.T) {
	s := newSheet()
	for _, letters := range []string{"W", "Œ", "M W", "Љ", "Ю", "m"} {
		line := func(n int) string { return strings.TrimSpace(string([]rune(strings.Repeat(letters, n))[:n])) }
		for _, locale := range (Writer{}).Locales() {
			words := mustWords(t, locale).Letter
			longest := slices.MaxFunc(
				slices.Collect(maps.Keys(words.Countries)),
				func(a, b string) int { return len(words.Countries[a]) - len(words.Countries[b]) },
			)
			for _, country := range []string{longest, "GB"} {
				c := composer{words: words, letter: cancellation.Letter{Locale: locale, Address: cancellation.PostalAddress{
					Recipient: []string{line(50), line(50), line(50)}, Street: line(50),
					PostalCode: strings.Repeat("W", 12), City: line(37), CountryCode: country,
				}}}
				_, err := c.recipientRows(s)
				assert.NoError(t, err, "%q in %s to %s", letters, locale, country)
			}
		}
	}
}
