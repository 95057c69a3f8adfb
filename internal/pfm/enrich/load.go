package enrich

import (
	"bytes"
	"embed"
	"encoding/csv"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"aviso/internal/pfm"
)

//go:embed data/*.csv
var data embed.FS

// manyWords is about the number of phrases, so that maps need not grow while a first row waits.
const manyWords = 1 << 15

// load reads the rules. The files are embedded, and a test checks them.
func load() *rules {
	l := &loader{
		rules: rules{
			heads: make(map[string]*entry, manyWords), prefixes: map[string]*entry{}, suffixes: map[string]*entry{},
			prefixReach: map[string]int{}, suffixReach: map[string]int{},
			codes: map[string][]codeRule{}, mccs: map[int]mccRule{}, spoken: map[string]string{}, written: map[string]string{},
		},
		phrases: make(map[string]uint32, manyWords),
	}
	// The words come first, because they determine which aliases are isWeak.
	each("lexicon", l.lexicon)
	each("forms", l.lexicon)
	each("codes", l.code)
	each("mcc", l.mcc)
	each("keywords", l.keyword)
	each("trades", l.trades)
	each("countries", l.country)
	each("abroad", l.abroad)
	each("merchants", l.merchant)
	l.words, l.stems = slices.Sorted(maps.Keys(l.heads)), slices.Sorted(maps.Keys(l.prefixes))
	return &l.rules
}

// loader collects the rules row by row.
type loader struct {
	rules
	// phrases are the keywords' IDs by language and phrase.
	phrases map[string]uint32
}

// each calls row for each row of a file, without the header. Lines that begin with # are comments.
func each(name string, row func(columns []string)) {
	text, err := data.ReadFile("data/" + name + ".csv")
	r := csv.NewReader(bytes.NewReader(text))
	r.Comment = '#'
	rows, unread := r.ReadAll()
	if err != nil || unread != nil {
		panic(fmt.Sprintf("rules in %s.csv: %v, %v", name, err, unread))
	}
	for _, columns := range rows[1:] {
		row(columns)
	}
}

// number returns the number in a column. A test checks that it is one.
func number(column string) int {
	n, _ := strconv.Atoi(column)
	return n
}

// sign returns the required sign of an amount; 0 means any.
func sign(column string) int { return map[string]int{"+": 1, "-": -1}[column] }

func (l *loader) lexicon(c []string) {
	flags := wordFlags(1) << slices.Index(strings.Fields(kindNames), c[0])
	if flags == wordLegal {
		flags |= cueCompany
	}
	for written := range strings.SplitSeq(c[1], "|") {
		words := foldedWords(written)
		if h := l.stem(written, words); h != nil {
			h.flags |= flags
		} else if len(words) > 0 {
			l.mark(words, flags)
		}
	}
}

func (l *loader) code(c []string) {
	id := c[0] + ":" + c[1]
	result := Result{Category: categoryOf(number(c[2])), Source: pfm.SourceBankCode, RuleID: id}
	l.codes[id] = append(l.codes[id], codeRule{result, sign(c[3])})
}

func (l *loader) mcc(c []string) {
	category := categoryOf(number(c[2]))
	moves := category.SubcategoryID == pfm.TransferOther || category.SubcategoryID == pfm.TransferPerson
	for n := number(c[0]); n <= number(c[1]); n++ {
		l.mccs[n] = mccRule{Result{Category: category, Source: pfm.SourceMCC, RuleID: fmt.Sprintf("mcc:%04d", n)}, moves}
	}
}

func (l *loader) keyword(c []string) {
	for phrase := range strings.SplitSeq(c[1], "|") {
		l.say(c[0], phrase, number(c[2]), keyword{sign: sign(c[3])})
	}
}

func (l *loader) trades(c []string) {
	for phrase := range strings.SplitSeq(c[2], "|") {
		if !l.markTrade("*", phrase) && !l.markTrade(c[0], phrase) {
			l.say(c[0], phrase, number(c[1]), keyword{trade: isClear(phrase)})
		}
	}
}

// isClear reports whether a word of trades.csv is long enough to be unambiguous.
func isClear(phrase string) bool {
	const word, stem = 5, 6
	letters := utf8.RuneCountInString(strings.Trim(phrase, "*"))
	return letters >= stem || letters >= word && !strings.Contains(phrase, "*")
}

// markTrade marks a phrase of keywords.csv as a trade. It returns false if the phrase does not exist.
func (l *loader) markTrade(language, phrase string) bool {
	id, ok := l.phrases[language+":"+phrase]
	if ok {
		l.keywords[id].trade = isClear(phrase)
	}
	return ok
}

// say adds a phrase of a language.
func (l *loader) say(language, text string, category int, k keyword) {
	name := language + ":" + text
	k.Result = Result{Category: categoryOf(category), Source: pfm.SourceKeyword, RuleID: "keyword:" + name}
	if language != "*" {
		k.language = strings.ToUpper(language)
	}
	k.judge()
	id := uint32(len(l.keywords))
	l.phrases[name] = id
	l.keywords = append(l.keywords, k)
	words := foldedWords(text)
	if h := l.stem(text, words); h != nil {
		h.phrases = append(h.phrases, phrase{kind: kindKeyword, letters: uint8(len(words[0])), id: id})
		return
	}
	l.add(words, kindKeyword, id)
}

func (l *loader) country(c []string) {
	for country := range strings.SplitSeq(c[0], ";") {
		l.spoken[country] += c[1] + ";"
	}
}

func (l *loader) abroad(c []string) {
	for written := range strings.SplitSeq(c[1], "|") {
		l.written[strings.Join(foldedWords(written), " ")] = c[0]
	}
}

func (l *loader) merchant(c []string) {
	category := categoryOf(number(c[2]))
	first, known := uint32(len(l.merchants)), merchantID(c[0])
	id := first
	// Parentheses after a name distinguish it from another merchant's.
	name, _, _ := strings.Cut(c[1], " (")
	for alias := range strings.SplitSeq(name+"|"+c[4], "|") {
		// An alias with a capital letter is a name of its own.
		if alias == name || strings.ToLower(alias) != alias {
			id = uint32(len(l.merchants))
			l.merchants = append(l.merchants, merchant{
				id: known, slug: c[0], name: alias, category: category, countries: c[3],
				scheme: category.SubcategoryID == pfm.TransferPerson,
			})
		}
		words := foldedWords(alias)
		if l.isWeak(words) {
			l.add(words, kindMerchant, id|weakAlias)
		} else {
			l.add(words, kindMerchant, id)
		}
		id = first
	}
}

// isWeak reports whether an alias needs other evidence in the row, because it is short, a person's name or a common
// word.
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
