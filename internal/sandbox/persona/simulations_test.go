package persona_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/internal/sandbox/persona"
)

// A persona's rows are the same for ever: services have stored them.
func TestRowsStayTheSame(t *testing.T) {
	var got strings.Builder
	var simulations persona.Simulations
	for _, b := range []persona.Branch{branches[0], branches[2], branches[9]} {
		for _, p := range persona.All()[:5] { // the others live as the first does
			for _, date := range []string{"2023-03-01", "2026-11-20", "2027-12-31"} {
				rows, err := json.Marshal(simulations.Statements(p, b, today(t, date)))
				require.NoError(t, err)
				fmt.Fprintf(&got, "%s %s %s %x\n", b.Country, p.ID, date, sha256.Sum256(rows))
			}
		}
	}
	want, err := os.ReadFile("testdata/statements.txt")
	require.NoError(t, err)
	assert.Equal(t, string(want), got.String())
}

// Days are asked for in any order, by users whose clocks differ.
func TestALifeThatGoesOnIsTheSameAsOneFromTheStart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var simulations persona.Simulations
		for range rapid.IntRange(2, 5).Draw(t, "statements") {
			p := rapid.SampledFrom(persona.All()[:3]).Draw(t, "persona")
			day := persona.Epoch + persona.Day(rapid.IntRange(-1, 100).Draw(t, "day"))
			want, got := p.Statements(branches[0], day), simulations.Statements(p, branches[0], day)
			require.Equal(t, asText(t, want), asText(t, got))
		}
	})
}

// asText makes no difference between no rows and an empty list of rows.
func asText(t require.TestingT, statements map[string]persona.Statement) string {
	text, err := json.MarshalIndent(statements, "", " ")
	require.NoError(t, err)
	return strings.ReplaceAll(string(text), "null", "[]")
}

// What a caller does with a statement does not reach the next one.
func TestStatementsShareTheirRowsSafely(t *testing.T) {
	var simulations persona.Simulations
	day := today(t, "2023-03-01")
	of := func(day persona.Day) persona.Statement {
		return simulations.Statements(persona.All()[0], branches[0], day)["current"]
	}
	want := asText(t, map[string]persona.Statement{"": of(day + 30)})
	early := of(day)
	early.Booked = append(early.Booked, persona.Entry{Text: "mine"})
	early.Pending = append(early.Pending, early.Booked...)
	assert.Equal(t, want, asText(t, map[string]persona.Statement{"": of(day + 30)}))
}
