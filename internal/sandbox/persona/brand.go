package persona

import (
	_ "embed"
	"sync"
)

// Sector says what a brand sells.
type Sector string

// The sectors whose rows differ from those of others.
const (
	delivery    Sector = "Delivery"
	streaming   Sector = "Streaming"
	water       Sector = "Water"
	news        Sector = "News"
	marketplace Sector = "Marketplace"
	software    Sector = "Software"
	games       Sector = "Games"
	childcare   Sector = "Childcare"
)

// Brand is an invented company. Its slug is the name by which other parts of
// the service may know it too.
type Brand struct {
	Slug   string
	Name   string
	Sector Sector
	// MCC is the ISO 18245 merchant category code of its card terminals.
	MCC string
	// Price is what a month costs, for brands that are subscribed to.
	Price Cents
}

//go:embed data/brands.json
var brandData []byte

// Brands lists every brand that can appear on a statement.
func Brands() []Brand { return brands() }

var brands = sync.OnceValue(func() []Brand { return mustParse[[]Brand](brandData) })
