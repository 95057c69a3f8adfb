package bankcheck

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"aviso/internal/pfm"
)

// Level says what a finding means for the person who attaches the bank.
type Level string

// The levels of findings, the worst first.
const (
	// Blocks means that the bank cannot be connected as it is.
	Blocks Level = "Blocks"
	// Lost means that some data cannot be read with any setting.
	Lost Level = "Lost"
	// Setting means that the provider needs the setting.
	Setting Level = "Setting"
	// Decide needs a decision: the setting is right if the finding's condition holds.
	Decide Level = "Decide"
)

// Finding is lost data or a required setting. It has no personal data.
type Finding struct {
	Code  string `json:"code"`
	Level Level  `json:"level"`
	// Seen is the bank's behaviour, and Aviso is how Aviso treats it.
	Seen  string `json:"seen"`
	Aviso string `json:"aviso"`
	// Settings are members of a provider file, by path, such as profile.rowId.
	Settings map[string]any `json:"settings,omitempty"`
	// When matches the kind and the text of the finding's errors.
	When string `json:"-"`
}

// Verdict is the result of a check.
type Verdict string

// The verdicts.
const (
	Connects             Verdict = "Connects"
	ConnectsWithSettings Verdict = "ConnectsWithSettings"
	CannotConnect        Verdict = "CannotConnect"
)

// Report is the result of a check.
type Report struct {
	// Facts are sentences about what a first sync would read.
	Facts    []string  `json:"facts"`
	Findings []Finding `json:"findings"`
}

//go:embed findings.yaml
var findings []byte

// find adds the first wanted finding of findings.yaml, unless the report already has it.
func (r *Report) find(isWanted func(Finding) bool, settings map[string]any, seen string, values ...any) {
	var all []Finding
	_ = yaml.Unmarshal(findings, &all) // tests parse this embedded file
	f := all[slices.IndexFunc(all, isWanted)]
	if slices.ContainsFunc(r.Findings, func(other Finding) bool { return other.Code == f.Code }) {
		return
	}
	f.Seen = cmp.Or(seen, fmt.Sprintf(f.Seen, values...))
	if settings != nil {
		f.Settings = settings
	}
	r.Findings = append(r.Findings, f)
}

// add adds the finding with this code, with the observation at this bank and its settings.
func (r *Report) add(code string, settings map[string]any, seen ...any) {
	r.find(func(f Finding) bool { return f.Code == code }, settings, "", seen...)
}

// addSome adds a finding if it applies to n of all, and n is at least least.
func (r *Report) addSome(code string, n, least, all int) {
	if n > 0 && n >= least {
		r.add(code, nil, n, all)
	}
}

// block adds the finding for an error that ends the check.
func (r *Report) block(err error, isSealed bool) {
	words, e := inWords(err), pfm.FailureOf(err)
	if isSealed {
		words += " (sealed)"
	}
	r.find(func(f Finding) bool {
		return f.When != "" && regexp.MustCompile(f.When).MatchString(string(e.Kind)+" "+words)
	}, nil, words)
}

// inWords returns the safe part of an error: the client's own words, the status and the standard's code.
func inWords(err error) string {
	e := pfm.FailureOf(err)
	if e.Kind == "" {
		return "it failed on our side"
	}
	text := e.Operation
	if e.Status != 0 {
		text += fmt.Sprintf(": %d", e.Status)
	}
	if e.BankCode != "" {
		text += " " + e.BankCode
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	if e.RetryAfter > 0 {
		text += ", to be repeated after " + e.RetryAfter.String()
	}
	return text
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

// Snippet returns the bank's required settings, in the form of a provider file.
func (r *Report) Snippet() map[string]any {
	all := map[string]any{}
	for _, f := range append(r.Of(Setting), r.Of(Blocks)...) {
		for path, value := range f.Settings {
			at, members := all, strings.Split(path, ".")
			for _, member := range members[:len(members)-1] {
				if at[member] == nil {
					at[member] = map[string]any{}
				}
				at, _ = at[member].(map[string]any)
			}
			at[members[len(members)-1]] = value
		}
	}
	return all
}

// String returns the report as text, with the worst findings first.
func (r *Report) String() string {
	var b strings.Builder
	for _, fact := range r.Facts {
		b.WriteString("  " + fact + "\n")
	}
	for _, level := range []Level{Blocks, Lost, Setting, Decide} {
		for _, f := range r.Of(level) {
			fmt.Fprintf(&b, "\n%s  %s\n  seen      %s\n  Aviso     %s\n", f.Level, f.Code, f.Seen, f.Aviso)
			for _, path := range slices.Sorted(maps.Keys(f.Settings)) {
				value, _ := json.Marshal(f.Settings[path]) // texts, numbers and lists of them: cannot fail
				fmt.Fprintf(&b, "  setting   %s = %s\n", path, value)
			}
		}
	}
	lost := ""
	if len(r.Of(Lost)) > 0 {
		lost = ", but not all of it can be read: see the findings under Lost"
	}
	words := map[Verdict]string{
		Connects:             "The bank can be connected" + lost + ". It needs no setting.",
		ConnectsWithSettings: "The bank can be connected" + lost + ". It needs the settings below.",
		CannotConnect:        "The bank cannot be connected as it is. See the findings under Blocks.",
	}
	fmt.Fprintln(&b, "\n"+words[r.Verdict()])
	if s := r.Snippet(); len(s) > 0 {
		text, _ := json.Marshal(s)
		fmt.Fprintf(&b, "In the provider file: %s\n", text)
	}
	return b.String()
}
