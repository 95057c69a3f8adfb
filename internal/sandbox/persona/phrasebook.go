package persona

import (
	_ "embed"
	"encoding/json"
	"sync"
)

// phrasebook is how the banks of one language word things, by name. In the texts
// of rows {brand} is a name, {BRAND} the same in capitals, {city} where the
// terminal stands, {cc} that country, {card} the masked card, {dm} and {time} when
// it was used, {month} the month, {ref} a reference number. An account's product
// stands under current, savings, credit, joint or dollars, and the name that its
// owner gives it under the same with Name.
type phrasebook map[string]string

// place is what a country brings to a statement.
type place struct {
	Cities                                       []string
	Employer, Landlord, TaxOffice, BenefitOffice string
}

// abroad is where people use their cards when they travel or buy online.
var abroad = []struct{ city, country, currency string }{
	{"NEW YORK", "US", "USD"}, {"SAN FRANCISCO", "US", "USD"}, {"LONDON", "GB", "GBP"},
	{"EDINBURGH", "GB", "GBP"}, {"ZURICH", "CH", "CHF"},
}

//go:embed data/phrasebooks.json
var phrasebookData []byte

//go:embed data/places.json
var placeData []byte

// The data are read when they are first asked for: programs that link this
// package may never ask.
var (
	phrasebooks = sync.OnceValue(func() map[string]phrasebook { return mustParse[map[string]phrasebook](phrasebookData) })
	places      = sync.OnceValue(func() map[string]place { return mustParse[map[string]place](placeData) })
)

// wording is the phrasebook of a language, English where there is none.
func phrasesFor(language string) phrasebook {
	if w, ok := phrasebooks()[language]; ok {
		return w
	}
	return phrasebooks()["en"]
}

// read reads data that are part of the program.
func mustParse[T any](data []byte) T {
	var v T
	if err := json.Unmarshal(data, &v); err != nil {
		panic("persona: " + err.Error())
	}
	return v
}
