package bankcheck

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Level says what a finding means for somebody who attaches the bank.
type Level string

// The levels of findings, the worst last.
const (
	// Handled needs nothing: the bank is read as it should be.
	Handled Level = "Handled"
	// Decide needs a look: the setting is right if the finding's condition holds.
	Decide Level = "Decide"
	// Setting needs the setting.
	Setting Level = "Setting"
	// Lost cannot be read, whatever is set. The rest can.
	Lost Level = "Lost"
	// Blocks prevents that the bank is connected as it is.
	Blocks Level = "Blocks"
)

func levels() []Level { return []Level{Handled, Decide, Setting, Lost, Blocks} }

// Finding is a deviation from the standard, or something that needs a setting. It has no
// personal data.
type Finding struct {
	Code  Code  `json:"code"`
	Level Level `json:"level"`
	// Seen is what the bank does, Standard what the standard says about it, and Aviso what
	// Aviso makes of it.
	Seen     string `json:"seen"`
	Standard string `json:"standard"`
	Aviso    string `json:"aviso"`
	// Settings are members of a provider file, by path, such as profile.rowId.
	Settings map[string]any `json:"settings,omitempty"`
}

// Verdict is the result of a check.
type Verdict string

// The verdicts.
const (
	Connects             Verdict = "Connects"
	ConnectsWithSettings Verdict = "ConnectsWithSettings"
	CannotConnect        Verdict = "CannotConnect"
)

// Report is what a check has found.
type Report struct {
	// Facts are sentences about the bank that deviate from nothing.
	Facts    []string  `json:"facts"`
	Findings []Finding `json:"findings"`
}

func (r *Report) fact(text string) {
	if text != "" && !slices.Contains(r.Facts, text) {
		r.Facts = append(r.Facts, text)
	}
}

// add adds a finding, unless there is one with this code.
func (r *Report) add(code Code, seen string, settings map[string]any) {
	if r.has(code) {
		return
	}
	known := catalogue()[code]
	r.Findings = append(r.Findings, Finding{
		Code: code, Level: known.level, Seen: seen, Standard: known.standard, Aviso: known.aviso, Settings: settings,
	})
}

func (r *Report) has(code Code) bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Code == code })
}

// Of returns the findings of a level.
func (r *Report) Of(l Level) []Finding {
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f Finding) bool { return f.Level != l })
}

// Verdict returns the result.
func (r *Report) Verdict() Verdict {
	switch {
	case len(r.Of(Blocks)) > 0:
		return CannotConnect
	case len(r.Of(Setting)) > 0:
		return ConnectsWithSettings
	default:
		return Connects
	}
}

// Snippet returns the settings that the bank needs, in the form of a provider file; nil
// if it needs none.
func (r *Report) Snippet() map[string]any {
	var all map[string]any
	for _, f := range append(r.Of(Setting), r.Of(Blocks)...) {
		for _, path := range slices.Sorted(maps.Keys(f.Settings)) {
			if all == nil {
				all = map[string]any{}
			}
			put(all, strings.Split(path, "."), f.Settings[path])
		}
	}
	return all
}

func put(into map[string]any, path []string, value any) {
	if len(path) == 1 {
		into[path[0]] = value
		return
	}
	inner, _ := into[path[0]].(map[string]any)
	if inner == nil {
		inner = map[string]any{}
		into[path[0]] = inner
	}
	put(inner, path[1:], value)
}

// String returns the report for people, with the worst findings first.
func (r *Report) String() string {
	var b strings.Builder
	for _, fact := range r.Facts {
		b.WriteString("  " + fact + "\n")
	}
	for _, level := range slices.Backward(levels()) {
		for _, f := range r.Of(level) {
			b.WriteString("\n" + string(f.Level) + "  " + string(f.Code) + "\n")
			b.WriteString("  seen      " + f.Seen + "\n  standard  " + f.Standard + "\n  Aviso     " + f.Aviso + "\n")
			for _, path := range slices.Sorted(maps.Keys(f.Settings)) {
				b.WriteString("  setting   " + path + " = " + inJSON(f.Settings[path]) + "\n")
			}
		}
	}
	b.WriteString("\n" + r.Verdict().inWords() + "\n")
	if s := r.Snippet(); s != nil {
		b.WriteString("In the provider file: " + inJSON(s) + "\n")
	}
	return b.String()
}

func (v Verdict) inWords() string {
	switch v {
	case CannotConnect:
		return "The bank cannot be connected as it is. See the findings under Blocks."
	case ConnectsWithSettings:
		return "The bank can be connected. It needs the settings below."
	default:
		return "The bank can be connected. It needs no setting."
	}
}

func inJSON(value any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil { // not expected: texts, numbers and lists of them
		return "?"
	}
	return strings.TrimSpace(b.String())
}
