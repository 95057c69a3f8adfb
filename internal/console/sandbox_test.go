package console_test

import (
	"html"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/internal/console"
	"aviso/internal/sandbox/bank"
	"aviso/internal/sandbox/persona"
)

// Everybody of the sandbox is on the page. Every bank of the sandbox whose customers approve in a way of its own is on the page.
func TestBanksOfTheSandbox(t *testing.T) {
	body := html.UnescapeString(newWorld(t).as(t, "alpha", console.Viewer).get(t, "/console/sandbox").body)
	ways := 0
	for _, b := range bank.Catalogue() {
		if b.Traits.SCA != "" {
			ways++
			assert.Contains(t, body, `data-label="Bank">`+b.Name+`</td><td data-label="Country">`+b.CountryCode+"<")
		}
	}
	assert.Equal(t, ways+2, strings.Count(body, `data-label="Bank"`), "with one that approves as most do, and the aggregator's")
	assert.Contains(t, body, bank.Catalogue()[0].Name)
	for _, p := range persona.All() {
		for _, part := range []string{p.ID, p.Name, p.Summary} {
			assert.Contains(t, body, ">"+part+"</td>")
		}
	}
	assert.Equal(t, len(persona.All()), strings.Count(body, `data-label="Log in as"`))
}
