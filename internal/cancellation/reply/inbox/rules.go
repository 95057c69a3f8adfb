// Package inbox receives mail from organizations: it reads MIME, HTML and PDF, and decides by rules what a mail means.
package inbox

import (
	"cmp"
	"embed"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"aviso/internal/textfold"
)

//go:embed rules/*.json
var ruleFiles embed.FS

// rules are the words of a language that decide what a sentence says. Their patterns match folded text.
type rules struct {
	language string
	// Words are frequent words, by which the language is recognized, and Months the stems of the months' names.
	Words, Months []string
	// Auto are subjects of automatic replies, and Away sentences about absence.
	Auto, Away patterns
	// Receipt is masked before Confirm is looked for: "we confirm the receipt of your cancellation" confirms nothing.
	Receipt patterns
	// Confirm accepts the cancellation. Ends says that the contract ends, which needs a date.
	Confirm, Ends patterns
	// Agree is how people say yes. It needs the date that goes with it.
	Agree patterns
	// Lapse says that the contract is not renewed.
	Lapse patterns
	// Refuse rejects the cancellation, for one of the reasons.
	Refuse, UserNotFound, InconsistentData, AlreadyCancelled, BindingPeriod patterns
	// AlreadyMeansNow: the word for "already" also means "now", so an end to come is a confirmation.
	AlreadyMeansNow bool
	// Need asks for something, and Fields are what may be asked for.
	Need   patterns
	Fields map[string]patterns
	// Received acknowledges the letter, and Offer tries to keep the user.
	Received, Offer patterns
	// Conditional sentences decide nothing, and Unreal ones do not confirm.
	Conditional, Unreal patterns
	// End and NotEnd stand next to the last day of a contract, and next to other dates.
	End, NotEnd patterns
	// The last day of a month or year, and today.
	EndOf                  pattern
	MonthEnd, YearEnd, Now patterns
	// Footer is boilerplate.
	Footer patterns
}

// common are the words of all languages.
type common struct {
	Contract, NotNeed, Plea pattern
	// A mail must match Topic before its meaning is guessed. Other finds words about other matters.
	Topic, Other pattern
	// Counted is a term, such as "one month after receipt". It makes no sentence conditional.
	Counted pattern
	// Span is a time to come. Its groups: a word such as "in", the number, days, weeks, months, and words such as
	// "from today".
	Span    pattern
	Numbers map[string]int
}

// pattern is a regular expression in a file.
type pattern struct{ *regexp.Regexp }

// UnmarshalJSON implements json.Unmarshaler.
func (p *pattern) UnmarshalJSON(text []byte) error {
	var s string
	err := json.Unmarshal(text, &s)
	if err == nil {
		p.Regexp, err = regexp.Compile(s)
	}
	return err
}

// patterns are alternatives. One regular expression answers faster than its parts, which say which one it was.
type patterns struct {
	*regexp.Regexp

	parts []*regexp.Regexp
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *patterns) UnmarshalJSON(text []byte) error {
	var all []string
	err := json.Unmarshal(text, &all)
	for i := 0; i < len(all) && err == nil; i++ {
		var part *regexp.Regexp
		part, err = regexp.Compile(all[i])
		p.parts = append(p.parts, part)
	}
	if err == nil {
		p.Regexp, err = regexp.Compile("(?:" + strings.Join(all, ")|(?:") + ")")
	}
	return err
}

// which returns the number of the first alternative that matches, and how many do.
func (p *patterns) which(s string) (first, count int) {
	first = -1
	for i, part := range p.parts {
		if part.MatchString(s) {
			count++
			if first < 0 {
				first = i
			}
		}
	}
	return first, count
}

// book has the rules of all languages.
type book struct {
	languages []*rules
	all       common
}

var readRules = sync.OnceValue(func() book { //nolint:gochecknoglobals // constant, parsed when it is first needed
	var b book
	files, err := ruleFiles.ReadDir("rules")
	for i := 0; i < len(files) && err == nil; i++ {
		var text []byte
		name := files[i].Name()
		if text, err = ruleFiles.ReadFile("rules/" + name); err != nil {
			break
		}
		if name == "all.json" {
			err = json.Unmarshal(text, &b.all)
			continue
		}
		r := &rules{language: strings.TrimSuffix(name, ".json")}
		err = json.Unmarshal(text, r)
		b.languages = append(b.languages, r)
	}
	if err != nil { // the tests read every file
		panic("reply: " + err.Error())
	}
	return b
})

// sister is the share of the best language's points from which another is tried, too.
const sister = 0.6

// ranked returns the language whose frequent words the text has most of, and the next one if it is close, such as
// Norwegian after Danish. A word counts less if more languages have it.
func (b book) ranked(folded string) []*rules {
	counts, known := map[string]int{}, map[string]float64{}
	for word := range strings.FieldsFuncSeq(folded, func(r rune) bool { return !unicode.IsLetter(r) }) {
		counts[word]++
	}
	for _, r := range b.languages {
		for _, w := range r.Words {
			known[w]++
		}
	}
	points := map[*rules]float64{}
	for _, r := range b.languages {
		for _, w := range r.Words {
			points[r] += float64(min(counts[w], 3)) / known[w]
		}
	}
	all := slices.Clone(b.languages)
	slices.SortStableFunc(all, func(a, b *rules) int { return cmp.Compare(points[b], points[a]) })
	if points[all[1]] < sister*points[all[0]] {
		return all[:1]
	}
	return all[:2]
}

// ruleID names a rule.
func (r *rules) ruleID(kind string, number int) string {
	if number < 0 {
		return r.language + "." + kind
	}
	return r.language + "." + kind + "." + strconv.Itoa(number+1)
}

// fold returns text in lower case without accents.
func fold(s string) string {
	var out strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(s)) {
		switch _, long := textfold.Letter(r); {
		case unicode.Is(unicode.Mn, r), unicode.Is(unicode.Cf, r):
		case r == '’' || r == '‘' || r == '`':
			out.WriteByte('\'')
		case r == '–' || r == '—' || r == '‑':
			out.WriteByte('-')
		case r == 'ø':
			out.WriteByte('o')
		case long != "":
			out.WriteString(long)
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}
