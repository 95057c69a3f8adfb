package xs2a

import (
	"strings"
	"time"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

type text = bankwire.Text

// texts are lines of text. Some banks send one line without a list, or objects with a
// reference in the list.
type texts = bankwire.List[reference]

// reference is structured remittance information: an object, or a plain string in
// earlier versions of the standard.
type reference text

// UnmarshalJSON never fails.
func (r *reference) UnmarshalJSON(b []byte) error {
	var w struct {
		Reference text `json:"reference"`
	}
	if bankwire.Unmarshal(b, &w) != nil {
		return (*text)(r).UnmarshalJSON(b)
	}
	*r = reference(w.Reference)
	return nil
}

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
	days, clockTime, hasTime := strings.Cut(strings.Replace(strings.Trim(string(t), " "), " ", "T", 1), "T")
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
