package console

import (
	"cmp"
	"fmt"
	"html/template"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"aviso/internal/api/apierror"
)

// Tone is what a color says. The text says the same.
type Tone string

// The tones of badges and bars.
const (
	Neutral Tone = "neutral"
	Good    Tone = "good"
	Waiting Tone = "waiting"
	Bad     Tone = "bad"
)

// The values below can be the value of a Fact and a cell of a Table, as can texts, numbers,
// times (shown as "3 minutes ago") and nil (shown as a dash).

// Badge is a state in a word or two.
type Badge struct {
	Tone Tone
	Text string
}

// Link leads to an address of the console.
type Link struct{ To, Text string }

// Code is an ID or another text that people copy.
type Code string

// At is a time to the second, with how long ago it was.
type At struct {
	time.Time
	// User is the time of a user whose clock may be ahead of ours; zero for our time.
	User time.Time
}

// Soft is a text of less weight.
type Soft string

// happened returns how a time in the past is shown. One that is in the future is by the clock of
// a user, so how far it is from now says nothing.
func happened(now, at time.Time, shown any) any {
	if isAhead(now, at) {
		return Pair{inUTC(at), byUsersClock}
	}
	return shown
}

// isAhead reports whether a time in the past is by the clock of a user that was moved. Other
// clocks are never a minute apart.
func isAhead(now, at time.Time) bool { return at.After(now.Add(time.Minute)) }

const byUsersClock = "by the user's clock"

func inUTC(t time.Time) string { return t.UTC().Format("2 Jan 2006, 15:04:05 UTC") }

// Pair is a text with a second one below it.
type Pair struct{ First, Second string }

// Below is the second text, which may have an address of the API in it.
func (p Pair) Below() Address { return Address(p.Second) }

// Address is a text that may be broken after each slash.
type Address string

// Parts are what stays in one piece.
func (a Address) Parts() []string { return strings.SplitAfter(string(a), "/") }

// Values are several values in one cell.
type Values []any

// Fact is a name and its value, for the template "facts".
type Fact struct {
	Name  string
	Value any
}

// Facts are the facts about one thing.
type Facts []Fact

// Empty says why a list is empty and what would fill it.
type Empty struct {
	Title, Text string
	// Command is what to type, such as a call with curl; Link where to go. Both may be empty.
	Command string
	Link    Link
}

// Pages are the links below a list.
type Pages struct {
	// Later says that this is not the first page.
	Later bool
	// Newest is the address of the first page, Older of the next; empty if there is none.
	Newest, Older string
}

// Table is a list for the template "table". On a phone, each row is a card.
type Table struct {
	// Caption is for screen readers.
	Caption string
	Columns []string
	// Rows have a value for each column. The first one names the row.
	Rows  [][]any
	Empty Empty
	Pages Pages
	// Live is the address of the page where new rows appear by themselves; empty where they do not.
	Live string
}

// Tabs are pages of one thing, or views of one list, for the template "tabs".
type Tabs struct {
	// Label is for screen readers.
	Label string
	Links []Tab
}

// Tab is one of them.
type Tab struct {
	Link
	Current bool
}

// Form is a form for the template "form".
type Form struct {
	// ID tells forms of a page apart. It may be empty if there is one.
	ID     string
	Action string
	// Search makes the form a GET.
	Search bool
	Submit string
	// Confirm asks before the form is sent: the button opens the question and the fields.
	Confirm string
	// Danger is for what cannot be undone.
	Danger bool
	Hidden map[string]string
	Fields []Field
}

// Inputs are the fields with the IDs that labels refer to.
func (f Form) Inputs() []Field {
	inputs := make([]Field, len(f.Fields))
	for i, field := range f.Fields {
		field.ID = strings.TrimPrefix(f.ID+"-"+field.Name, "-")
		inputs[i] = field
	}
	return inputs
}

// Field is a field of a form.
type Field struct {
	ID, Name, Label string
	// Kind is the type of the input element, "area", "choice" or "checks"; "text" if empty.
	Kind, Value string
	Hint        string
	Problem     string
	// Complete is the attribute autocomplete.
	Complete string
	Required bool
	// Options are those of a choice or of checks. With Types, all types of events follow them.
	Options []Option
	Types   bool
	// Checked are the values of those that are checked.
	Checked []string
}

// IsChecked reports whether the option with this value is checked.
func (f Field) IsChecked(value string) bool { return slices.Contains(f.Checked, value) }

// Option is an option of a choice.
type Option struct{ Value, Text string }

// Block is a text to copy, such as a command, a body or headers.
type Block struct{ Label, Text string }

// Bars is a small bar chart, for the template "bars".
type Bars struct {
	// Label says what is counted and of which time: "Requests, last 24 hours".
	Label string
	// Unit is what one is called, BadUnit a bad one: "requests", "errors".
	Unit, BadUnit string
	Values        []Bar
}

// Bar is one bar: how many, and how many of them were bad.
type Bar struct {
	Label      string
	Count, Bad int
}

// barHeight and barStep are the chart's measures in the units of its view box.
const barHeight, barStep = 40, 8

// Mark is a bar as it is drawn.
type Mark struct {
	Bar
	X, Y, Height, BadY, BadHeight int
}

// Width is the width of the chart.
func (b Bars) Width() int { return max(1, len(b.Values)) * barStep }

// Marks returns the bars as they are drawn. Whatever is not zero can be seen.
func (b Bars) Marks() []Mark {
	most := 1
	for _, v := range b.Values {
		most = max(most, v.Count)
	}
	height := func(n int) int {
		if n == 0 {
			return 0
		}
		return max(2, n*barHeight/most)
	}
	marks := make([]Mark, len(b.Values))
	for i, v := range b.Values {
		h, bad := height(v.Count), height(v.Bad)
		marks[i] = Mark{Bar: v, X: i * barStep, Y: barHeight - h, Height: h, BadY: barHeight - bad, BadHeight: bad}
	}
	return marks
}

// Total is the sum of the bars.
func (b Bars) Total() (total Bar) {
	for _, v := range b.Values {
		total.Count += v.Count
		total.Bad += v.Bad
	}
	return total
}

// InAll is the total with its unit.
func (b Bars) InAll() string {
	return countOf(b.Total().Count, strings.TrimSuffix(b.Unit, "s"), b.Unit)
}

// InWords says what the chart shows, for those who do not see it.
func (b Bars) InWords() string {
	text := b.Label + ": " + b.InAll()
	if b.BadUnit != "" {
		text += ", " + countOf(b.Total().Bad, b.BadUnit, b.BadUnit)
	}
	var most Bar
	for _, v := range b.Values {
		if v.Count > most.Count {
			most = v
		}
	}
	if most.Count > 0 {
		text += ". The most were " + grouped(most.Count) + " (" + most.Label + ")"
	}
	return text + "."
}

// Ago says how long ago, or in how long, a time is.
func Ago(now, t time.Time) string {
	d := now.Sub(t)
	format := "%s ago"
	if d < 0 {
		d, format = -d, "in %s"
	}
	for _, unit := range []struct {
		of   time.Duration
		name string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}} {
		if n := int(d / unit.of); n == 1 {
			return fmt.Sprintf(format, "1 "+unit.name)
		} else if n > 1 {
			return fmt.Sprintf(format, fmt.Sprintf("%d %ss", n, unit.name))
		}
	}
	if format == "%s ago" {
		return "just now"
	}
	return "in less than a minute"
}

// partFunctions are the functions that templates may call.
func partFunctions(now func() time.Time) template.FuncMap {
	return template.FuncMap{
		"ago":     func(t time.Time) string { return Ago(now(), t) },
		"agoAt":   func(a At) string { return Ago(cmp.Or(a.User, now()), a.Time) },
		"kind":    kind,
		"grouped": grouped,
		"iso":     func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"utc":     inUTC,
	}
}

// kind names the type of a value, for the template "value".
func kind(v any) string {
	switch v := v.(type) {
	case nil:
		return "none"
	case interface{ IsZero() bool }:
		if v.IsZero() {
			return "none"
		}
	case Values:
		if len(v) == 0 {
			return "none"
		}
	case Soft:
		if v == "" {
			return "nothing"
		}
	case Code, string:
		if reflect.ValueOf(v).IsZero() {
			return "none"
		}
	}
	return strings.ToLower(reflect.TypeOf(v).Name())
}

// judge tells the form's fields what a refusal finds wrong with them, and returns the page's
// problem and status. The fields have the names of the members of the interface.
func (f *Form) judge(refusal *apierror.Error) (problem string, status int) {
	if refusal == nil {
		return "", http.StatusOK
	}
	problem = refusal.Detail
	for _, fault := range refusal.Fields {
		for i := range f.Fields {
			field := &f.Fields[i]
			part, ok := strings.CutPrefix(fault.Pointer, "/"+field.Name)
			if ok && (part == "" || part[0] == '/') {
				problem = "Please correct what is marked below."
				field.Problem = strings.TrimSpace(field.Problem + " " + faultInWords(part, fault.Detail))
			}
		}
	}
	return problem, refusalStatus(refusal.Code)
}

// faultInWords says what is wrong with a field, or a part of it.
func faultInWords(part, detail string) string {
	text := strings.TrimSuffix(detail, ".") + "."
	if part != "" {
		return part + ": " + text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
