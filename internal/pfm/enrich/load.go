package enrich

import (
	"embed"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"aviso/internal/pfm"
)

//go:embed data/*.csv
var data embed.FS

// load reads the rules from a file tree like this directory.
func load(from fs.FS) (*rules, error) {
	l := &loader{
		rules: rules{
			heads:    map[string]*entry{},
			prefixes: map[string]*entry{}, suffixes: map[string]*entry{},
			codes: codeTable{}, mccs: map[int]mccRule{}, countries: codeSet{}, languages: codeSet{}, spoken: map[string]uint64{},
		},
		phrases: map[string]uint32{},
	}
	// The words come first, because they determine which aliases are isWeak.
	for _, step := range []struct {
		file   string
		header string
		row    func(columns []string)
	}{
		{"data/lexicon.csv", "kind,words", l.lexicon},
		{"data/codes.csv", "scheme,code,category,sign", l.code},
		{"data/mcc.csv", "from,to,category", l.mcc},
		{"data/keywords.csv", "language,phrase,category,sign", l.keyword},
		{"data/trades.csv", "language,category,words", l.trades},
		{"data/countries.csv", "countries,languages", l.country},
		{"data/merchants.csv", "slug,name,category,countries,aliases,organization", l.merchant},
	} {
		if err := l.read(from, step.file, step.header, step.row); err != nil {
			return nil, err
		}
	}
	l.words, l.stems = slices.Sorted(maps.Keys(l.heads)), slices.Sorted(maps.Keys(l.prefixes))
	return &l.rules, nil
}

// loader collects the rules row by row.
type loader struct {
	rules
	// phrases are the keywords' IDs by language and phrase.
	phrases map[string]uint32
	// err is what is wrong with the row.
	err error
}

// fail records what is wrong with the row.
func (l *loader) fail(format string, args ...any) {
	l.err = errors.Join(l.err, fmt.Errorf(format, args...))
}

// read calls row for each row of a file. Lines that begin with # are comments.
func (l *loader) read(from fs.FS, name, header string, row func([]string)) error {
	f, err := from.Open(name)
	if err != nil {
		return fmt.Errorf("open rules: %w", err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	if len(rows) == 0 || strings.Join(rows[0], ",") != header {
		return fmt.Errorf("read %s: want the header %s", name, header)
	}
	for i, columns := range rows[1:] {
		if row(columns); l.err != nil {
			return fmt.Errorf("read %s: row %d: %w", name, i+1, l.err)
		}
	}
	return nil
}

func (l *loader) category(id string) pfm.Category {
	n, err := strconv.Atoi(id)
	category, ok := pfm.CategoryOf(n)
	if err != nil || !ok || n != category.SubcategoryID {
		l.fail("category %q is not that of a subcategory", id)
	}
	return category
}

func (l *loader) sign(column string) int {
	sign, ok := map[string]int{"": 0, "+": 1, "-": -1}[column]
	if !ok {
		l.fail("sign %q is neither + nor -", column)
	}
	return sign
}

func (l *loader) number(column string) int {
	n, err := strconv.Atoi(column)
	if err != nil {
		l.fail("%q is not a number", column)
	}
	return n
}

func (l *loader) lexicon(c []string) {
	flags, ok := lexiconKinds()[c[0]]
	if !ok {
		l.fail("unknown kind of words %q", c[0])
	}
	for written := range strings.SplitSeq(c[1], "|") {
		l.flag(written, flags)
	}
}

// flag marks a word, a phrase or, if it is written with an asterisk, all words with
// a stem.
func (l *loader) flag(written string, flags wordFlags) {
	words := foldedWords(written)
	if len(words) == 1 {
		if h := l.stem(written, words[0]); h != nil {
			h.flags |= flags
			return
		}
	}
	if len(words) > 0 {
		l.mark(words, flags)
	}
}

func (l *loader) code(c []string) {
	scheme, code := c[0]+":", c[1]
	if scheme == "code:" {
		parts := strings.Split(code, "-")
		switch {
		case len(parts) != 3:
			l.fail("code %q does not have three parts", code)
		case parts[0] == "*":
			scheme, code = "sub:", parts[2]
		case parts[1] == "*":
			scheme, code = "domain:", parts[0]
		case parts[2] == "*":
			scheme, code = "family:", parts[0]+"-"+parts[1]
		}
	}
	key := codeKey{scheme, code}
	l.codes[key] = append(l.codes[key], codeRule{Result{
		Category: l.category(c[2]), Source: pfm.SourceBankCode, RuleID: c[0] + ":" + c[1], Confidence: sureOfCode,
	}, l.sign(c[3])})
}

func (l *loader) mcc(c []string) {
	category, from, to := l.category(c[2]), l.number(c[0]), l.number(c[1])
	if to < from || from < 0 || to >= mccCount {
		l.fail("%s to %s is not a range of codes", c[0], c[1])
		return
	}
	moves := category.SubcategoryID == pfm.TransferOther || category.SubcategoryID == pfm.TransferPerson
	for n := from; n <= to; n++ {
		if _, ok := l.mccs[n]; ok {
			l.fail("duplicate code %04d", n)
		}
		l.mccs[n] = mccRule{category: category, moves: moves, rule: fmt.Sprintf("mcc:%04d", n)}
	}
}

func (l *loader) keyword(c []string) {
	l.say(c[0], c[1], keyword{category: l.category(c[2]), sign: l.sign(c[3])})
}

func (l *loader) trades(c []string) {
	category := l.category(c[1])
	for phrase := range strings.SplitSeq(c[2], "|") {
		if !l.markTrade("*", phrase) && !l.markTrade(c[0], phrase) {
			l.say(c[0], phrase, keyword{category: category, trade: isClear(phrase)})
		}
	}
}

// isClear reports whether a word of trades.csv is long enough to mean nothing else.
func isClear(phrase string) bool {
	const word, stem = 5, 6
	letters := utf8.RuneCountInString(strings.Trim(phrase, "*"))
	return letters >= stem || letters >= word && !strings.Contains(phrase, "*")
}

// markTrade marks a phrase of keywords.csv as a trade. It returns false if there is none.
func (l *loader) markTrade(language, phrase string) bool {
	id, ok := l.phrases[language+":"+phrase]
	if ok {
		l.keywords[id].trade = isClear(phrase)
	}
	return ok
}

// say adds a phrase of a language.
func (l *loader) say(language, text string, k keyword) {
	words := foldedWords(text)
	if len(words) == 0 {
		l.fail("phrase %q has no words", text)
		return
	}
	name := language + ":" + text
	k.rule = "keyword:" + name
	if language != "*" {
		k.languages = l.languages.add(strings.ToUpper(language))
	}
	k.judge()
	id := uint32(len(l.keywords))
	l.phrases[name] = id
	l.keywords = append(l.keywords, k)
	if len(words) == 1 {
		if h := l.stem(text, words[0]); h != nil {
			h.phrases = append(h.phrases, phrase{kind: kindKeyword, letters: uint8(len(words[0])), id: id})
			return
		}
	}
	l.add(words, kindKeyword, id)
}

func (l *loader) country(c []string) {
	for country := range strings.SplitSeq(c[0], ";") {
		for language := range strings.SplitSeq(c[1], ";") {
			l.spoken[country] |= l.languages.add(language)
		}
	}
}

func (l *loader) merchant(c []string) {
	category := l.category(c[2])
	m := merchant{
		slug: c[0], name: c[1], category: category,
		scheme: category.SubcategoryID == pfm.TransferPerson,
	}
	for country := range strings.SplitSeq(c[3], ";") {
		m.countries |= l.countries.add(country)
	}
	id := uint32(len(l.merchants))
	l.merchants = append(l.merchants, m)
	// Parentheses after a name only distinguish it from another merchant's.
	name, _, _ := strings.Cut(c[1], " (")
	for alias := range strings.SplitSeq(name+"|"+c[4], "|") {
		words := foldedWords(alias)
		if l.isWeak(words) {
			l.add(words, kindMerchant, id|weakAlias)
		} else {
			l.add(words, kindMerchant, id)
		}
	}
}

// isWeak reports whether an alias needs other evidence in the row, because it is
// short, a person's name or a common word.
func (r *rules) isWeak(words []string) bool {
	letters := 0
	for _, w := range words {
		letters += len(w)
	}
	if len(words) != 1 {
		return letters <= 4
	}
	h := r.heads[words[0]]
	if h == nil {
		return letters <= 3
	}
	keyword := slices.ContainsFunc(h.phrases, func(p phrase) bool { return p.kind == kindKeyword && len(p.rest) == 0 })
	return letters <= 3 || keyword || h.flags&(wordCommon|wordGiven|wordSurname|wordNoise) != 0
}

// codeSet assigns a bit to every code of a small set, such as countries.
type codeSet map[string]uint64

// anyOther is the bit of the codes that are not in the set.
const anyOther = 1 << 63

func (s codeSet) add(code string) uint64 {
	bit, ok := s[code]
	if !ok {
		bit = 1 << min(len(s), 62)
		s[code] = bit
	}
	return bit
}

// of returns the bit of a code, or 0 if the code is empty, which means unknown.
func (s codeSet) of(code string) uint64 {
	if code == "" {
		return 0
	}
	if bit, ok := s[strings.ToUpper(code)]; ok {
		return bit
	}
	return anyOther
}
