package letter

import (
	"maps"
	"strconv"
	"strings"
	"time"

	"aviso/internal/cancellation"
)

// wording is all that a letter says in one locale. A name in braces stands for
// a value: {product}, {date}, {label} and so on, as the comments say.
type wording struct {
	// date is of {day}, {month} and {year}. months are as they stand in a date;
	// firstDay is what the first of a month is called where that is no "1".
	date     string
	months   [12]string
	firstDay string
	// placeAndDate is of {place} and {date}; dateAlone is where no place is
	// known.
	placeAndDate, dateAlone string

	// phone and email are of {value} and stand under the sender's address.
	phone, email string
	// byEmail and byFax are of {value} and stand under the organization's name
	// where it has no address.
	byEmail, byFax string
	// countries are the names by which a letter finds its country, by code.
	countries map[string]string

	// subject names {product}; heading is the {subject} as it stands over the
	// letter.
	subject, heading string
	// reference is a {label} and {value} in the text of the e-mail.
	reference string

	// salutation is of {organization}.
	salutation string
	// notice ends {product}; confirmation asks for the end date in writing;
	// directDebit takes back the right to collect; contact refuses offers to
	// stay and is empty where that is not customary; deletion asks for erasure.
	notice, confirmation, directDebit, contact, deletion string
	closing                                              string
	// page is of {page} and {pages}.
	page string

	// The e-mail: mailNotice is of {product} and {date}. The salutation and the
	// closing are the letter's.
	mailNotice, mailConfirmation, mailDeletion string
	// fileName is of ASCII.
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

// fill puts values in the place of names: fill("{label}: {value}", "label", …).
// What a value holds is not filled again.
func fill(text string, namesAndValues ...string) string {
	pairs := make([]string, len(namesAndValues))
	for i, s := range namesAndValues {
		if i%2 == 0 {
			s = "{" + s + "}"
		}
		pairs[i] = s
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// bound keeps what belongs together on one line: "Art. 17", "V. Exas.".
func bound(text string) string {
	var pairs []string
	for _, word := range []string{
		"Abs.", "al.", "Art.", "art.", "Bst.", "cpv.", "čl.", "let.", "lett.", "n°", "V.", "§",
		"Article", "article", "articolo", "artículo", "artigo", "artikel", "artikkel",
	} {
		pairs = append(pairs, " "+word+" ", " "+word+nbsp, "("+word+" ", "("+word+nbsp)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

func (w *wording) dateOf(t time.Time) string {
	day := strconv.Itoa(t.Day())
	if t.Day() == 1 && w.firstDay != "" {
		day = w.firstDay
	}
	return fill(w.date, "day", day, "month", w.months[t.Month()-1], "year", strconv.Itoa(t.Year()))
}

func (w *wording) placeAndDateOf(place string, t time.Time) string {
	if place == "" {
		return fill(w.dateAlone, "date", w.dateOf(t))
	}
	return fill(w.placeAndDate, "place", place, "date", w.dateOf(t))
}
