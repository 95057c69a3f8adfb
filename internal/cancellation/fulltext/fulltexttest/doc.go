// Package fulltexttest generates large catalogues and queries that people might type,
// for tests and benchmarks of the search. Everything is invented from parts of names
// from ten countries. The same seed gives the same data.
package fulltexttest

import "math/rand/v2"

// Seeded returns a reproducible source of random numbers.
func Seeded(seed uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // not used for secrets
}
