package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// price is what AWS charges for one thing.
type price struct {
	Name, Of, Region, Source, AsOf string
	Dollars                        float64
	// Free is how much of it an account gets each month for nothing, for ever.
	Free float64
	// Checked is a page by somebody else that has the price, and for which region, or why there
	// is none.
	Checked string
}

// readPrices returns the prices of bench/prices.json by name.
func readPrices(checkout string) (map[string]price, error) {
	raw, err := os.ReadFile(filepath.Join(checkout, "bench", "prices.json"))
	if err != nil {
		return nil, fmt.Errorf("read the prices: %w", err)
	}
	var list []price
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, fmt.Errorf("read the prices: %w", err)
	}
	prices := map[string]price{}
	for _, p := range list {
		if p.Dollars <= 0 || !strings.HasPrefix(p.Source, "https://") || p.AsOf == "" || p.Of == "" ||
			!strings.HasPrefix(p.Checked, "https://") && !strings.HasPrefix(p.Checked, "unverified") {
			return nil, fmt.Errorf("the price of %q lacks a source, a date, a check or a value", p.Name)
		}
		prices[p.Name] = p
	}
	return prices, nil
}

// cost returns what an amount costs. Prices of a million are so marked.
func (p price) cost(amount float64) float64 {
	if strings.HasPrefix(p.Of, "a million") {
		amount /= million
	}
	return amount * p.Dollars
}
