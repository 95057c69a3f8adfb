package deadline

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// lawFiles has one file for each country, for lawyers to read, and one with reasons; docs/site shows
// them.
//
//go:embed law/*.yaml
var lawFiles embed.FS

// law is the file of a country.
type law struct {
	Country     string
	Statutes    []Statute
	PriceRights []priceRight `yaml:"priceRights"`
}

// laws has the law by country. A file is read for the first answer that needs it, because
// startup must not wait for it.
var laws = sync.OnceValue(func() map[string]func() law { //nolint:gochecknoglobals // computed on first use
	entries, _ := lawFiles.ReadDir("law") // it is embedded
	all := map[string]func() law{}
	for _, e := range entries {
		if e.Name() != reasonsFile {
			all[strings.ToUpper(strings.TrimSuffix(e.Name(), ".yaml"))] = file[law](e.Name())
		}
	}
	return all
})

// file returns a function that returns what a file has, which it reads when it is first called.
func file[T any](name string) func() T {
	return sync.OnceValue(func() (content T) {
		text, err := lawFiles.ReadFile("law/" + name)
		if err = errors.Join(err, decode(text, &content)); err != nil { // the tests read every file
			panic(fmt.Sprintf("law in %s: %v", name, err))
		}
		return content
	})
}

// decode reads YAML. It fails for what is not known.
func decode(text []byte, into any) error {
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	return d.Decode(into)
}

// lawOf returns the law of a country. It is empty if there is no file.
func lawOf(country string) law {
	if read, found := laws()[country]; found {
		return read()
	}
	return law{}
}

// Article is an article of a law.
type Article struct {
	ID string
	// Citation is as lawyers of the country write it. URL is the official text, and Rule
	// what follows from it, in words of our own.
	Citation, URL, Rule string
	// InForce limits it to notices, or rises of prices, in this period.
	InForce Span `yaml:"inForce"`
	// Sectors are the kinds of contracts.
	Sectors []Sector
	// Either it is confirmed or it is not, which the answer then says. Confirmed says who published
	// what was read.
	Confirmed   *Confirmation
	Unconfirmed bool
}

// source returns the article as the source of a step.
func (a Article) source() string { return a.Citation + ", " + a.URL }

// Confirmation says that somebody has read a statute: the text, a quotation of it, or the
// report of an authority, a court, a consumers' association or a lawyer.
type Confirmation struct {
	By   string
	Read Date
}

// Span is a period whose first and last day may be open.
type Span struct{ From, Until Date }

func (s Span) has(d Date) bool { return within(d, s.From, s.Until) }

// knowsLaw reports whether a statute about the end of contracts of a sector is known.
func knowsLaw(country string, sector Sector) bool {
	return slices.ContainsFunc(lawOf(country).Statutes, func(s Statute) bool {
		return slices.Contains(s.Sectors, sector) && (s.Exit != nil || s.Limits != Limits{})
	})
}
