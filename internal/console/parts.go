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

// Tone is the meaning of a color. The text always says the same.
type Tone string

// The tones of badges and bars.
const (
	Neutral Tone = "neutral"
	Good    Tone = "good"
	Waiting Tone = "waiting"
	Bad     Tone = "bad"
)

// A Fact's value and a Table's cell can be any of the values below, a text, a number, a time (shown as "3 minutes
// ago") or nil (shown as a dash).

// Badge is a state in a word or two.
type Badge struct {
	Tone Tone
	Text string
}

// Link is a link to an address of the console.
type Link struct{ To, Text string }

// Code is an ID or another text that people copy.
type Code string

// At is a time to the second. It also shows how long ago that was.
type At struct {
	time.Time
	// User is the time of a user whose clock may be ahead; zero for real time.
	User time.Time
}

// Soft is a less important text.
type Soft string

// happened shows a past time as shown. A future time is by a user's clock: the distance from now would mean nothing,
// so it is shown as At.
func happened(now, at time.Time, shown any) any {
	if isAhead(now, at) {
		return Pair{inUTC(at), byUsersClock}
	}
	return shown
}

// isAhead reports whether the time of a past event is by a user's moved clock. Other clocks never differ by a minute.
func isAhead(now, at time.Time) bool { return at.After(now.Add(time.Minute)) }

const byUsersClock = "by the user's clock"

func inUTC(t time.Time) string { return t.UTC().Format("2 Jan 2006, 15:04:05 UTC") }

// Pair is a text with a second text below it.
type Pair struct{ First, Second string }

// Below is the second text, which may contain an address of the API.
func (p Pair) Below() Address { return Address(p.Second) }

// Address is a text that may wrap after each slash.
type Address string

// Parts are the parts that do not wrap.
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

// Empty says why a list is empty and how to fill it.
type Empty struct {
	Title, Text string
	// Command is a command to run, such as a call with curl. Link is a page to open. Both may be empty.
	Command string
	Link    Link
}

// Pages are the links below a list.
type Pages struct {
	// Later says that this is not the first page.
	Later bool
	// Newest is the address of the first page, and Older that of the next; empty if there is none.
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
	// Live is the address of the page on which new rows appear automatically; empty where they do not.
	Live string
}

// Tabs are pages of one object, or views of one list, for the template "tabs".
type Tabs struct {
	// Label is for screen readers.
	Label string
	Links []Tab
}

// Tab is one tab.
type Tab struct {
	Link
	Current bool
}

// Form is a form for the template "form".
type Form struct {
	// ID distinguishes forms on a page. It may be empty if there is only one.
	ID     string
	Action string
	// Search makes the form use GET.
	Search bool
	Submit string
	// Confirm is a question before the form is sent: the button opens the question and the fields.
	Confirm string
	// Danger is set for actions that cannot be undone.
	Danger bool
	Hidden map[string]string
	Fields []Field
}

// Inputs are the fields with IDs for their labels.
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
	// Complete is the HTML attribute autocomplete.
	Complete string
	Required bool
	// Options are the options of a choice or of checks. If Types is set, all event types follow them.
	Options []Option
	Types   bool
	// Checked are the values of the checked options.
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
	// Label says what the chart counts, and in which period: "Requests, last 24 hours".
	Label string
	// Unit is the unit of the values, BadUnit that of the bad ones: "requests", "errors".
	Unit, BadUnit string
	Values        []Bar
}

// Bar is one bar: a number, and how many of it were bad.
type Bar struct {
	Label      string
	Count, Bad int
}

// barHeight and barStep are the chart's dimensions in units of its view box.
const barHeight, barStep = 40, 8

// Mark is the geometry of a bar.
type Mark struct {
	Bar
	X, Y, Height, BadY, BadHeight int
}

// Width is the width of the chart.
func (b Bars) Width() int { return max(1, len(b.Values)) * barStep }

// Marks returns the geometry of the bars. Every value above zero is visible.
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

// InWords describes the chart for people who do not see it.
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

// Ago returns a time relative to now: "3 minutes ago", or a future time.
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

// judge adds a refusal's faults to the form's fields, and returns the page's problem and status. The fields are named
// after members of the API.
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

// faultInWords describes a fault of a field, or of a part of it.
func faultInWords(part, detail string) string {
	text := strings.TrimSuffix(detail, ".") + "."
	if part != "" {
		return part + ": " + text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
