package enrich

import (
	"bytes"
	_ "embed"
	"slices"
	"sort"
	"strings"
)

// brandFile has a line for each folded name of a brand or operator: the name's words, countries, subcategory,
// Wikidata ID or slug, and the display name. It is sorted by the names without spaces.
//
//go:embed brands/brands.tsv
var brandFile string

// brands finds names in brandFile.
type brands struct {
	// lines are the lines of the file, letters their names without spaces, and first the first line of every name.
	lines, letters []string
	first          map[string]int
	// reach is the length of the longest name that begins with these letters.
	reach map[string]int
}

// headLetters is the number of letters in brands.reach. Shorter names are always looked up.
const headLetters = 5

// maxBrandWords is the maximum number of words of a name in a row. Banks break lines inside words, so a row may have
// more words than the name.
const maxBrandWords = 8

func newBrands() *brands {
	count := strings.Count(brandFile, "\n")
	b := &brands{
		lines: make([]string, 0, count), letters: make([]string, 0, count), first: make(map[string]int, count),
		reach: make(map[string]int, count),
	}
	for line := range strings.Lines(brandFile) {
		letters := strings.ReplaceAll(brandForm(line), " ", "")
		if _, known := b.first[letters]; !known {
			b.first[letters] = len(b.lines)
			extend(b.reach, letters[:min(headLetters, len(letters))], len(letters))
		}
		b.lines, b.letters = append(b.lines, line), append(b.letters, letters)
	}
	return b
}

// brandForm returns the words of a line.
func brandForm(line string) string { return line[:strings.IndexByte(line, '\t')] }

// brandsOf returns the brands of the row's country whose names are in the row.
func (e *Engine) brandsOf(r *row) []match {
	var found []match
	for _, m := range e.brands.find(&r.text) {
		isForm := r.text.words[m.from].part >= partForm && r.text.words[m.from].field == fieldNote
		isOurs := slices.ContainsFunc(r.found, func(o match) bool {
			return o.kind == kindMerchant && o.from == m.from && o.to == m.to && e.merchants[o.id&^weakAlias].isIn(r.code)
		})
		if brand, ok := e.brandOf(int(m.id), r); ok && !isForm && !isOurs && e.accepts(r, &m, &brand) {
			found = append(found, m)
		}
	}
	return found
}

// find returns the brand names in a text, each as the index of its first line.
func (b *brands) find(t *text) (found []match) {
	for from := range t.count {
		for to := from + 1; to <= min(t.count, from+maxBrandWords) && t.words[to-1].field == t.words[from].field; to++ {
			letters := t.buf[t.words[from].start:t.words[to-1].end]
			if len(found) == maxMatches {
				return found
			}
			if len(letters) > headLetters && len(letters) > b.reach[string(letters[:headLetters])] {
				break
			}
			if line, known := b.first[string(letters)]; known {
				found = append(found, match{
					kind: kindBrand, letters: uint8(min(len(letters), 255)), from: uint8(from), to: uint8(to), id: uint32(line),
				})
			}
		}
	}
	return found
}

// line returns the brand of a line.
func (b *brands) line(n int) merchant {
	column := strings.Split(strings.TrimSuffix(b.lines[n], "\n"), "\t")
	category := categoryOf(number(column[2]))
	return merchant{slug: column[3], name: column[4], category: category, countries: column[1], brand: true}
}

// brandIn returns the brand of a name in a country. A brand of that country takes precedence over a worldwide one.
// Without a country, the name must mean the same everywhere.
func (e *Engine) brandIn(first int, country string) (best merchant, ok bool) {
	letters := e.brands.letters
	for n := first; n < len(letters) && letters[n] == letters[first]; n++ {
		m := e.brands.line(n)
		switch {
		case country == "" && best.slug != "" && best.category.ID != m.category.ID:
			return merchant{}, false
		case m.isIn(country) && (best.slug == "" || country != ""), m.countries == "*" && best.slug == "":
			best = m
		}
	}
	return best, best.slug != ""
}

// brandOf returns the brand in the row's country, or else in that of the shop.
func (e *Engine) brandOf(first int, r *row) (merchant, bool) {
	m, ok := e.brandIn(first, r.code)
	if !ok && r.abroad != "" {
		return e.brandIn(first, r.abroad)
	}
	return m, ok
}

// accepts reports whether a brand's name in the row really means the brand. Unless it cannot be a coincidence, the
// name must be where the row names the payee. A plain word needs other evidence.
func (e *Engine) accepts(r *row, found *match, m *merchant) bool {
	from, to := int(found.from), int(found.to)
	plain := r.isPlain(found)
	switch {
	case r.mcc.known() && r.mcc.Category.ID == m.category.ID:
		return true
	case r.mcc.known() && !r.mcc.moves:
		return false
	case !r.namesParty(from):
		return !plain && found.letters >= longWord+2
	}
	sold, others := r.purchase || r.flags&cueProvider != 0, r.follow(to)
	if r.text.words[to-1].flags&wordNumbered != 0 {
		others = 0 // a branch number follows
	}
	switch {
	case plain && sold:
		return others == 0 || others == 1 && !m.isIn("*")
	case plain:
		return others == 0 && r.text.words[from].field == fieldParty
	default:
		return true
	}
}

// longWord is the number of letters from which a name is not a coincidence.
const longWord = 8

// isPlain reports whether all words of a name are plain words.
func (r *row) isPlain(name *match) bool {
	return !slices.ContainsFunc(r.text.words[name.from:name.to], func(w word) bool {
		return w.flags&(wordCommon|wordGiven|wordSurname|wordNoise|cueTitle|cueProvider) == 0
	})
}

// namesParty reports whether the words before this one only say how and where the payment was made.
func (r *row) namesParty(at int) bool {
	for i := at - 1; i >= 0 && r.text.words[i].run == r.text.words[at].run; i-- {
		if !r.isFiller(i) {
			return false
		}
	}
	return true
}

// follow returns how many meaningful words a run has from this one on.
func (r *row) follow(at int) int {
	n := 0
	for i := at; i < r.text.count && r.text.words[i].run == r.text.words[at-1].run; i++ {
		if !r.isFiller(i) {
			n++
		}
	}
	return n
}

func (r *row) isFiller(i int) bool {
	w := &r.text.words[i]
	b := r.text.bytes(*w)
	return w.part >= partForm || w.flags&(opens|cueCompany|cueInvoice|wordNoise) != 0 ||
		len(b) == 1 || bytes.ContainsAny(b, "0123456789")
}

// cutBrand handles names that the bank has cut off. It returns the result for the only merchant of the country whose
// name begins with the words of a run, or with its first words if they are long.
func (e *Engine) cutBrand(r *row) (Result, bool) {
	if r.people || !r.isBought() {
		return Result{}, false
	}
	for from := range r.text.count {
		w := r.text.words[from]
		if w.part != partName || !r.namesParty(from) || from > 0 && r.text.words[from-1].run == w.run && !r.isFiller(from-1) {
			continue
		}
		end := from + 1
		for end < r.text.count && r.text.words[end].run == w.run && r.text.words[end].part == partName {
			end++
		}
		least := longWord
		if r.flags&formCut != 0 {
			least = minCutBrand
		}
		for to := end; to > from; to-- {
			letters := string(r.text.buf[w.start:r.text.words[to-1].end])
			if len(letters) < least || to < end && (len(letters) < longCut || to-from < 2) {
				break
			}
			if m, ok := e.beginning(letters, r.code); ok {
				return m.result(), true
			}
		}
	}
	return Result{}, false
}

// isBought reports whether the row is a purchase, or has nothing but a name and could be one.
func (r *row) isBought() bool {
	return r.purchase || r.flags&cueProvider != 0 || !r.hasParty && r.sign < 0 && r.flags&(cueTransfer|cuePeople) == 0
}

// The letters that a cut name needs: if the bank cuts all names, and if other words follow.
const minCutBrand, longCut = 5, 11

// beginning returns the only merchant or brand in a country whose name begins with these letters. A longer name that
// begins with another one does not count ("Pingo Doce & Go").
func (e *Engine) beginning(letters, country string) (merchant, bool) {
	var best merchant
	several, last := false, ""
	add := func(name string, m merchant) {
		if (m.isIn("*") || country != "" && m.isIn(country)) && (best.slug == "" || !strings.HasPrefix(name, last)) {
			several = best.slug != "" && (several || m.slug != best.slug)
			best, last = m, name
		}
	}
	words := e.words()
	n := sort.SearchStrings(words, letters)
	for ; n < len(words) && strings.HasPrefix(words[n], letters); n++ {
		for _, p := range e.heads[words[n]].phrases {
			if p.kind == kindMerchant && len(p.rest) == 0 {
				add(words[n], e.merchants[p.id&^weakAlias])
			}
		}
	}
	if best.slug == "" && len(letters) <= e.brands.reach[letters[:headLetters]] { // ours count before brands
		n = sort.SearchStrings(e.brands.letters, letters)
		for ; n < len(e.brands.letters) && strings.HasPrefix(e.brands.letters[n], letters); n++ {
			add(e.brands.letters[n], e.brands.line(n))
		}
	}
	return best, best.slug != "" && !several
}
