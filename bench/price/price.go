// Package price reads what AWS charges, from bench/prices.json.
package price

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Price is what one thing costs.
type Price struct {
	Name, Of, Region, Source, AsOf string
	Dollars                        float64
	// Free is how much of it an account gets each month for nothing, for ever.
	Free float64
	// Checked is a page by somebody else that has the price, and for which region, or why there
	// is none.
	Checked string
}

// List has the prices by name.
type List map[string]Price

// Read returns the prices.
func Read(checkout string) (List, error) {
	raw, err := os.ReadFile(filepath.Join(checkout, "bench", "prices.json"))
	if err != nil {
		return nil, fmt.Errorf("read the prices: %w", err)
	}
	var list []Price
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, fmt.Errorf("read the prices: %w", err)
	}
	prices := List{}
	for _, p := range list {
		if p.Dollars <= 0 || !strings.HasPrefix(p.Source, "https://") || p.AsOf == "" || cmp.Or(p.Of, p.Region) == "" ||
			!strings.HasPrefix(p.Checked, "https://") && !strings.HasPrefix(p.Checked, "unverified") {
			return nil, fmt.Errorf("the price of %q lacks a source, a date, a check or a value", p.Name)
		}
		prices[p.Name] = p
	}
	return prices, nil
}

// Cost returns what an amount costs. Prices of a million are so marked.
func (p Price) Cost(amount float64) float64 {
	if strings.HasPrefix(p.Of, "a million") {
		amount /= 1e6
	}
	return amount * p.Dollars
}
