package enrich

import (
	"embed"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"aviso/internal/pfm"
)

//go:embed data/*.csv
var data embed.FS

// About the number of words, phrases, merchants and stems, so that nothing need grow while a first row waits.
const manyWords, manyPhrases, manyMerchants, manyStems = 36000, 20000, 6000, 2500

// load reads the rules. The files are embedded, and a test checks them.
func load() *rules {
	l := &loader{rules{
		heads: make(map[string]*entry, manyWords), prefixes: make(map[string]*entry, manyStems), mccs: map[int]int{},
		keywords: make([]keyword, 0, manyPhrases), prefixReach: make(map[string]int, manyStems), suffixes: map[string]*entry{},
		suffixReach: map[string]int{}, merchants: make([]merchant, 0, manyMerchants), codes: map[string][]codeRule{},
		spoken: map[string]string{}, written: map[string]string{},
	}}
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
	l.words = sync.OnceValue(func() []string { return l.names(l.heads) })
	l.stems = sync.OnceValue(func() []string { return l.names(l.prefixes) })
	return &l.rules
}

// names returns the words that alone are a merchant's name or a trade, sorted.
func (r *rules) names(entries map[string]*entry) []string {
	var names []string
	for word, h := range entries {
		if slices.ContainsFunc(h.phrases, func(p phrase) bool {
			return len(p.rest) == 0 && (p.kind == kindMerchant || p.kind == kindKeyword && r.keywords[p.id].trade)
		}) {
			names = append(names, word)
		}
	}
	slices.Sort(names)
	return names
}

// loader collects the rules row by row.
type loader struct{ rules }

// each calls row for each row of a file, without the header. The file has no quotes, and comments begin with #. The
// columns are only valid during the call.
func each(name string, row func(columns []string)) {
	text, err := data.ReadFile("data/" + name + ".csv")
	if err != nil {
		panic("rules: " + err.Error())
	}
	var columns []string
	_, lines, _ := strings.Cut(string(text), "\n")
	for line := range strings.SplitSeq(lines, "\n") {
		if line != "" && line[0] != '#' {
			columns = slices.AppendSeq(columns[:0], strings.SplitSeq(line, ","))
			row(columns)
		}
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
		if words := foldedWords(written); len(words) == 1 {
			l.entry(written, words).flags |= flags
		} else {
			l.add(written, words, kindCue, uint32(flags))
		}
	}
}

func (l *loader) code(c []string) {
	id := c[0] + ":" + c[1]
	result := Result{Category: categoryOf(number(c[2])), Source: pfm.SourceBankCode, RuleID: id}
	l.codes[id] = append(l.codes[id], codeRule{result, sign(c[3])})
}

func (l *loader) mcc(c []string) {
	for n := number(c[0]); n <= number(c[1]); n++ {
		l.mccs[n] = number(c[2])
	}
}

func (l *loader) keyword(c []string) {
	for phrase := range strings.SplitSeq(c[1], "|") {
		l.say(keyword{text: phrase, language: c[0], category: number(c[2]), sign: sign(c[3])})
	}
}

func (l *loader) trades(c []string) {
	for phrase := range strings.SplitSeq(c[2], "|") {
		if !l.markTrade(c[0], phrase) {
			l.say(keyword{text: phrase, language: c[0], category: number(c[1]), trade: isClear(phrase)})
		}
	}
}

// isClear reports whether a word of trades.csv is long enough to be unambiguous: a stem needs a letter more.
func isClear(phrase string) bool {
	letters := utf8.RuneCountInString(strings.Trim(phrase, "*"))
	return letters > 5 || letters == 5 && !strings.Contains(phrase, "*")
}

// markTrade marks a phrase of keywords.csv as a trade. It returns false if the phrase does not exist.
func (l *loader) markTrade(language, text string) (known bool) {
	for _, p := range l.entry(text, foldedWords(text)).phrases {
		if p.kind != kindKeyword {
			continue
		}
		if k := &l.keywords[p.id]; k.text == text && (k.language == "*" || k.language == language) {
			k.trade, known = isClear(text), true
		}
	}
	return known
}

func (l *loader) say(k keyword) {
	k.judge()
	l.add(k.text, foldedWords(k.text), kindKeyword, uint32(len(l.keywords)))
	l.keywords = append(l.keywords, k)
}

func (l *loader) country(c []string) {
	for country := range strings.SplitSeq(c[0], ";") {
		l.spoken[country] += strings.ToLower(c[1]) + ";"
	}
}

func (l *loader) abroad(c []string) {
	for written := range strings.SplitSeq(c[1], "|") {
		l.written[strings.Join(foldedWords(written), " ")] = c[0]
	}
}

func (l *loader) merchant(c []string) {
	category := categoryOf(number(c[2]))
	first := uint32(len(l.merchants))
	// Parentheses after a name distinguish it from another merchant's.
	name, _, _ := strings.Cut(c[1], " (")
	for alias := range strings.SplitSeq(name+"|"+c[4], "|") {
		id := first
		// An alias with a capital letter is a name of its own.
		if alias == name || strings.ToLower(alias) != alias {
			id = uint32(len(l.merchants))
			l.merchants = append(l.merchants, merchant{
				slug: c[0], name: alias, category: category, countries: c[3],
				scheme: category.SubcategoryID == pfm.TransferPerson,
			})
		}
		words := foldedWords(alias)
		if l.isWeak(words) {
			id |= weakAlias
		}
		l.add(alias, words, kindMerchant, id)
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
