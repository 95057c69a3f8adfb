package main

import (
	_ "embed"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

type address struct {
	Recipient   []string `json:"recipient"`
	Street      string   `json:"street,omitempty"`
	PostalCode  string   `json:"postalCode"`
	City        string   `json:"city"`
	CountryCode string   `json:"countryCode"`
}

// addressRules are the tables for parsing addresses.
type addressRules struct {
	// Names are the names of each country, by code: in English, German and its own language.
	Names map[string][]string
	// Towns match the line with postal code and town, by country. Codes of four, five or six digits may follow the
	// country. In the countries of CodeLast, the postal code follows the town.
	Towns    map[string]*regexp.Regexp
	CodeLast []string
	// Locales are the locales of letters to each country.
	Locales map[string][]string
	// Officer matches lines with a privacy officer, Company those with a company, and Part those with a part of a
	// building or company. Person matches names that only people have.
	Officer, Company, Part, Street, Person *regexp.Regexp
}

//go:embed addresses.json
var rulesFile []byte

var rules = sync.OnceValue(func() (r addressRules) {
	if err := json.Unmarshal(rulesFile, &r); err != nil { // tests cover the file
		panic(err)
	}
	return r
})

// parseAddress returns the address of a record, the lines that it skipped, and the problem if there is one. It
// guesses nothing: an address that lacks a part, or belongs to a privacy officer's company, is a problem.
func parseAddress(r record) (a *address, dropped []string, problem string) {
	lines := strings.Split(r.Address, "\n")
	for i := range lines {
		lines[i] = strings.Join(strings.Fields(lines[i]), " ")
	}
	lines = slices.DeleteFunc(lines, func(l string) bool { return l == "" })
	if len(lines) < 2 {
		return nil, nil, "which is too short"
	}
	a = &address{}
	for code, names := range rules().Names {
		if slices.Contains(names, lines[len(lines)-1]) {
			a.CountryCode = code
		}
	}
	town, codeLast := rules().Towns[a.CountryCode], slices.Contains(rules().CodeLast, a.CountryCode)
	officer, company, part := rules().Officer, rules().Company, rules().Part
	street, person := rules().Street, rules().Person
	if town == nil {
		return nil, nil, "whose country is unknown or has no postal codes that we know"
	}
	lines = lines[:len(lines)-1]
	last := lines[len(lines)-1]
	lines = lines[:len(lines)-1]
	m := town.FindStringSubmatch(last)
	switch {
	case m == nil:
		return nil, nil, "which has no postal code of its country"
	case codeLast:
		a.City, a.PostalCode = strings.TrimRight(m[1], ", "), m[2]
		if a.City == "" && len(lines) > 0 { // the code has a line of its own
			a.City, lines = lines[len(lines)-1], lines[:len(lines)-1]
		}
		if state, code, found := strings.Cut(a.PostalCode, " "); found && slices.Contains([]string{"AU", "CA", "US"}, a.CountryCode) {
			a.PostalCode, a.City = code, a.City+", "+strings.TrimRight(state, ",")
		}
	default:
		a.PostalCode, a.City = m[1], m[2]
	}
	recipients := []string{}
	for i, line := range lines {
		isLast := i == len(lines)-1
		careOf := strings.HasPrefix(strings.ToLower(line), "c/o") || strings.HasPrefix(line, "℅")
		switch {
		case careOf && (officer.MatchString(line) || company.MatchString(r.Name) && !shareWord(line, r.Name) || !company.MatchString(line)):
			return nil, dropped, "which may be a privacy officer's"
		case careOf:
			recipients = append(recipients, line)
		case officer.MatchString(line):
			dropped = append(dropped, line)
		case isLast && street.MatchString(line):
			a.Street = line
		case person.MatchString(line):
			dropped = append(dropped, line)
		case company.MatchString(line) || part.MatchString(line) || strings.ContainsAny(line, "0123456789") || shareWord(line, r.Name):
			recipients = append(recipients, line)
		case isLast && codeLast:
			return nil, dropped, "whose street and town are not clear"
		case isLast:
			a.Street = line
		default:
			dropped = append(dropped, line)
		}
	}
	if a.Recipient = recipientLines(r.Name, recipients); a.Recipient == nil || !a.isPrintable() {
		return nil, dropped, "which does not fit an envelope's window"
	}
	if a.Street == "" && len(lines) > 0 {
		return nil, dropped, "which has no street"
	}
	return a, dropped, ""
}

// maxLine and maxTown are the maximum lengths of an address's lines.
const (
	maxLine = 50
	maxTown = 37
)

func (a *address) isPrintable() bool {
	short := func(l string) bool { return utf8.RuneCountInString(l) <= maxLine && printable(l) }
	return !slices.ContainsFunc(append(slices.Clone(a.Recipient), a.Street), func(l string) bool { return !short(l) }) &&
		a.City != "" && utf8.RuneCountInString(a.City) <= maxTown && printable(a.City)
}

// recipientLines returns the lines with the recipient: the name, on two lines if it is long, and the other lines. It
// returns nil if there are more than three.
func recipientLines(name string, others []string) []string {
	lines := []string{name}
	if utf8.RuneCountInString(name) > maxLine {
		cut := strings.LastIndex(string([]rune(name)[:maxLine]), " ")
		if cut < 0 {
			return nil
		}
		lines = []string{name[:cut], strings.TrimSpace(name[cut:])}
	}
	for _, o := range others {
		if !slices.Contains(lines, o) {
			lines = append(lines, o)
		}
	}
	if len(lines) > 3 {
		return nil
	}
	return lines
}

// shareWord reports whether two names have a word of four or more letters in common.
func shareWord(a, b string) bool {
	words := strings.FieldsFunc(slugOf(a), func(r rune) bool { return r == '-' })
	others := strings.Split(slugOf(b), "-")
	return slices.ContainsFunc(words,
		func(w string) bool { return len(w) >= 4 && w != "gmbh" && slices.Contains(others, w) })
}
