package fulltext_test

import (
	"math/rand/v2"
	"strings"
)

// organizationName is a name of the catalogue.
type organizationName struct {
	Full string
	// Distinctive is the part that people know it by.
	Distinctive string
}

// names generates the names of n organizations and returns the language of each. Some
// words are more common than others.
func names(r *rand.Rand, n int) ([]organizationName, []language) {
	all := languages()
	made, from := make([]organizationName, n), make([]language, n)
	seen := map[string]bool{}
	for i := 0; i < n; {
		l := all[r.IntN(len(all))]
		town := strings.ReplaceAll(half(r, l.townHeads)+half(r, l.townTails), "- ", "-")
		family := half(r, l.familyHeads) + half(r, l.familyTails)
		trade := tail(r, strings.Split(l.trades, ","))
		of := strings.TrimSpace(l.of + " ")
		if of != "" {
			of += " "
		}
		legal := pick(r, strings.Split(l.legalForms, ","))
		var m organizationName
		switch r.IntN(10) {
		case 0, 1, 2, 3:
			m = organizationName{trade + " " + of + town, trade + " " + town}
		case 4, 5:
			m = organizationName{trade + " " + family + " " + town + " " + legal, family + " " + town}
		case 6:
			m = organizationName{family + " & " + half(r, l.familyHeads) + half(r, l.familyTails) + " " + trade + " " + legal, ""}
			m.Distinctive, _, _ = strings.Cut(m.Full, " "+trade)
		case 7:
			b := brand(r)
			m = organizationName{b + " " + trade + " " + legal, b}
		case 8:
			m = organizationName{trade + " " + family + " " + legal, family + " " + trade}
		default:
			b := brand(r) + pick(r, []string{"", "", " ", "-"}) +
				pick(r, []string{"net", "fit", "24", "Plus", "Go", "One", "tel", "flix"})
			m = organizationName{b, b}
		}
		m.Full = strings.TrimSpace(m.Full)
		if !seen[m.Full] {
			seen[m.Full] = true
			made[i], from[i] = m, l
			i++
		}
	}
	return made, from
}

// brand returns an invented word of two or three syllables.
func brand(r *rand.Rand) string {
	var b strings.Builder
	for range 2 + r.IntN(2) {
		b.WriteString(string("bdfgklmnprstvwz"[r.IntN(15)]) + string("aeiou"[r.IntN(5)]))
		b.WriteString(pick(r, []string{"", "", "", "n", "r", "x", "l"}))
	}
	return strings.ToUpper(b.String()[:1]) + b.String()[1:]
}

func half(r *rand.Rand, list string) string { return pick(r, strings.Fields(list)) }

func pick(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }

// tail picks early elements more often than late ones.
func tail(r *rand.Rand, list []string) string {
	i := 0
	for i < len(list)-1 && r.IntN(4) != 0 {
		i++
	}
	return list[i]
}
