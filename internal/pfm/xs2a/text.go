package xs2a

import (
	"strings"
	"time"

	"aviso/internal/pfm"
	"aviso/internal/pfm/banktext"
)

// maxText bounds a text, in runes.
const maxText = banktext.Max

// text is a cleaned string from a response. A number is read as its digits, since
// some banks send references as numbers.
type text string

// UnmarshalJSON reads a string or a number. Anything else is the empty text: a row
// with a name that cannot be read is still a row.
func (t *text) UnmarshalJSON(b []byte) error {
	*t = ""
	switch {
	case b[0] == '"':
		var s string
		if err := unmarshal(b, &s); err != nil {
			return err
		}
		*t = text(clean(s))
	case b[0] == '-' || b[0] >= '0' && b[0] <= '9':
		*t = text(clean(string(b)))
	}
	return nil
}

// texts are lines of text. Some banks send one line without a list, or objects with a
// reference in the list.
type texts []text

// UnmarshalJSON reads all forms.
func (t *texts) UnmarshalJSON(b []byte) error {
	lines := []reference{""}
	if b[0] != '[' {
		lines[0].read(b)
	} else if err := unmarshal(b, &lines); err != nil {
		return err
	}
	*t = nil
	for _, line := range lines {
		*t = append(*t, text(line))
	}
	return nil
}

// reference is structured remittance information: an object, or a plain string in
// earlier versions of the standard.
type reference text

// UnmarshalJSON reads both forms.
func (r *reference) UnmarshalJSON(b []byte) error {
	r.read(b)
	return nil
}

func (r *reference) read(b []byte) {
	var w struct {
		Reference text `json:"reference"`
	}
	if b[0] == '{' && unmarshal(b, &w) == nil {
		*r = reference(w.Reference)
		return
	}
	_ = (*text)(r).UnmarshalJSON(b) // never fails for what is JSON
}

// clean returns a bank's text in a form that is safe to store and show.
func clean(s string) string { return banktext.Clean(s) }

// day is a calendar day from a response. It is empty if the bank sends none, or
// something that is not a day: a row without its day is still a row.
type day pfm.Date

// dayLayouts are the forms in which banks send days.
func dayLayouts() []string {
	return []string{time.DateOnly, "02.01.2006", "02/01/2006", "20060102"}
}

// UnmarshalJSON never fails.
func (d *day) UnmarshalJSON(b []byte) error {
	*d = ""
	var t text
	_ = t.UnmarshalJSON(b)
	s := strings.Trim(string(t), " ")
	days, clockTime, hasTime := cutAt(s, "T ")
	for _, layout := range dayLayouts() {
		at, err := time.Parse(layout, days)
		if err != nil {
			continue
		}
		if hasTime && isMidnightElsewhere(clockTime) {
			at = at.AddDate(0, 0, 1)
		}
		if at.Year() > 1970 && at.Year() < 9999 { // else it stands for none
			*d = day(pfm.DateOf(at))
		}
		return nil
	}
	return nil
}

// isMidnightElsewhere reports whether the time in UTC is that at which the next day
// begins in a time zone of Europe: the bank meant the day, not the time.
func isMidnightElsewhere(clockTime string) bool {
	hour, rest, _ := strings.Cut(clockTime, ":")
	isFull := strings.Trim(rest, "0:.Z") == "" && strings.HasSuffix(rest, "Z")
	return isFull && hour >= "21" && hour <= "23"
}

func cutAt(s, separators string) (before, after string, found bool) {
	if i := strings.IndexAny(s, separators); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}

// firstOf returns the first text that is not empty.
func firstOf(texts ...text) string {
	for _, t := range texts {
		if t != "" {
			return string(t)
		}
	}
	return ""
}

// joined joins the texts and caps the result.
func joined(texts []text) text {
	parts := make([]string, 0, len(texts))
	for _, t := range texts {
		if t != "" {
			parts = append(parts, string(t))
		}
	}
	return text(clean(strings.Join(parts, " ")))
}
