package sandbox

import (
	"encoding/csv"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/sandbox/persona"
)

// merchant is a merchant in the data for enrichment.
type merchant struct {
	slug         string
	names        []string
	organization string
}

func merchants(t *testing.T) []merchant {
	t.Helper()
	f, err := os.Open("../pfm/enrich/data/merchants.csv")
	require.NoError(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	require.Equal(t, []string{"slug", "name", "category", "countries", "aliases", "organization"}, rows[0])
	var out []merchant
	for _, row := range rows[1:] {
		names := append(strings.Split(row[4], "|"), row[1])
		out = append(out, merchant{row[0], names, row[5]})
	}
	return out
}

func brands() map[string]persona.Brand {
	out := map[string]persona.Brand{}
	for _, b := range persona.Brands() {
		out[b.Slug] = b
	}
	return out
}

func TestEveryContractBrandCanBeCancelled(t *testing.T) {
	_, organizations := read(t)
	there := map[string]organization{}
	shared := 0
	for _, o := range organizations {
		there[o.Slug] = o
		if _, ok := brands()[o.Slug]; ok {
			shared++
		}
	}
	assert.GreaterOrEqual(t, shared, 30)
	for _, m := range merchants(t) {
		brand, ok := brands()[m.slug]
		if !ok || brand.Price == 0 || m.organization == "" {
			continue
		}
		o := there[m.organization]
		assert.Equal(t, brand.Name, o.Name, m.organization)
		assert.False(t, o.Inactive, m.organization)
	}
}

func TestNoOrganizationIsReal(t *testing.T) {
	_, organizations := read(t)
	merchantNames := map[string]bool{}
	for _, m := range merchants(t) {
		if _, ok := brands()[m.slug]; ok {
			continue
		}
		merchantNames[m.slug] = true
		for _, name := range m.names {
			merchantNames[strings.ToLower(name)] = true
		}
	}
	for _, o := range organizations {
		assert.False(t, merchantNames[o.Slug], "%s is a real merchant", o.Slug)
		assert.False(t, merchantNames[strings.ToLower(o.Name)], "%s is a real merchant", o.Name)
	}
}

func TestOrganizationsAreDistinct(t *testing.T) {
	_, organizations := read(t)
	digits := regexp.MustCompile(`[0-9 ]+`)
	names, addresses, faxes := map[string]string{}, map[string]string{}, map[string]string{}
	for _, o := range organizations {
		unique(t, names, strings.ToLower(digits.ReplaceAllString(o.Name, "")), o.Slug)
		for _, p := range o.Products {
			for _, c := range p.Channels {
				if c.Address != nil {
					unique(t, addresses, c.Address.Street+", "+c.Address.City, o.Slug)
				}
				unique(t, faxes, c.Fax, o.Slug)
			}
		}
	}
}

// unique records the owner of a value and fails if it has another owner.
func unique(t *testing.T, owners map[string]string, value, owner string) {
	t.Helper()
	if value == "" {
		return
	}
	if other, ok := owners[value]; ok {
		assert.Equal(t, other, owner, "both have %q", value)
	}
	owners[value] = owner
}
