package enrich

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"aviso/internal/pfm"
)

// shownName returns the party's name as a person would write it: without the bank's words, numbers, legal forms and
// the town at its end. It is empty if the row names nobody.
func (r *row) shownName(found *Result) string {
	switch found.Category.SubcategoryID {
	case pfm.TransferCash, pfm.TransferOwn:
		return ""
	case pfm.FinanceFees, pfm.IncomeInterest:
		if !r.hasParty || r.isWhat() {
			return ""
		}
	}
	said := r.purchase || found.Source == pfm.SourceNone || !isPurpose(found)
	best, wages := "", found.Category.SubcategoryID == pfm.IncomeSalary
	for from := 0; from < r.text.count; {
		w := r.text.words[from]
		to := from + 1
		for to < r.text.count && r.text.words[to].run == w.run && r.text.words[to].part == w.part {
			to++
		}
		names := w.part == partName && (w.field == fieldParty || !r.hasParty) && w.run >= r.labelled
		if name := ""; names {
			for _, m := range r.found { // "Salaire Durand SARL"
				if wages && m.kind == kindKeyword && w.field == fieldNote && m.has(from) && int(m.to) < to {
					from = int(m.to)
				}
			}
			if w.field == fieldParty || r.labelled > 0 || said || r.isCompany(from, to) {
				name = r.nameOf(from, to)
			}
			// Some banks repeat the name in its proper spelling.
			if best == "" || name != "" && strings.ToUpper(best) == best && strings.ToUpper(name) != name {
				best = name
			}
		}
		from = to
	}
	return title(best)
}

// isPurpose reports whether a text without party and label that has this category only says what was paid.
func isPurpose(found *Result) bool {
	switch top := found.Category.ID; top {
	case topTransfers:
		return found.Category.SubcategoryID != pfm.TransferPerson
	case topFinance:
		return found.Category.SubcategoryID != pfm.FinanceInsurance && found.Category.SubcategoryID != pfm.FinanceTaxes
	default:
		return top == topIncome || found.Category.SubcategoryID == pfm.HousingRent
	}
}

// isWhat reports whether the counterparty's words say what was paid ("Imposta di bollo"), as some banks write there.
func (r *row) isWhat() bool {
	for i := 0; i < r.text.count && r.text.words[i].field == fieldParty; i++ {
		if !r.isFiller(i) && !slices.ContainsFunc(r.found, func(m match) bool { return m.kind == kindKeyword && m.has(i) }) {
			return false
		}
	}
	return true
}

// isCompany reports whether the words [from, to) have a legal form.
func (r *row) isCompany(from, to int) bool {
	return slices.ContainsFunc(r.text.words[from:to], func(w word) bool { return w.flags&wordLegal != 0 })
}

// nameOf returns the words [from, to) as the bank wrote them, up to a number or the end of a column.
func (r *row) nameOf(from, to int) string {
	for from < to && (r.text.words[from].flags&(wordLegal|formBooking) != 0 || !r.hasLetter(from) || r.isLink(from, to)) {
		from++
	}
	field := r.fields[r.text.words[min(from, r.text.count-1)].field]
	for i := from + 1; i < to; i++ {
		before, w := r.text.words[i-1], r.text.words[i]
		gap := field[before.to:w.from]
		if star := strings.Contains(gap, "*"); star && (before.flags&cueProvider != 0 || i-from == 1 && before.end-before.start <= 4) {
			return r.nameOf(i, to)
		} else if star || strings.ContainsAny(gap, "/\\;()>[]0123456789") || strings.Contains(gap, "  ") ||
			w.field == fieldNote && strings.Contains(gap, ",") || w.flags&wordLegal != 0 {
			to = i
		}
	}
	const rest = wordNoise | wordLegal | formBooking
	for to > from && (r.text.words[to-1].flags&rest != 0 && (to-from > 1 || r.text.words[from].field == fieldNote) ||
		to-from > 1 && r.code != "" && r.rules.written[string(r.text.bytes(r.text.words[to-1]))] == r.code || !r.hasLetter(to-1)) {
		to--
	}
	if from >= to {
		return ""
	}
	first, last := r.text.words[from], r.text.words[to-1]
	name := strings.TrimLeft(strings.TrimSpace(field[first.from:last.to]), "0123456789")
	if bare := strings.TrimRight(name, "0123456789"); len(name)-len(bare) >= 2 {
		name = bare
	}
	return strings.Trim(name, " -*.,:+&'\"")
}

// isLink reports whether a text begins with a word such as "from", which is not in the name.
func (r *row) isLink(from, to int) bool {
	w := r.text.words[from]
	return r.labelled == 0 && w.field == fieldNote && to-from > 1 &&
		slices.Contains(strings.Fields("de von van from to til fra od do bei"), string(r.text.bytes(w)))
}

// hasLetter reports whether a word is more than a number.
func (r *row) hasLetter(i int) bool {
	return bytes.ContainsFunc(r.text.bytes(r.text.words[i]), func(c rune) bool { return c < '0' || c > '9' })
}

// minor are words that names have in lower case.
const minor = " a al and auf aux d da das de degli dei del della der des di do dos du e en et i im in la las le les los of " +
	"och og u und van vom von y z ze zu zum zur "

// title returns a name that is all in capitals, or all in small letters, in the case of names.
func title(name string) string {
	if upper := strings.ToUpper(name); upper != name && strings.ToLower(name) != name {
		return name
	}
	words := strings.Fields(name)
	for i, word := range words {
		lower := strings.ToLower(word)
		switch {
		case i > 0 && strings.Contains(minor, " "+lower+" "):
			words[i] = lower
		case len(word) <= 3 && !strings.ContainsAny(lower, ".aeiouyäöüéèáíóú"):
			words[i] = strings.ToUpper(word) // abbreviations
		default:
			parts := strings.Split(lower, ".")
			for j, part := range parts {
				if j == 0 || len(part) == 1 || len(part) > 3 { // not "com", "de"
					parts[j] = capitals(part)
				}
			}
			words[i] = strings.Join(parts, ".")
		}
	}
	return strings.Join(words, " ")
}

// capitals capitalises the parts of a word.
func capitals(word string) string {
	begins := true
	return strings.Map(func(c rune) rune {
		if begins {
			c = unicode.ToTitle(c)
		}
		begins = c == '-' || c == '&'
		return c
	}, word)
}
