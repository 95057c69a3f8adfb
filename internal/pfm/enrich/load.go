package enrich

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"aviso/internal/pfm"
)

// load reads the rules from a file tree like this directory.
func load(from fs.FS) (*loader, error) {
	l := &loader{
		from: from, categories: categories(), folder: newFolder(), book: newPhraseBook(),
		phrases: map[string]uint32{}, countries: codeSet{}, languages: codeSet{},
	}
	// The words come first, because they determine which aliases are isWeak.
	for _, step := range []struct {
		file   string
		header string
		row    func(columns []string) error
	}{
		{"data/lexicon.csv", "kind,words", l.lexicon},
		{"data/codes.csv", "scheme,code,category,sign", l.code},
		{"data/mcc.csv", "from,to,category", l.mcc},
		{"data/keywords.csv", "language,phrase,category,sign", l.keyword},
		{"data/trades.csv", "language,category,words", l.trades},
		{"data/merchants.csv", "slug,name,category,countries,aliases,organization", l.merchant},
	} {
		if err := l.read(step.file, step.header, step.row); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(l.mccs, func(a, b mccRow) int { return cmp.Compare(a.code, b.code) })
	return l, nil
}

// loader collects the rules row by row.
type loader struct {
	from       fs.FS
	categories map[int]pfm.Category
	folder     *folder
	book       *phraseBook
	merchants  []merchantRow
	keywords   []keywordRow
	codes      []codeRow
	mccs       []mccRow
	// phrases are the keywords' IDs by language and phrase.
	phrases   map[string]uint32
	countries codeSet
	languages codeSet
}

// The rows of the files. rule is the rule's ID, category the subcategory's ID.
type (
	merchantRow struct {
		slug, name, organization string
		category                 int
		countries                uint64
	}
	keywordRow struct {
		rule           string
		category, sign int
		languages      uint64
		trade          bool
	}
	codeRow struct {
		scheme, code, rule string
		category, sign     int
	}
	mccRow struct {
		rule           string
		code, category int
	}
)

// categories returns the subcategories by ID. A rule always names one of them.
func categories() map[int]pfm.Category {
	out := map[int]pfm.Category{}
	for _, top := range pfm.Taxonomy() {
		for _, sub := range top.Subcategories {
			out[sub.SubcategoryID] = sub
		}
	}
	return out
}

// read calls row for each row of a file. Lines that begin with # are comments.
func (l *loader) read(name, header string, row func([]string) error) error {
	f, err := l.from.Open(name)
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
		if err := row(columns); err != nil {
			return fmt.Errorf("read %s: row %d: %w", name, i+1, err)
		}
	}
	return nil
}

func (l *loader) category(id string) (int, error) {
	n, err := strconv.Atoi(id)
	if err != nil {
		return 0, fmt.Errorf("category %q is not a number", id)
	}
	if _, ok := l.categories[n]; !ok {
		return 0, fmt.Errorf("category %q is not a subcategory", id)
	}
	return n, nil
}

func sign(column string) (int, error) {
	switch column {
	case "":
		return 0, nil
	case "+":
		return 1, nil
	case "-":
		return -1, nil
	default:
		return 0, fmt.Errorf("sign %q is neither + nor -", column)
	}
}

func (l *loader) lexicon(c []string) error {
	flags, err := lexiconKind(c[0])
	if err != nil {
		return err
	}
	for written := range strings.SplitSeq(c[1], "|") {
		l.flag(written, flags)
	}
	return nil
}

// flag marks a word, a phrase or, if it is written with an asterisk, all words with
// a stem.
func (l *loader) flag(written string, flags wordFlags) {
	words := l.folder.words(written)
	if len(words) == 1 {
		if h := l.book.stem(written, words[0]); h != nil {
			h.flags |= flags
			return
		}
	}
	if len(words) > 0 {
		l.book.flag(words, flags)
	}
}

func (l *loader) code(c []string) error {
	category, err := l.category(c[2])
	if err != nil {
		return err
	}
	s, err := sign(c[3])
	if err != nil {
		return err
	}
	scheme, code := c[0]+":", c[1]
	if scheme == "code:" {
		parts := strings.Split(code, "-")
		switch {
		case len(parts) != 3:
			return fmt.Errorf("code %q does not have three parts", code)
		case parts[0] == "*":
			scheme, code = "sub:", parts[2]
		case parts[1] == "*":
			scheme, code = "domain:", parts[0]
		case parts[2] == "*":
			scheme, code = "family:", parts[0]+"-"+parts[1]
		}
	}
	l.codes = append(l.codes, codeRow{scheme: scheme, code: code, rule: c[0] + ":" + c[1], category: category, sign: s})
	return nil
}

func (l *loader) mcc(c []string) error {
	category, err := l.category(c[2])
	if err != nil {
		return err
	}
	from, err := strconv.Atoi(c[0])
	if err != nil {
		return fmt.Errorf("code %q is not a number", c[0])
	}
	to, err := strconv.Atoi(c[1])
	if err != nil || to < from || from < 0 || to >= mccCount {
		return fmt.Errorf("%s to %s is not a range of codes", c[0], c[1])
	}
	for n := from; n <= to; n++ {
		if slices.ContainsFunc(l.mccs, func(m mccRow) bool { return m.code == n }) {
			return fmt.Errorf("duplicate code %04d", n)
		}
		l.mccs = append(l.mccs, mccRow{rule: fmt.Sprintf("mcc:%04d", n), code: n, category: category})
	}
	return nil
}

func (l *loader) keyword(c []string) error {
	category, err := l.category(c[2])
	if err != nil {
		return err
	}
	s, err := sign(c[3])
	if err != nil {
		return err
	}
	return l.phrase(c[0], c[1], keywordRow{category: category, sign: s})
}

func (l *loader) trades(c []string) error {
	category, err := l.category(c[1])
	if err != nil {
		return err
	}
	for phrase := range strings.SplitSeq(c[2], "|") {
		if l.markTrade("*", phrase) || l.markTrade(c[0], phrase) {
			continue
		}
		if err := l.phrase(c[0], phrase, keywordRow{category: category, trade: isClear(phrase)}); err != nil {
			return err
		}
	}
	return nil
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

// phrase adds a phrase of a language.
func (l *loader) phrase(language, phrase string, k keywordRow) error {
	words := l.folder.words(phrase)
	if len(words) == 0 {
		return fmt.Errorf("phrase %q has no words", phrase)
	}
	name := language + ":" + phrase
	k.rule = "keyword:" + name
	if language != "*" {
		k.languages = l.languages.add(strings.ToUpper(language))
	}
	id := uint32(len(l.keywords))
	l.phrases[name] = id
	l.keywords = append(l.keywords, k)
	if len(words) == 1 {
		if h := l.book.stem(phrase, words[0]); h != nil {
			h.phrases = append(h.phrases, known{kind: kindKeyword, letters: uint8(len(words[0])), id: id})
			return nil
		}
	}
	l.book.add(words, kindKeyword, id)
	return nil
}

func (l *loader) merchant(c []string) error {
	category, err := l.category(c[2])
	if err != nil {
		return err
	}
	m := merchantRow{slug: c[0], name: c[1], organization: c[5], category: category}
	for country := range strings.SplitSeq(c[3], ";") {
		m.countries |= l.countries.add(country)
	}
	id := uint32(len(l.merchants))
	l.merchants = append(l.merchants, m)
	// Parentheses after a name only distinguish it from another merchant's.
	name, _, _ := strings.Cut(c[1], " (")
	for alias := range strings.SplitSeq(name+"|"+c[4], "|") {
		words := l.folder.words(alias)
		if l.isWeak(words) {
			l.book.add(words, kindMerchant, id|weakAlias)
		} else {
			l.book.add(words, kindMerchant, id)
		}
	}
	return nil
}

// isWeak reports whether an alias needs other evidence in the row, because it is
// short, a person's name or a common word.
func (l *loader) isWeak(words []string) bool {
	letters := 0
	for _, w := range words {
		letters += len(w)
	}
	if len(words) != 1 {
		return letters <= 4
	}
	h := l.book.heads[words[0]]
	if h == nil {
		return letters <= 3
	}
	keyword := slices.ContainsFunc(h.phrases, func(p known) bool { return p.kind == kindKeyword && len(p.rest) == 0 })
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
