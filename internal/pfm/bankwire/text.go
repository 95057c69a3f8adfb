package bankwire

import (
	"cmp"
	"encoding/json"
	"html"
	"strings"
	"time"
	"unicode"

	"aviso/internal/money"
	"aviso/internal/pfm"
)

// MaxText limits a text, in runes. The longest in NextGenPSD2 has 500.
const MaxText = 1000

// Object is a JSON object from a response. A member with an unexpected form counts as missing: a row with an
// unreadable name is still a row. Anything that is not an object is nil.
type Object map[string]json.RawMessage

// UnmarshalJSON never fails.
func (o *Object) UnmarshalJSON(b []byte) error {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(b, &members)
	*o = members
	return nil
}

// Get returns a member.
func Get[T any](o Object, name string) (value T) {
	if member := o.member(name); member != nil && json.Unmarshal(member, &value) != nil {
		return *new(T)
	}
	return value
}

// member also finds a name in another case.
func (o Object) member(name string) json.RawMessage {
	if exact, ok := o[name]; ok {
		return exact
	}
	for other, member := range o {
		if strings.EqualFold(other, name) {
			return member
		}
	}
	return nil
}

// At returns the object in a member.
func (o Object) At(name string) (object Object) {
	if member := o.member(name); member != nil {
		_ = object.UnmarshalJSON(member)
	}
	return object
}

// Text returns the first of these members that is not empty.
func (o Object) Text(names ...string) string { return string(first[Text](o, names)) }

// Day returns the first of these members that is a day.
func (o Object) Day(names ...string) pfm.Date { return pfm.Date(first[Day](o, names)) }

func first[T ~string, P interface {
	*T
	json.Unmarshaler
}](o Object, names []string) (value T) {
	for _, name := range names {
		if member := o.member(name); member != nil {
			_ = P(&value).UnmarshalJSON(member)
		}
		if value != "" {
			break
		}
	}
	return value
}

// Currency returns the currency in upper case; false if there is something else.
func (o Object) Currency() (string, bool) {
	code := strings.ToUpper(o.Text("currency"))
	if code != "" && (len(code) != 3 || strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "") {
		return "", false
	}
	return code, true
}

// Amount returns the amount, which is required, and its currency. Some banks send national forms: a plus sign, a
// decimal comma, or separated thousands.
func (o Object) Amount() (a money.Amount, currency string, ok bool) {
	a, err := money.Parse(plainNumber(o.Text("amount")))
	currency, ok = o.Currency()
	return a, currency, ok && err == nil
}

// Balance returns the balance in a member, or nil. It is the standard's object, a list of such, an amount or a number.
func (o Object) Balance(name string) *money.Amount {
	first := append(Get[List[Object]](o, name), nil)[0]
	text := cmp.Or(first.At("balanceAmount").Text("amount"), first.Text("amount"), o.Text(name))
	if a, err := money.Parse(plainNumber(text)); err == nil {
		return &a
	}
	return nil
}

// plainNumber returns a number in the form of the standard. It leaves one that may mean two things as it is.
func plainNumber(text string) string {
	text = strings.TrimPrefix(strings.Replace(text, "\u2212", "-", 1), "+")
	sign := ""
	if number, isNegative := strings.CutPrefix(text, "-"); isNegative {
		sign, text = "-", strings.TrimSpace(number)
	}
	comma, point := strings.LastIndex(text, ","), strings.LastIndex(text, ".")
	whole, decimals := text, ""
	switch at := max(comma, point); {
	case at < 0, at == comma && point < 0 && strings.Count(text, ",") > 1, at == point && strings.Count(text, ".") > 1:
	case at == point || point >= 0 || len(text)-at <= len(",00"):
		whole, decimals = text[:at], "."+text[at+1:]
	}
	groups := strings.FieldsFunc(whole, func(r rune) bool { return strings.ContainsRune(" '\u2019,.", r) })
	for i, group := range groups {
		if i > 0 && len(group) != 3 {
			return sign + text
		}
	}
	if comma >= 0 && point < 0 && decimals == "" && len(groups) == 2 { // one comma before three digits
		return sign + text
	}
	return sign + strings.Join(groups, "") + decimals
}

// Text is a cleaned string. A number becomes its digits, because some banks send references as numbers. Anything else
// becomes "".
type Text string

// UnmarshalJSON never fails.
func (t *Text) UnmarshalJSON(b []byte) error {
	*t = ""
	var s string
	switch {
	case json.Unmarshal(b, &s) == nil:
		*t = Text(Clean(Unescaped(s)))
	case b[0] == '-' || b[0] >= '0' && b[0] <= '9':
		*t = Text(Clean(string(b)))
	}
	return nil
}

// Day is a calendar day. It is empty if the bank sends no valid day: a row without its day is still a row.
type Day pfm.Date

// UnmarshalJSON never fails. It reads all forms in which banks send days, even with a time.
func (d *Day) UnmarshalJSON(b []byte) error {
	*d = ""
	var t Text
	_ = t.UnmarshalJSON(b)
	for _, layout := range []string{time.DateOnly, "02.01.2006", "02/01/2006", "20060102"} {
		days := t[:min(len(t), len(layout))]
		at, err := time.Parse(layout, string(days))
		if err != nil {
			continue
		}
		if isMidnightElsewhere(string(t[len(days):])) {
			at = at.AddDate(0, 0, 1)
		}
		if at.Year() > 1970 && at.Year() < 9999 { // other years are placeholders
			*d = Day(pfm.DateOf(at))
		}
		return nil
	}
	return nil
}

// isMidnightElsewhere reports whether a time in UTC is midnight in a European time zone. The bank then meant the next
// day, not the time.
func isMidnightElsewhere(clockTime string) bool {
	hour, rest, _ := strings.Cut(strings.TrimLeft(clockTime, "T "), ":")
	isFull := strings.Trim(rest, "0:.Z") == "" && strings.HasSuffix(rest, "Z")
	return isFull && hour >= "21" && hour <= "23"
}

// List is a list, or a single value instead of one.
type List[T any] []T

// UnmarshalJSON never fails. Values of an unexpected form become the zero value.
func (l *List[T]) UnmarshalJSON(b []byte) error {
	var list []json.RawMessage
	if json.Unmarshal(b, &list) != nil {
		list = []json.RawMessage{b}
	}
	*l = make([]T, len(list))
	for i, one := range list {
		_ = json.Unmarshal(one, &(*l)[i])
	}
	return nil
}

// Joined joins the texts and limits the length.
func Joined[T ~string](texts []T) string {
	parts := make([]string, 0, len(texts))
	for _, t := range texts {
		if t != "" {
			parts = append(parts, string(t))
		}
	}
	return Clean(strings.Join(parts, " "))
}

// Compact returns an account number in its electronic form, without the spaces of the
// printed form, so that every fetch returns the same text.
func Compact(number string) string { return strings.ToUpper(strings.ReplaceAll(number, " ", "")) }

// CategoryCode returns a merchant category code if it has the form of ISO 18245, or else "".
func CategoryCode(code string) string {
	if len(code) != 4 || strings.Trim(code, "0123456789") != "" {
		return ""
	}
	return code
}

// maxEntity is the length of the longest HTML entity.
const maxEntity = 33

// Unescaped returns a text with the characters that HTML entities stand for. Some banks escape twice.
func Unescaped(s string) string {
	for range 2 {
		var b strings.Builder
		for {
			before, rest, found := strings.Cut(s, "&")
			b.WriteString(before)
			if !found {
				break
			}
			s = rest
			if end := strings.IndexByte(rest, ';'); end > 0 && end < maxEntity {
				text := html.UnescapeString("&" + rest[:end+1])
				if !strings.HasSuffix(text, ";") { // all of it is an entity
					b.WriteString(strings.Map(graphic, text))
					s = rest[end+1:]
					continue
				}
			}
			b.WriteByte('&')
		}
		s = b.String()
	}
	return s
}

// graphic drops what banks could hide in escapes.
func graphic(r rune) rune {
	if unicode.IsGraphic(r) {
		return r
	}
	return -1
}

// Clean turns white space into spaces, drops control and bidirectional formatting characters, replaces invalid UTF-8
// and limits the length.
func Clean(s string) string {
	var b strings.Builder
	n := 0
	for _, r := range strings.TrimFunc(s, isInvisible) {
		switch {
		case unicode.IsSpace(r):
			r = ' '
		case isInvisible(r):
			continue
		}
		if n == MaxText {
			break
		}
		b.WriteRune(r)
		n++
	}
	return strings.TrimRight(b.String(), " ")
}

func isInvisible(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
}
