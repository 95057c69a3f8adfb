package letter

import (
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/deadline"
	"aviso/internal/cancellation/evidence"
)

// wordFiles have the words of each language, and the differences of each locale.
//
//go:embed words/*.json
var wordFiles embed.FS

// words are all words in one locale. Names in braces are placeholders; the comments list the placeholders of each
// field.
type words struct {
	Letter     wording
	Withdrawal withdrawal
	Answer     answer
	Objection  objection
	Evidence   summaryWords
}

// wording is the text of a letter.
type wording struct {
	// Date has {day}, {month} and {year}. Months have the form used in a date.
	// FirstDay replaces "1" for the first of a month, if it is not empty.
	Date     string
	Months   [12]string
	FirstDay string
	// Point is the decimal separator of amounts.
	Point string
	// PlaceAndDate has {place} and {date}. DateAlone has {date} and is for letters
	// without a place.
	PlaceAndDate, DateAlone string

	// Phone and Email have {value}. They appear under the sender's address.
	Phone, Email string
	// ByEmail and ByFax have {value}. They appear under the organization's name if it
	// has no postal address.
	ByEmail, ByFax string
	// Registered appears above the heading of a registered letter.
	Registered string
	// Countries are the countries' names in postal addresses, by code.
	Countries map[string]string

	// Subject has {product}. Heading has {subject} and is the line above the text.
	Subject, Heading string
	// Reference has {label} and {value}. It appears in the text of the e-mail.
	Reference string

	// Salutation has {organization}.
	Salutation string
	notices
	// BySector replaces the notices of contracts of some sectors.
	BySector []sectorNotices
	// Special and SpecialTo are the notices for a legal reason, which is {reason} by {article}. Immediate is for one
	// that ends the contract at once. Heir and HeirTo are written by an heir. Reasons may have {since}, the reason's
	// date.
	Special, SpecialTo, Immediate, Heir, HeirTo string
	Reasons                                     map[deadline.ReasonKind]string
	// Confirmation asks for the end date in writing. DirectDebit revokes the direct debit mandate. Contact declines
	// offers to stay; it is empty in locales where that is not customary. Deletion asks for erasure.
	Confirmation, DirectDebit, Contact, Deletion string
	// Answer follows the confirmation with the address for the answer: by post, to {email}, or both.
	Answer, AnswerByEmail, AnswerByPost string
	Closing                             string
	// Page has {page} and {pages}.
	Page string

	// The e-mail uses the letter's salutation and closing. Attached has {date}, and follows
	// the notice.
	Attached, MailDeletion string
	// FileName is ASCII.
	FileName string
}

// notices are the texts that end a contract for {product}. Notice asks for the earliest end, and NoticeTo for {end}
// or otherwise the earliest end. An e-mail has shorter ones.
type notices struct{ Notice, NoticeTo, MailNotice, MailNoticeTo string }

// sectorNotices are notices for contracts of some sectors. An empty notice replaces nothing. Cite follows the notices
// of the letter.
type sectorNotices struct {
	Sectors []deadline.Sector
	notices
	Cite string
}

// noticesFor returns the words with the notices of a sector and a reason. Facts are a sentence of their own, unless
// they are the reason.
func (w wording) noticesFor(sector deadline.Sector, reason deadline.Reason) wording {
	because := func(notice, noticeTo string) wording {
		if reason.Text != "" && reason.Kind != deadline.ReasonSpecial {
			notice = strings.Replace(notice, "({article}).", "({article}). {facts}.", 1)
			noticeTo = strings.Replace(noticeTo, "({article}).", "({article}). {facts}.", 1)
		}
		w.notices = notices{notice, noticeTo, notice, noticeTo}
		return w
	}
	switch {
	case reason.Kind == deadline.ReasonDeath:
		w.Contact = ""
		return because(w.Heir, w.HeirTo)
	case reason.Immediate:
		return because(w.Immediate, w.SpecialTo)
	case reason.Kind != "":
		return because(w.Special, w.SpecialTo)
	}
	for _, s := range w.BySector {
		if slices.Contains(s.Sectors, sector) {
			w.notices = notices{
				cmp.Or(s.Notice, w.Notice), cmp.Or(s.NoticeTo, w.NoticeTo),
				cmp.Or(s.MailNotice, w.MailNotice), cmp.Or(s.MailNoticeTo, w.MailNoticeTo),
			}
			w.Notice, w.NoticeTo = w.Notice+cite(s.Cite), w.NoticeTo+cite(s.Cite)
		}
	}
	return w
}

func cite(text string) string {
	if text == "" {
		return ""
	}
	return " " + text
}

// withdrawal is the text of a withdrawal from a new contract, after annex I (B) of Directive 2011/83/EU. Subject has
// {product}, and Notice also {article} and {since}, the day of the signature.
type withdrawal struct{ Subject, Notice, Confirmation, FileName string }

// withdrawing returns the words of a withdrawal. It withdraws the authority to debit at once, as an objection does.
func (w wording) withdrawing(x withdrawal, mandate string) wording {
	w.Subject, w.Confirmation, w.DirectDebit, w.FileName = x.Subject, x.Confirmation, mandate, x.FileName
	w.notices = notices{x.Notice, x.Notice, x.Notice, x.Notice}
	return w
}

// reason returns the words for a reason with its date, its facts, and the article. For good cause, the facts are the
// reason. If the words have no place for the date, it follows the article.
func (w *wording) reason(r deadline.Reason) (reason, facts, article string) {
	text, since := cmp.Or(w.Reasons[r.Kind], string(r.Kind)), ""
	if day := r.Date.Day(); !day.IsZero() {
		since = w.unbrokenDate(day)
	}
	article = regexp.MustCompile(` ([0-9§])`).ReplaceAllString(r.Article, nbsp+"$1") // "§ 57 Abs. 1" stays on a line
	if since != "" && !strings.Contains(text, "{since}") {
		article += "; " + since
	}
	text = fill(text, "since", since)
	facts = strings.TrimRight(r.Text, ".")
	if facts != "" && r.Kind == deadline.ReasonSpecial {
		text = facts
	}
	return text, facts, article
}

// languages has a function for each language that parses its words, by locale. Only the first letter in a language
// needs them: parsing all takes 6 ms, and one less than 1 ms.
var languages = sync.OnceValue(func() map[string]func() map[cancellation.Locale]*words {
	files, _ := wordFiles.ReadDir("words") // they are embedded
	all := map[string]func() map[cancellation.Locale]*words{}
	for _, f := range files {
		language := strings.TrimSuffix(f.Name(), ".json")
		all[language] = sync.OnceValue(func() map[cancellation.Locale]*words { return readWords(language) })
	}
	return all
})

func readWords(language string) map[cancellation.Locale]*words {
	var file struct {
		Locales map[cancellation.Locale]json.RawMessage
	}
	text, err := wordFiles.ReadFile("words/" + language + ".json")
	err = errors.Join(err, json.Unmarshal(text, &file))
	locales := map[cancellation.Locale]*words{}
	for l, different := range file.Locales {
		locales[l] = &words{}
		err = errors.Join(err, json.Unmarshal(text, locales[l]), json.Unmarshal(different, locales[l]))
	}
	if err != nil { // the tests read every language
		panic(fmt.Sprintf("words of letters in %s: %v", language, err))
	}
	return locales
}

// wordsIn returns the words in a locale, or ErrLocale if there are none.
func wordsIn(l cancellation.Locale) (*words, error) {
	if read := languages()[l.Language()]; read != nil {
		if w := read()[l]; w != nil {
			return w, nil
		}
	}
	return nil, fmt.Errorf("%w: %s", ErrLocale, l)
}

// fill replaces placeholders with values: fill("{label}: {value}", "label", …). It does
// not replace placeholders inside values.
func fill(text string, namesAndValues ...string) string {
	return placeholders(namesAndValues...).Replace(text)
}

func placeholders(namesAndValues ...string) *strings.Replacer {
	pairs := slices.Clone(namesAndValues)
	for i := 0; i < len(pairs); i += 2 {
		pairs[i] = "{" + pairs[i] + "}"
	}
	return strings.NewReplacer(pairs...)
}

func (w *wording) formatDate(t time.Time) string {
	day := strconv.Itoa(t.Day())
	if t.Day() == 1 && w.FirstDay != "" {
		day = w.FirstDay
	}
	return fill(w.Date, "day", day, "month", w.Months[t.Month()-1], "year", strconv.Itoa(t.Year()))
}

// unbrokenDate returns a date that stays on one line.
func (w *wording) unbrokenDate(t time.Time) string {
	return strings.ReplaceAll(w.formatDate(t), " ", nbsp)
}

func (w *wording) formatPlaceAndDate(place string, t time.Time) string {
	if place == "" {
		return fill(w.DateAlone, "date", w.formatDate(t))
	}
	return fill(w.PlaceAndDate, "place", place, "date", w.formatDate(t))
}

// answer is the text of a letter that gives what the organization asked for. Both texts have {product}.
type answer struct{ Subject, Notice string }

// answering returns the words of an answer. The first letter has said the rest.
func (w wording) answering(a answer) wording {
	w.Subject, w.DirectDebit, w.Contact, w.Attached = a.Subject, "", "", ""
	w.notices = notices{a.Notice, a.Notice, a.Notice, a.Notice}
	return w
}

// objection is the text of a letter that objects to debits after the end of a contract. Its texts have {product},
// {sent} for the date of the cancellation, {end} for the end date, {debits} for amounts with their dates, and
// {digest} for the SHA-256 of the cancellation.
type objection struct {
	// Subject has {product}.
	Subject string
	// Notice says what happened, Claim demands the money back within 14 days, Mandate withdraws the authority to debit
	// at once, and Proof refers to the cancellation. Then comes OnRequest, which offers the evidence, or Enclosed.
	// Claims is the claim for several debits.
	Notice, Claim, Claims, Mandate, Proof, OnRequest, Enclosed string
	// MailNotice has {product}, {end} and {date}. FileName is ASCII.
	MailNotice, FileName string
}

// objecting returns the words of a letter that objects to debits, with or without evidence.
func (w wording) objecting(o objection, debits int, enclosed bool) wording {
	if debits > 1 {
		o.Claim = o.Claims
	}
	w.Subject, w.Notice, w.Confirmation, w.DirectDebit = o.Subject, o.Notice, o.Claim, o.Mandate
	w.MailNotice, w.Attached, w.FileName = o.MailNotice, "", o.FileName
	w.Contact = o.Proof + " " + o.OnRequest
	if enclosed {
		w.Contact = o.Proof + " " + o.Enclosed
		w.MailNotice += " " + o.Enclosed
	}
	return w
}

// debits returns the amounts with their dates: "13,99 EUR (4. April 2026)".
func (w *wording) debits(o cancellation.Objection) string {
	list := make([]string, len(o.Debits))
	for i, d := range o.Debits {
		whole, cents, _ := strings.Cut(strings.TrimPrefix(d.Amount.String(), "-"), ".")
		list[i] = whole + w.Point + cents + "00"[min(len(cents), 2):] + nbsp + d.Currency +
			" (" + w.unbrokenDate(d.Day()) + ")"
	}
	return strings.Join(list, "; ")
}

// summaryWords are the texts of a summary. Names in braces are placeholders.
type summaryWords struct {
	Title, Intro string
	// Objection and ObjectionOrdered replace the title and the name of the first step in the evidence of an objection.
	// ObjectionID is a label.
	Objection, ObjectionOrdered, ObjectionID string
	// The labels of the facts.
	Sender, Organization, Product, Reason, Status, AsOf, Received, Recipients, ID, External string
	// The headings of the sections.
	Steps, Limits, Check string
	// Shows and ShowsNot have {text}. Proofs is a label. More has {count}.
	Shows, ShowsNot, Proofs, More string
	LimitTexts                    []string
	// CheckText has {guide}. Chain is the label of a digest.
	CheckText, Chain                 string
	Actors, Channels, Reasons, Kinds map[string]string
	Events                           map[evidence.Event]string
	// Meanings say what a step shows and what it does not. The key is the event, or event and channel, such as
	// Delivered/Email.
	Meanings map[string][2]string
}

// If this release has no word for something, the summary uses the value in evidence.json.

// event returns the name of an event. It may depend on the channel.
func (w *summaryWords) event(e evidence.Event, channel string) string {
	return cmp.Or(w.Events[e+"/"+evidence.Event(channel)], w.Events[e], string(e))
}

func (w *summaryWords) channel(kind string) string { return cmp.Or(w.Channels[kind], kind) }

func (w *summaryWords) reason(code string) string { return cmp.Or(w.Reasons[code], code) }

// meaning returns the texts about what a step shows and what it does not.
func (w *summaryWords) meaning(e evidence.Entry) []string {
	m, ok := w.Meanings[string(e.Event)+"/"+e.Channel]
	if !ok {
		m, ok = w.Meanings[string(e.Event)]
	}
	if !ok {
		return nil
	}
	return []string{fill(w.Shows, "text", m[0]), fill(w.ShowsNot, "text", m[1])}
}
