package persona

import (
	_ "embed"
	"sync"
)

// Sector is what a brand sells.
type Sector string

// These are the sectors whose rows differ from those of others.
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

// Brand is an invented company. Other parts of the service may refer to it by its slug.
type Brand struct {
	Slug   string
	Name   string
	Sector Sector
	// MCC is the ISO 18245 merchant category code of its card terminals.
	MCC string
	// Price is the monthly price, for brands with subscriptions.
	Price Cents
}

//go:embed data/brands.json
var brandData []byte

// Brands returns every brand that can appear on a statement.
func Brands() []Brand { return brands() }

var brands = sync.OnceValue(func() []Brand { return mustParse[[]Brand](brandData) })
