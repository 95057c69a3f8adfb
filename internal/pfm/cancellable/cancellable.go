// Package cancellable tells which merchants have contracts that can be ended,
// and under which slug the cancellation catalogue would have the organization.
// It is apart from the rules of package enrich, so that a function that only
// reads does not carry them.
package cancellable

import (
	_ "embed" // the slugs
	"strings"

	"aviso/internal/pfm"
)

// The slugs, one a line: those in the column `organization` of the merchants in
// package enrich. A merchant and its organization have the same slug.
//
//go:embed slugs.txt
var slugs string

// Merchants are the slugs of organizations by merchant id.
type Merchants map[string]string

// Load works out the ids, a thousand in less than a millisecond.
func Load() Merchants {
	m := Merchants{}
	for slug := range strings.Lines(slugs) {
		slug = strings.TrimSpace(slug)
		m[pfm.MerchantID(slug)] = slug
	}
	return m
}
