package persona

import (
	_ "embed"
	"encoding/json"
	"sync"
)

// phrasebook maps names to the phrases of banks in one language. In the texts of rows
// {brand} is a name, {BRAND} the same in capitals, {city} the place of the terminal,
// {cc} its country, {card} the masked card number, {dm} and {time} when the card was
// used, {month} the month and {ref} a reference number. current, savings, credit,
// joint and dollars are account products; with the suffix Name they are the names
// that owners give such accounts.
type phrasebook map[string]string

// place holds a country's names for statements.
type place struct {
	Cities                                       []string
	Employer, Landlord, TaxOffice, BenefitOffice string
}

// abroad lists where people use their cards when they travel or buy online.
var abroad = []struct{ city, country, currency string }{
	{"NEW YORK", "US", "USD"}, {"SAN FRANCISCO", "US", "USD"}, {"LONDON", "GB", "GBP"},
	{"EDINBURGH", "GB", "GBP"}, {"ZURICH", "CH", "CHF"},
}

//go:embed data/phrasebooks.json
var phrasebookData []byte

//go:embed data/places.json
var placeData []byte

// The data is parsed on first use, because programs that link this package may never need
// it.
var (
	phrasebooks = sync.OnceValue(func() map[string]phrasebook {
		return mustParse[map[string]phrasebook](phrasebookData)
	})
	places = sync.OnceValue(func() map[string]place { return mustParse[map[string]place](placeData) })
)

// phrasesFor returns the phrasebook of a language, or the English one if there is none.
func phrasesFor(language string) phrasebook {
	if w, ok := phrasebooks()[language]; ok {
		return w
	}
	return phrasebooks()["en"]
}

// mustParse parses embedded data.
func mustParse[T any](data []byte) T {
	var v T
	if err := json.Unmarshal(data, &v); err != nil {
		panic("persona: " + err.Error())
	}
	return v
}
