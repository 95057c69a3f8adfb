package deadline

import (
	"cmp"
	"slices"
)

// Reason is why a contract shall end before its term. The zero Reason is an ordinary
// cancellation.
type Reason struct {
	Kind ReasonKind `dynamodbav:"kind"`
	// Date is the day of the price rise, the move or the death. It may be empty for other kinds.
	Date Date `json:",omitempty" dynamodbav:"date,omitempty"`
	// Article is what the law knows the reason by, as the letter says it.
	Article string `json:",omitempty" dynamodbav:"article"`
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
)

// Ground is a reason that the law of a country knows, for all contracts if it has no sectors.
type Ground struct {
	Article `yaml:",inline"`

	Country string
	Kind    ReasonKind
	// Citations has the citation by language, where the country has several.
	Citations map[string]string
	// NeedsDate is set if the reason needs its date.
	NeedsDate bool `yaml:"date"`
}

// Cite returns the article as a letter in the language has it.
func (g Ground) Cite(language string) string { return cmp.Or(g.Citations[language], g.Citation) }

// Source returns the article with the address of its official text.
func (g Ground) Source(language string) string { return g.Cite(language) + ", " + g.URL }

// Grounds returns the reasons that the law of a country knows for contracts of a sector, which
// may be empty.
func Grounds(country string, sector Sector) []Ground {
	var found []Ground
	for _, g := range grounds() {
		if g.Country == country && (len(g.Sectors) == 0 || slices.Contains(g.Sectors, sector)) &&
			!slices.ContainsFunc(found, func(f Ground) bool { return f.Kind == g.Kind }) {
			found = append(found, g)
		}
	}
	return found
}

const reasonsFile = "reasons.yaml"

var grounds = file[[]Ground](reasonsFile)
