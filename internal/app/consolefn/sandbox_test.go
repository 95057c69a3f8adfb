package consolefn

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/internal/console"
	"aviso/internal/sandbox/bank"
)

// Every bank of the sandbox whose customers approve in a way of its own is on the page.
func TestBanksOfTheSandbox(t *testing.T) {
	t.Parallel()
	s := describeSandbox()
	ways := 0
	for _, b := range bank.Catalogue() {
		named := slices.ContainsFunc(s.Banks, func(c console.SandboxBank) bool {
			return c.Name == b.Name && c.Country == b.CountryCode
		})
		if b.Traits.SCA != "" {
			ways++
			assert.True(t, named, b.Name)
		}
	}
	assert.Len(t, s.Banks, ways+2, "with one that approves as most do, and the aggregator's")
	assert.Equal(t, bank.Catalogue()[0].Name, s.Banks[0].Name)
	assert.NotEmpty(t, s.People)
}
