package budget

import (
	"embed"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	aviso "aviso.example/client"
)

//go:embed texts.json people.json
var data embed.FS

// language writes texts, amounts and days.
type language struct {
	code     string
	position int // of its texts in the files
	texts    map[string]string
}

// languages reads the texts: for each key English, then German.
//
//nolint:gochecknoglobals // read once
var languages = sync.OnceValue(func() map[string]language {
	var texts map[string][2]string
	read("texts.json", &texts)
	en, de := language{"en", 0, map[string]string{}}, language{"de", 1, map[string]string{}}
	for key, text := range texts {
		en.texts[key], de.texts[key] = text[0], text[1]
	}
	return map[string]language{"en": en, "de": de}
})

func read(name string, into any) {
	content, err := data.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(content, into)
	}
	if err != nil {
		panic(fmt.Sprintf("%s: %v", name, err)) // it is part of the program
	}
}

// languageOf returns the language that was chosen, or else the first one of the browser's that we have.
func (a *App) languageOf(w http.ResponseWriter, r *http.Request) language {
	if l, ok := languages()[r.URL.Query().Get("lang")]; ok {
		http.SetCookie(w, a.cookie("lang", l.code, 365*24*time.Hour))
		return l
	}
	if cookie, err := r.Cookie("lang"); err == nil {
		if l, ok := languages()[cookie.Value]; ok {
			return l
		}
	}
	for wanted := range strings.SplitSeq(r.Header.Get("Accept-Language"), ",") {
		wanted, _, _ = strings.Cut(strings.TrimSpace(wanted), ";")
		wanted, _, _ = strings.Cut(wanted, "-")
		if l, ok := languages()[strings.ToLower(wanted)]; ok {
			return l
		}
	}
	return languages()["en"]
}

// T returns a text. Its arguments replace %s and %d.
func (l language) T(key string, args ...any) string {
	text, ok := l.texts[key]
	if !ok {
		return key
	}
	if len(args) > 0 {
		return fmt.Sprintf(text, args...)
	}
	return text
}

// Known returns the text for a value of the API, or the value itself: there may be new ones.
func (l language) Known(group, value string) string {
	if text, ok := l.texts[group+"."+value]; ok {
		return text
	}
	if i := strings.LastIndex(value, "__"); i >= 0 { // a subcategory follows its category
		value = value[i+2:]
	}
	return strings.ReplaceAll(value, "_", " ")
}

// Money writes an exact amount.
func (l language) Money(amount aviso.Amount, currency string) string {
	return l.amount(amount, currency, 2)
}

// Round writes an amount in whole units.
func (l language) Round(amount aviso.Amount, currency string) string {
	return l.amount(amount, currency, 0)
}

func (l language) amount(amount aviso.Amount, currency string, places int) string {
	digits := strings.TrimPrefix(amount.StringFixed(places), "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	group, point := ",", "."
	if l.code == "de" {
		group, point = ".", ","
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + group + whole[i:]
	}
	if fraction != "" {
		whole += point + fraction
	}
	if symbol, ok := map[string]string{"EUR": "€", "USD": "$", "GBP": "£"}[currency]; ok {
		currency = symbol
	}
	sign := ""
	if amount.Sign() < 0 && strings.Trim(digits, "0.") != "" {
		sign = "−"
	}
	if l.code == "de" {
		return sign + whole + " " + currency
	}
	if utf8.RuneCountInString(currency) > 1 {
		currency += " "
	}
	return sign + currency + whole
}

// Day writes a day or a time of the API, such as 24 November 2026.
func (l language) Day(value any) string { return l.date(value, "2", "January", " 2006") }

// Brief is Day with a short month.
func (l language) Brief(value any) string { return l.date(value, "2", "Jan", " 2006") }

// Month writes the month of a day.
func (l language) Month(value any) string { return l.date(value, "", "January", " 2006") }

func (l language) date(value any, day, month, year string) string {
	t, ok := value.(time.Time)
	if text, isText := value.(string); isText {
		var err error
		t, err = time.Parse(time.DateOnly, text[:min(len(text), len(time.DateOnly))])
		ok = err == nil
	}
	if !ok {
		return ""
	}
	name := l.Known("month", t.Format(month))
	if day == "" {
		return name + t.Format(year)
	}
	dot := " "
	if l.code == "de" {
		dot = ". "
	}
	return t.Format(day) + dot + name + t.Format(year)
}

// initials are up to two letters that stand for a name.
func initials(name string) string {
	var letters []rune
	for word := range strings.FieldsSeq(name) {
		first, _ := utf8.DecodeRuneInString(word)
		counts := unicode.IsUpper(first) || unicode.IsDigit(first) || len(letters) == 0 && unicode.IsLetter(first)
		if counts && len(letters) < 2 {
			letters = append(letters, unicode.ToUpper(first))
		}
	}
	return string(letters)
}

// hue is one of twelve colours, always the same for a name.
func hue(name string) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name))
	return int(h.Sum32() % 12)
}
