package letter

import (
	"maps"
	"strconv"
	"strings"
	"sync"
	"time"

	"aviso/internal/cancellation"
)

// wording is the text of a letter in one locale. Names in braces are placeholders; the
// comments list those of each field.
type wording struct {
	// date has {day}, {month} and {year}. months have the form used in a date.
	// firstDay replaces "1" for the first of a month, if it is not empty.
	date     string
	months   [12]string
	firstDay string
	// placeAndDate has {place} and {date}. dateAlone has {date} and is for letters
	// without a place.
	placeAndDate, dateAlone string

	// phone and email have {value}. They appear under the sender's address.
	phone, email string
	// byEmail and byFax have {value}. They appear under the organization's name if it
	// has no postal address.
	byEmail, byFax string
	// countries are the countries' names in postal addresses, by code.
	countries map[string]string

	// subject has {product}. heading has {subject} and is the line above the text.
	subject, heading string
	// reference has {label} and {value}. It appears in the text of the e-mail.
	reference string

	// salutation has {organization}.
	salutation string
	// notice ends the contract for {product} as early as possible, and noticeTo on {end} or
	// else as early as possible. confirmation asks for the end date in writing. directDebit
	// revokes the direct debit mandate. contact declines offers to stay, and is empty where
	// that is not customary. deletion asks for erasure.
	notice, noticeTo, confirmation, directDebit, contact, deletion string
	closing                                                        string
	// page has {page} and {pages}.
	page string

	// The e-mail uses the letter's salutation and closing. mailNotice and mailNoticeTo
	// are as in the letter, and have {date}.
	mailNotice, mailNoticeTo, mailConfirmation, mailDeletion string
	// fileName is ASCII.
	fileName string
}

func wordings() map[cancellation.Locale]wording {
	all := map[cancellation.Locale]wording{}
	for _, language := range []map[cancellation.Locale]wording{
		german(), english(), french(), dutch(), spanish(), italian(), swedish(), polish(),
		danish(), finnish(), portuguese(), czech(), norwegian(),
	} {
		maps.Copy(all, language)
	}
	return all
}

// fill replaces placeholders with values: fill("{label}: {value}", "label", …). It does
// not replace placeholders inside values.
func fill(text string, namesAndValues ...string) string {
	return placeholders(namesAndValues...).Replace(text)
}

func placeholders(namesAndValues ...string) *strings.Replacer {
	pairs := make([]string, len(namesAndValues))
	for i, s := range namesAndValues {
		if i%2 == 0 {
			s = "{" + s + "}"
		}
		pairs[i] = s
	}
	return strings.NewReplacer(pairs...)
}

// bindReferences puts no-break spaces into what must stay on one line: "Art. 17",
// "V. Exas.".
func bindReferences(text string) string { return binder().Replace(text) }

// binder is made once: it takes longer than all that it does for a letter.
var binder = sync.OnceValue(func() *strings.Replacer {
	var pairs []string
	for _, word := range []string{
		"Abs.", "al.", "Art.", "art.", "Bst.", "cpv.", "čl.", "let.", "lett.", "n°", "V.", "§",
		"Article", "article", "articolo", "artículo", "artigo", "artikel", "artikkel",
	} {
		pairs = append(pairs, " "+word+" ", " "+word+nbsp, "("+word+" ", "("+word+nbsp)
	}
	return strings.NewReplacer(pairs...)
})

func (w *wording) formatDate(t time.Time) string {
	day := strconv.Itoa(t.Day())
	if t.Day() == 1 && w.firstDay != "" {
		day = w.firstDay
	}
	return fill(w.date, "day", day, "month", w.months[t.Month()-1], "year", strconv.Itoa(t.Year()))
}

func (w *wording) formatPlaceAndDate(place string, t time.Time) string {
	if place == "" {
		return fill(w.dateAlone, "date", w.formatDate(t))
	}
	return fill(w.placeAndDate, "place", place, "date", w.formatDate(t))
}
