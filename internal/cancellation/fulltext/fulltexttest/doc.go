// Package fulltexttest makes large catalogues and what people type to find
// something in them, for tests and benchmarks of the search. All of it is made
// up, of parts of names from ten countries, and the same for the same seed.
package fulltexttest

import "math/rand/v2"

// Seeded is a source of chance that is the same each time.
func Seeded(seed uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // nothing secret is made of it
}
