package letter

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/deadline"
	"aviso/internal/cancellation/evidence"
)

// wanted is what letters say.
var wanted = func() (w struct {
	// Own are words that only the language has.
	Own map[string][]string
	// Says lists what is specific to the letters of a locale: law, payment, date, salutation and closing.
	Says map[cancellation.Locale][]string
	// Ends are what letters and e-mails say if they name 1 January 2027 as the end.
	Ends map[cancellation.Locale]string
}) {
	text, err := os.ReadFile("testdata/words.json")
	if err == nil {
		err = json.Unmarshal(text, &w)
	}
	if err != nil {
		panic(err)
	}
	return w
}()

func TestLettersNameTheEnd(t *testing.T) {
	require.Len(t, wanted.Ends, len(wanted.Says))
	for locale, want := range wanted.Ends {
		t.Run(string(locale), func(t *testing.T) {
			l := sampleLetter(locale)
			earliest := write(t, l)
			l.End = time.Date(2027, time.January, 1, 0, 0, 0, 0, time.UTC)
			d := write(t, l)
			for name, text := range map[string]string{"letter": textOf(t, d.PDF), "e-mail": d.Text} {
				assert.Contains(t, text, want, name)
				assert.Contains(t, text, "Turbo 500", name)
			}
			assert.NotContains(t, textOf(t, earliest.PDF)+earliest.Text, "2027")
			assert.Equal(t, earliest.Subject, d.Subject)
		})
	}
}

var letters = regexp.MustCompile(`\p{L}+`)

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range letters.FindAllString(strings.ToLower(text), -1) {
		set[w] = true
	}
	return set
}

func TestLettersUseTheirLanguage(t *testing.T) {
	w := Writer{}
	require.Len(t, wanted.Says, len(w.Locales()))
	for _, locale := range w.Locales() {
		t.Run(string(locale), func(t *testing.T) {
			d := write(t, sampleLetter(locale))
			text := textOf(t, d.PDF)
			require.NotEmpty(t, wanted.Says[locale])
			for _, want := range wanted.Says[locale] {
				assert.Contains(t, text, want)
			}
			for name, text := range map[string]string{"letter": text, "e-mail": d.Text} {
				words := wordSet(text)
				for language, foreign := range wanted.Own {
					if language == locale.Language() {
						continue
					}
					for _, word := range foreign {
						assert.False(t, words[word], "%s in the %s", word, name)
					}
				}
			}
			words := wordSet(text)
			for _, marker := range wanted.Own[locale.Language()] {
				assert.True(t, words[marker], marker)
			}
			assert.NotContains(t, text, "{")
			assert.NotContains(t, d.Text, "{")
			if locale.Country() == "CH" {
				assert.NotContains(t, text+d.Text+d.Subject, "ß")
				assert.NotContains(t, text, "SEPA")
			}

			t.Run("asks for erasure only on request", func(t *testing.T) {
				l := sampleLetter(locale)
				l.DeleteData = false
				kept := write(t, l)
				shorter := textOf(t, kept.PDF)
				assert.Less(t, len(shorter), len(text)-150)
				for _, law := range []string{"17", "32", "GDPR", "DSGVO", "RGPD", "LPD", "DSG", "AVG", "RODO"} {
					assert.NotRegexp(t, `\b`+law+`\b`, shorter)
				}
				assert.Less(t, len(kept.Text), len(d.Text))
			})
		})
	}
}

// An answer that nobody reads is lost, so each letter and each e-mail names an address for it, and asks for an
// e-mail only where it names one.
func TestLettersSayWhereAnAnswerGoes(t *testing.T) {
	kinds := map[string]func(*cancellation.Letter){
		"ordinary": func(*cancellation.Letter) {},
		"special": func(l *cancellation.Letter) {
			l.Reason = deadline.Reason{Kind: deadline.ReasonMoved, Date: "2027-01-01", Article: "§ 1"}
		},
		"objection": func(l *cancellation.Letter) {
			one := []cancellation.Debit{{Date: "2027-01-02", Amount: "-1"}}
			l.Objection = &cancellation.Objection{SentOn: l.Date, EndedOn: l.Date, Debits: one}
		},
		"objections": func(l *cancellation.Letter) {
			two := []cancellation.Debit{{Date: "2027-01-02", Amount: "-1"}, {Date: "2027-01-03", Amount: "-1"}}
			l.Objection = &cancellation.Objection{SentOn: l.Date, EndedOn: l.Date, Debits: two}
		},
	}
	const mailbox = "answers@operator.example"
	for _, locale := range (Writer{}).Locales() {
		words := mustWords(t, locale).Letter
		for kind, change := range kinds {
			for name, tt := range map[string]struct {
				email, mailbox, street string
				want                   string
			}{
				"the user's":            {"zoe@mail.example", mailbox, "Hauptallee 12", fill(words.Answer, "email", "zoe@mail.example")},
				"the user's, no street": {"zoe@mail.example", mailbox, "", fill(words.AnswerByEmail, "email", "zoe@mail.example")},
				"the operator's":        {"", mailbox, "Hauptallee 12", fill(words.Answer, "email", mailbox)},
				"the operator's alone":  {"", mailbox, "", fill(words.AnswerByEmail, "email", mailbox)},
				"no e-mail":             {"", "", "Hauptallee 12", words.AnswerByPost},
				"nothing":               {"", "", "", ""},
			} {
				l := sampleLetter(locale)
				l.DeleteData, l.Sender.PhoneNumber = false, ""
				l.Sender.Email, l.Mailbox, l.Sender.Street = tt.email, tt.mailbox, tt.street
				change(&l)
				d := write(t, l)
				texts := map[string]string{"e-mail": d.Text}
				if name == "the operator's" || name == "no e-mail" { // one text writes both
					texts["letter"] = textOf(t, d.PDF)
				}
				for in, text := range texts {
					at := fmt.Sprintf("%s, %s, %s, %s", locale, kind, name, in)
					assert.Contains(t, squeezed(text), squeezed(tt.want), at)
					assert.Equal(t, tt.want != "" && tt.email == "" && tt.mailbox != "", strings.Contains(squeezed(text), mailbox), at)
					if in == "letter" && tt.mailbox == "" {
						assert.NotRegexp(t, `(?i)@|e-?mail|courriel|e-post|sähköpost|electrónico|elektroniczn`, text, at)
					}
				}
			}
		}
	}
}

var (
	placeholder = regexp.MustCompile(`\{\w+\}`)
	// loose matches a reference such as "Art. 17" that may end up on two lines.
	loose = regexp.MustCompile(`[ (](Abs\.|al\.|Art\.|art\.|Bst\.|cpv\.|čl\.|let\.|lett\.|n°|V\.|§|` +
		`Article|article|articolo|artículo|artigo|artikel|artikkel) `)
)

// bySector begins the paths of words that replace others in contracts of some sectors.
const bySector = "/Letter/BySector/"

// Each locale has every word that German has, with the same placeholders, and with characters
// that all faces have.
func TestWordsAreComplete(t *testing.T) {
	german := leaves(t, "de-DE")
	for _, locale := range (Writer{}).Locales() {
		_, err := cancellation.ParseLocale(string(locale))
		assert.NoError(t, err)
		texts := leaves(t, locale)
		inBoth := func(path string) bool { return !strings.HasPrefix(path, bySector) }
		maps.DeleteFunc(texts, func(path, text string) bool {
			return !inBoth(path) && (text == "" || !strings.Contains(path, "/notices/"))
		})
		paths := slices.DeleteFunc(slices.Collect(maps.Keys(texts)), func(path string) bool { return !inBoth(path) })
		assert.ElementsMatch(t, slices.Collect(maps.Keys(german)), paths, locale)
		for path, text := range texts {
			at := string(locale) + " " + path
			if path == "/Letter/FirstDay" || path == "/Letter/Contact" {
				assert.NotContains(t, text, "{", at)
			} else {
				assert.NotEmpty(t, text, at)
			}
			printed, err := Printable(text)
			assert.NoError(t, err, at)
			assert.Equal(t, plain(text), printed, at)
			assert.NotRegexp(t, loose, text, at)
			if locale.Country() == "CH" {
				assert.NotContains(t, text, "ß", at)
			}
			want := german[path]
			switch {
			case strings.HasPrefix(path, bySector): // as the notice that it replaces
				want = german["/Letter/notices/"+path[strings.LastIndex(path, "/")+1:]]
			case path == "/Letter/PlaceAndDate" && locale.Language() == "en": // the date without a place
				want = "{date}"
			case path == "/Letter/Salutation":
				text = strings.Replace(text, "{organization}", "", 1)
			case strings.HasSuffix(path, "/FileName"):
				assert.Regexp(t, `^[A-Z][a-z]+\.pdf$`, text, at)
			}
			assert.Equal(t, placeholdersIn(want), placeholdersIn(text), at)
		}
	}
	for _, e := range []evidence.Event{
		evidence.EventRequested, evidence.EventQueued, evidence.EventHandedOver, evidence.EventAccepted,
		evidence.EventDelivered, evidence.EventDelayed, evidence.EventUndelivered, evidence.EventChannelEnded, evidence.EventFailed,
		evidence.EventWithdrawn, evidence.EventConfirmed, evidence.EventRejected,
	} {
		assert.Contains(t, german, "/Evidence/Events/"+string(e))
	}
}

// placeholdersIn returns the placeholders of a text, sorted.
func placeholdersIn(text string) []string {
	found := placeholder.FindAllString(text, -1)
	slices.Sort(found)
	return slices.Compact(found)
}

// leaves returns all words in a locale by their paths.
func leaves(t *testing.T, locale cancellation.Locale) map[string]string {
	t.Helper()
	all := map[string]string{}
	var walk func(path string, v reflect.Value)
	walk = func(path string, v reflect.Value) {
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				walk(path+"/"+v.Type().Field(i).Name, v.Field(i))
			}
		case reflect.Map:
			for _, k := range v.MapKeys() {
				walk(path+"/"+k.String(), v.MapIndex(k))
			}
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				walk(path+"/"+strconv.Itoa(i), v.Index(i))
			}
		default:
			all[path] = v.String()
		}
	}
	walk("", reflect.ValueOf(mustWords(t, locale)))
	return all
}

func mustWords(t testing.TB, locale cancellation.Locale) words {
	t.Helper()
	w, err := wordsIn(locale)
	require.NoError(t, err)
	return *w
}

// A file has no words that nothing reads.
func TestWordFilesAreRead(t *testing.T) {
	files, err := wordFiles.ReadDir("words")
	require.NoError(t, err)
	for _, f := range files {
		text, err := wordFiles.Open("words/" + f.Name())
		require.NoError(t, err)
		decoder := json.NewDecoder(text)
		decoder.DisallowUnknownFields()
		var file struct {
			About string // for translators
			words
			Locales map[cancellation.Locale]words
		}
		require.NoError(t, decoder.Decode(&file), f.Name())
		for locale := range file.Locales {
			assert.Equal(t, f.Name(), locale.Language()+".json")
		}
	}
}

func TestDates(t *testing.T) {
	first := time.Date(2027, time.January, 1, 0, 0, 0, 0, time.UTC)
	for locale, want := range map[cancellation.Locale]string{
		"de-DE": "1. Januar 2027", "de-AT": "1. Jänner 2027", "de-CH": "1. Januar 2027",
		"en-GB": "1 January 2027", "en-IE": "1 January 2027",
		"fr-FR": "1er janvier 2027", "fr-BE": "1er janvier 2027", "fr-CH": "1er janvier 2027",
		"nl-NL": "1 januari 2027", "nl-BE": "1 januari 2027", "es-ES": "1 de enero de 2027",
		"it-IT": "1° gennaio 2027", "it-CH": "1° gennaio 2027", "sv-SE": "1 januari 2027",
		"pl-PL": "1 stycznia 2027" + nbsp + "r.", "da-DK": "1. januar 2027", "fi-FI": "1. tammikuuta 2027",
		"pt-PT": "1 de janeiro de 2027", "cs-CZ": "1. ledna 2027", "nb-NO": "1. januar 2027",
	} {
		words := mustWords(t, locale).Letter
		assert.Equal(t, want, words.formatDate(first), locale)
	}
	words := mustWords(t, "fr-FR").Letter
	assert.Equal(t, "11 janvier 2027", words.formatDate(first.AddDate(0, 0, 10)))
	assert.Equal(t, "Le 1er janvier 2027", words.formatPlaceAndDate("", first))
}

func TestFill(t *testing.T) {
	assert.Equal(t, "a {b} {c} d", fill("a {x} {y} d", "x", "{b}", "y", "{c}"))
	assert.Equal(t, "{y}", fill("{x}", "x", "{y}", "y", "z"), "a value is not filled")
}

// A special right is of use only if the letter claims it.
func TestLettersSayTheReason(t *testing.T) {
	for _, locale := range (Writer{}).Locales() {
		t.Run(string(locale), func(t *testing.T) {
			ordinary := write(t, sampleLetter(locale))
			seen := map[string]bool{}
			for _, kind := range []deadline.ReasonKind{
				deadline.ReasonPriceRise, deadline.ReasonMoved, deadline.ReasonNotReminded, deadline.ReasonNoCancellationButton,
				deadline.ReasonDeath, deadline.ReasonSpecial, deadline.ReasonWithdrawal,
			} {
				l := sampleLetter(locale)
				l.Reason = deadline.Reason{Kind: kind, Date: "2027-03-01", Article: "§ 57 TKG"}
				d := write(t, l)
				assert.NotEqual(t, ordinary.Text, d.Text, kind)
				for name, text := range map[string]string{"letter": textOf(t, d.PDF), "e-mail": d.Text} {
					assert.Contains(t, text, "§ 57 TKG", "%s: %s", kind, name)
					assert.Contains(t, text, "2027", "%s: %s", kind, name)
					assert.NotContains(t, text, "{", "%s: %s", kind, name)
					assert.NotContains(t, text, string(kind), "%s: %s has no words for it", kind, name)
				}
				assert.False(t, seen[d.Text], kind)
				seen[d.Text] = true
			}
		})
	}
}

// An exit that costs money is not what somebody wants who names no day. French law differs by
// sector, and Spanish insurers know no notice but an opposition to the renewal.
func TestLettersFollowTheSector(t *testing.T) {
	noticeOf := func(locale cancellation.Locale, sector deadline.Sector) string {
		l := sampleLetter(locale)
		l.Sector = sector
		return textOf(t, write(t, l).PDF)
	}
	for sector, want := range map[deadline.Sector]string{
		deadline.Telecom: "L. 224-39 du Code de la consommation.", "Energy": "L. 224-14 du Code de la consommation.",
		"Services": "L. 215-1 et suivants", "MotorInsurance": "l’article L. 113-12 du Code des assurances.",
		deadline.HomeInsurance: "si le logement m’appartient, sur son article L. 113-15-2.",
		"HealthInsurance":      "L. 221-10-2 du Code de la mutualité", "Rental": "je vous donne congé du logement",
	} {
		assert.Contains(t, noticeOf("fr-FR", sector), want)
		assert.NotContains(t, noticeOf("fr-BE", sector), want, "the law of another country")
	}
	for _, sector := range []deadline.Sector{"Association", ""} {
		assert.NotRegexp(t, `L\. (113|215)`, noticeOf("fr-FR", sector), sector)
	}
	assert.Contains(t, noticeOf("es-ES", deadline.HomeInsurance), "oposición a la prórroga")
	assert.Contains(t, noticeOf("es-ES", deadline.Telecom), "sin penalización")
	assert.Contains(t, noticeOf("es-ES", "Rental"), "desistimiento del contrato de arrendamiento")
	assert.Contains(t, noticeOf("it-IT", ""), "senza costi")
	assert.Contains(t, noticeOf("it-IT", deadline.Telecom), "D.L. 31 gennaio 2007")
	assert.NotContains(t, noticeOf("it-IT", deadline.HomeInsurance), "recesso")
	assert.Contains(t, noticeOf("nl-NL", deadline.Telecom), "artikel 6:236, aanhef en onder j, BW")
	assert.NotContains(t, noticeOf("nl-NL", deadline.HomeInsurance), "6:236")
	assert.Contains(t, noticeOf("nl-BE", deadline.HomeInsurance), "85/1 van de wet van 4 april 2014")
	assert.Contains(t, noticeOf("fr-BE", deadline.HomeInsurance), "85/1 de la loi du 4 avril 2014")
	assert.Contains(t, noticeOf("pl-PL", "MotorInsurance"), "art. 28 ust. 1")
}

// Good cause is nothing without facts, which a letter says in the user's words.
func TestLettersSayTheFacts(t *testing.T) {
	for _, locale := range (Writer{}).Locales() {
		l := sampleLetter(locale)
		l.Reason = deadline.Reason{Kind: deadline.ReasonSpecial, Text: strings.Repeat("No line since 3 May. ", 23) + "Two reminders.",
			Article: "§ 314 BGB", Immediate: true}
		text := textOf(t, write(t, l).PDF)
		assert.Contains(t, squeezed(text), squeezed("Two reminders (§ 314 BGB)"), locale)
		l.Reason.Kind, l.Reason.Date = deadline.ReasonMoved, "2027-03-01"
		assert.Contains(t, squeezed(textOf(t, write(t, l).PDF)), squeezed("). No line since 3 May."), locale)
	}
}

// Whoever withdraws gives notice of nothing: the contract is undone at once.
func TestWithdrawals(t *testing.T) {
	names := map[string]bool{}
	for _, locale := range (Writer{}).Locales() {
		l, words := sampleLetter(locale), mustWords(t, locale)
		l.Reason = deadline.Reason{Kind: deadline.ReasonWithdrawal, Date: "2026-11-25", Article: "§ 355 BGB"}
		d := write(t, l)
		text := squeezed(textOf(t, d.PDF))
		assert.Contains(t, text, squeezed(words.Objection.Mandate), locale)
		assert.NotContains(t, text, squeezed(words.Letter.DirectDebit), locale)
		assert.NotEqual(t, plain(fill(words.Letter.Subject, "product", l.Product)), d.Subject, locale)
		assert.Contains(t, squeezed(d.Text), squeezed(words.Letter.formatDate(l.Reason.Date.Day())), locale)
		names[d.FileName] = true
	}
	assert.Len(t, names, 13, "one for each language")
}

func TestTheSendingLineIsOnRegisteredLettersOnly(t *testing.T) {
	for _, locale := range (Writer{}).Locales() {
		l, line := sampleLetter(locale), squeezed(mustWords(t, locale).Letter.Registered)
		assert.NotContains(t, squeezed(textOf(t, write(t, l).PDF)), line, locale)
		l.Registered = true
		assert.Contains(t, squeezed(textOf(t, write(t, l).PDF)), line, locale)
	}
}

// An heir writes about the contract of somebody else.
func TestHeirsWriteAsHeirs(t *testing.T) {
	l := sampleLetter("de-DE")
	l.Reason = deadline.Reason{Kind: deadline.ReasonDeath, Date: "2026-11-01", Article: "§ 564 BGB"}
	text := textOf(t, write(t, l).PDF)
	assert.Contains(t, text, "als Erbin oder Erbe")
	assert.NotContains(t, text, "zwischen uns bestehenden")
	l.Reason = deadline.Reason{Kind: deadline.ReasonNoCancellationButton, Article: "§ 312k BGB", Immediate: true}
	assert.Contains(t, textOf(t, write(t, l).PDF), "fristlos mit sofortiger Wirkung")
	l.Locale, l.Reason.Kind = "sv-SE", deadline.ReasonNotReminded
	assert.Contains(t, textOf(t, write(t, l).PDF), "med omedelbar verkan")
}
