package deadline

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// lawFiles has one file for each country, for lawyers to read, and one with reasons; docs/site shows them.
//
//go:embed law/*.yaml
var lawFiles embed.FS

// law is the file of a country.
type law struct {
	Country     string
	Statutes    []Statute
	PriceRights []priceRight `yaml:"priceRights"`
	Withdrawals []withdrawalRight
}

// article returns the article with an ID.
func (l law) article(id string) Article {
	for _, s := range l.Statutes {
		if s.ID == id {
			return s.Article
		}
	}
	for _, r := range l.PriceRights {
		if r.ID == id {
			return r.Article
		}
	}
	panic("no statute " + id) // the tests read every row
}

// laws has the law by country. A file is read for the first answer that needs it, because startup must not wait for
// it.
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

// file returns a function that reads a file on its first call.
func file[T any](name string) func() T {
	return sync.OnceValue(func() (content T) {
		text, err := lawFiles.ReadFile("law/" + name)
		if err = errors.Join(err, decode(text, &content)); err != nil { // the tests read every file
			panic(fmt.Sprintf("law in %s: %v", name, err))
		}
		return content
	})
}

// decode reads YAML. Unknown members are an error.
func decode(text []byte, into any) error {
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	return d.Decode(into)
}

// lawOf returns the law of a country, or an empty one.
func lawOf(country string) law {
	if read, found := laws()[country]; found {
		return read()
	}
	return law{}
}

// Article is an article of a law.
type Article struct {
	ID string
	// Citation is the usual citation in the country. URL is the official text. Rule is its consequence, in our own
	// words.
	Citation, URL, Rule string
	// Citations has the citation by language, if the country has several languages.
	Citations map[string]string
	// InForce limits the article to notices or price rises in this period.
	InForce Span `yaml:"inForce"`
	// Sectors are the kinds of contracts.
	Sectors []Sector
	// An article is confirmed or not; the answer says if it is not. Confirmed names the publisher of the text that was
	// read.
	Confirmed   *Confirmation
	Unconfirmed bool
}

// Confirmation says that somebody has read a statute: the text, a quotation of it, or the report of an authority, a
// court, a consumers' association or a lawyer.
type Confirmation struct {
	By   string
	Read Date
}

// Span is a period whose first and last day may be open.
type Span struct{ From, Until Date }

func (s Span) has(d Date) bool { return d >= s.From && (s.Until == "" || d <= s.Until) }

// knowsLaw reports whether there is a statute about the end of contracts of a sector.
func knowsLaw(country string, sector Sector) bool {
	return slices.ContainsFunc(lawOf(country).Statutes, func(s Statute) bool {
		return slices.Contains(s.Sectors, sector) && (s.Exit != nil || s.Limits != Limits{})
	})
}

// Reason is why a contract should end before its term. The zero Reason is an ordinary cancellation.
type Reason struct {
	Kind ReasonKind `dynamodbav:"kind"`
	// Date is the day of the price rise, the move, the death or, for a withdrawal, the signature. It may be empty for
	// other kinds.
	Date Date `json:",omitempty" dynamodbav:"date,omitempty"`
	// Text is what happened, in the user's words.
	Text string `json:",omitempty" dynamodbav:"text,omitempty"`
	// Article is the reason's article, as the letter cites it.
	Article string `json:",omitempty" dynamodbav:"article"`
	// Immediate is set if the law lets the contract end at once. Only the letter needs it.
	Immediate bool `json:"-" dynamodbav:"-"`
}

// ReasonKind is a kind of reason.
type ReasonKind string

// The kinds.
const (
	ReasonPriceRise            ReasonKind = "PriceRise"
	ReasonMoved                ReasonKind = "Moved"
	ReasonNotReminded          ReasonKind = "NotReminded"
	ReasonNoCancellationButton ReasonKind = "NoCancellationButton"
	ReasonDeath                ReasonKind = "Death"
	ReasonSpecial              ReasonKind = "Special"
	// ReasonWithdrawal: its date is the day of the signature.
	ReasonWithdrawal ReasonKind = "Withdrawal"
)

// Ground is a reason in the law of a country. Without sectors, it is for all contracts.
type Ground struct {
	Article `yaml:",inline"`

	Country string
	Kind    ReasonKind
	// Statute is the ID of a statute of the country, from which the ground has what it does not say itself.
	Statute string
	// NeedsDate is set if the reason needs its date, and NeedsText if it needs facts.
	NeedsDate bool `yaml:"date"`
	NeedsText bool `yaml:"text"`
	// Immediate is set if the contract can end at once.
	Immediate bool
}

// Cite returns the article's citation for a letter in the language.
func (a Article) Cite(language string) string { return cmp.Or(a.Citations[language], a.Citation) }

// Source returns the citation and the address of the official text.
func (a Article) Source(language string) string { return a.Cite(language) + ", " + a.URL }

func (a Article) source() string { return a.Source("") }

// resolved returns the ground with what it has from its statute.
func (g Ground) resolved() Ground {
	if g.Statute == "" {
		return g
	}
	a := lawOf(g.Country).article(g.Statute)
	if g.Citation != "" {
		a.Citation, a.Citations = g.Citation, g.Citations
	}
	if len(g.Sectors) > 0 {
		a.Sectors = g.Sectors
	}
	g.Article = a
	return g
}

// Grounds returns the reasons in a country's law for contracts of a sector, which may be empty.
func Grounds(country string, sector Sector) []Ground {
	var found []Ground
	for _, g := range grounds() {
		if g.Country != country {
			continue
		}
		g = g.resolved()
		if (len(g.Sectors) == 0 || slices.Contains(g.Sectors, sector)) &&
			!slices.ContainsFunc(found, func(f Ground) bool { return f.Kind == g.Kind }) {
			found = append(found, g)
		}
	}
	if rights := withdrawalRights(country, sector); len(rights) > 0 {
		found = append(found, Ground{Article: rights[0].Article, Kind: ReasonWithdrawal, NeedsDate: true})
	}
	return found
}

const reasonsFile = "reasons.yaml"

var grounds = file[[]Ground](reasonsFile) //nolint:gochecknoglobals // computed on first use
