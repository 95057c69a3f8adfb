package deadline

import (
	_ "embed" // the words
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// wordsFile has the texts of all languages. Only an answer parses it, so it costs a function's start nothing.
//
//go:embed words.json
var wordsFile []byte

// message is the name of a text. A test finds names without a text.
type message string

// words are the texts of one language.
type words struct {
	// Date is a layout of package time. None is the text of an empty period.
	Date, None string
	// Units have the forms for one, for a few if the language has such a form, and for many. A few are 2 to 4, and with
	// FewAgain also 22 to 24 and so on.
	Units    map[string][]string
	FewAgain bool
	EndOf    map[EndOf]string
	Channels map[Channel]string
	Texts    map[message]string
}

// wordsIn returns the words of a language, or the English ones.
func wordsIn(language string) words {
	var all map[string]json.RawMessage
	var w words
	err := json.Unmarshal(wordsFile, &all)
	if err == nil {
		text, known := all[language]
		if !known {
			text = all["en"]
		}
		err = json.Unmarshal(text, &w)
	}
	if err != nil { // the tests read every language
		panic(fmt.Sprintf("words of deadlines in %s: %v", language, err))
	}
	return w
}

// args are the values of a text's placeholders.
type args map[string]any

// workdays is a number of working days.
type workdays int

// step is a step that has no text yet.
type step struct {
	rule, source string
	text         message
	args         args
}

// saysLastChance reports whether the step is about the days by which a cancellation must be sent.
func (s step) saysLastChance() bool {
	rules := []string{"notice_period", "working_day", "lead_time", "channel_too_slow", "earliest_end"}
	return slices.Contains(rules, s.rule)
}

func (p *plan) explain(rule, source string, text message, a args) {
	p.steps = append(p.steps, step{rule, source, text, a})
}

// fill returns a text with its values.
func (w words) fill(text message, a args) string {
	var pairs []string
	for name, value := range a {
		pairs = append(pairs, "{"+name+"}", w.text(value))
	}
	return strings.NewReplacer(pairs...).Replace(w.Texts[text])
}

func (w words) text(value any) string {
	switch v := value.(type) {
	case time.Time:
		if v.IsZero() {
			return w.None
		}
		return v.Format(w.Date)
	case Period:
		if v.isZero() {
			return w.None
		}
		n, unit := v.parts()
		return w.count(n, unit)
	case workdays:
		return w.count(int(v), "WD")
	case EndOf:
		return w.EndOf[v]
	case Channel:
		return w.Channels[v]
	default:
		return fmt.Sprint(v)
	}
}

// count returns a number with its unit.
func (w words) count(n int, unit string) string {
	forms := w.Units[unit]
	form := forms[len(forms)-1]
	few := n >= 2 && n <= 4 || w.FewAgain && n > 20 && n%10 >= 2 && n%10 <= 4 && (n%100 < 12 || n%100 > 14)
	switch {
	case n == 1:
		form = forms[0]
	case few && len(forms) > 2:
		form = forms[1]
	}
	return strconv.Itoa(n) + " " + form
}
