package deadline

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReasonsAreComplete(t *testing.T) {
	t.Parallel()
	all := grounds()
	require.NotEmpty(t, all)
	kinds := []ReasonKind{
		ReasonPriceRise, ReasonMoved, ReasonNotReminded, ReasonNoCancellationButton, ReasonDeath, ReasonSpecial,
	}
	taken := map[string]bool{}
	for _, g := range all {
		g = g.resolved()
		at := g.Country + " " + string(g.Kind) + " " + g.Citation
		assert.Regexp(t, `^[A-Z]{2}$`, g.Country, at)
		assert.Contains(t, kinds, g.Kind, at)
		assert.NotEmpty(t, g.Citation, at)
		assert.Regexp(t, `\.$`, g.Rule, at)
		u, err := url.Parse(g.URL)
		require.NoError(t, err, at)
		assert.Equal(t, "https", u.Scheme, at)
		assert.Equal(t, g.Kind == ReasonPriceRise || g.Kind == ReasonMoved || g.Kind == ReasonDeath, g.NeedsDate,
			"%s: the letters' words of these have a date", at)
		assert.True(t, g.Kind == ReasonSpecial || !g.NeedsText, at)
		assert.NotEqual(t, g.Unconfirmed, g.Confirmed != nil, "%s: either or", at)
		if g.Confirmed != nil {
			assert.NotEmpty(t, g.Confirmed.By, at)
			_, err := ParseDate(string(g.Confirmed.Read))
			assert.NoError(t, err, at)
		}
		for _, s := range g.Sectors {
			key := g.Country + string(g.Kind) + string(s)
			assert.False(t, taken[key], "%s: %s twice", at, s)
			taken[key] = true
		}
	}
}

func TestReasonsFollowCountryAndSector(t *testing.T) {
	t.Parallel()
	kinds := func(country string, sector Sector) (all []ReasonKind) {
		for _, g := range Grounds(country, sector) {
			all = append(all, g.Kind)
		}
		return all
	}
	assert.Equal(t, []ReasonKind{
		ReasonPriceRise, ReasonMoved, ReasonNoCancellationButton, ReasonSpecial, ReasonWithdrawal,
	}, kinds("DE", Telecom))
	assert.Equal(t, []ReasonKind{ReasonSpecial, ReasonWithdrawal}, kinds("DE", ""), "of an unknown sector, what counts for all")
	assert.Empty(t, kinds("US", Telecom))
	assert.Empty(t, kinds("IE", "Rental"))
	assert.Equal(t, "article L. 121-11 du Code des assurances", Grounds("FR", "MotorInsurance")[2].Citation, "a sold car")
	swiss := Grounds("CH", HomeInsurance)
	require.Len(t, swiss, 2)
	assert.Equal(t, "Art. 35b, 42 VVG (SR 221.229.1)", swiss[0].Cite("de"), "the row of the sector, not that of all")
	assert.Equal(t, "art. 35b et 42 LCA (RS 221.229.1)", swiss[0].Cite("fr"))
}

// Whoever is told of a right can use it: the letter knows the same law.
func TestEveryPriceRightHasAReason(t *testing.T) {
	t.Parallel()
	for country := range laws() {
		for _, right := range lawOf(country).PriceRights {
			for _, s := range right.Sectors {
				a := PriceRight(Rise{Country: country, Sector: s, Since: "2026-01-01"})
				assert.Equal(t, Reason{Kind: ReasonPriceRise, Date: "2026-01-01"}, a.Reason, "%s: %s", right.ID, s)
				if known := Grounds(country, s); assert.NotEmpty(t, known, right.ID) {
					assert.Contains(t, a.Source, known[0].URL, right.ID)
				}
			}
		}
	}
	assert.Zero(t, PriceRight(Rise{Country: "DE", Sector: Telecom, Since: "2026-01-01", Fell: true}).Reason)
}
