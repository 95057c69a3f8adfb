package app

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/cataloguefile"
	"aviso/internal/cancellation/letter"
	"aviso/internal/sandbox"
)

// letterTo returns a letter for a product, with a value for each of its fields.
func letterTo(o catalogue.Organization, p catalogue.Product, l cancellation.Locale) cancellation.Letter {
	to := cancellation.Letter{
		Locale:       l,
		Date:         time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC),
		Organization: o.Name,
		Address:      p.Address(),
		Product:      p.Name,
		Sender: cancellation.Sender{
			Name: "Anna Sommer", Street: "Lange Straße 1", PostalCode: "50667", City: "Köln",
			Email: "anna@mail.example",
		},
		Signature: cancellation.Signature{Text: "Anna Sommer"},
	}
	for _, f := range p.Fields {
		to.References = append(to.References, cancellation.Reference{Label: f.Labels[l], Value: "4711-0815"})
	}
	return to
}

// TestEveryProductOfTheSandboxCanBeCancelled looks at each product in each of its
// locales: its texts can be printed and its country has a name. In each locale the
// longest letter within the country, the longest abroad and the longest without an
// address are written; it takes too long to write them all. That other addresses
// fit the window, too, is held by package letter.
func TestEveryProductOfTheSandboxCanBeCancelled(t *testing.T) {
	t.Parallel()
	writer := letter.Writer{}
	edition, err := cataloguefile.Parse(bytes.NewReader(sandbox.Catalogue()))
	require.NoError(t, err)
	longest := map[string]cancellation.Letter{}
	for _, e := range edition.Entries {
		for _, p := range e.Products {
			for _, l := range p.Locales {
				to := letterTo(e.Organization, p, l)
				of := fmt.Sprintf("%s/%s in %s", e.Organization.Slug, p.Slug, l)
				for _, text := range texts(to) {
					assert.NotEmpty(t, text, of)
					assert.NoError(t, writer.Check(text), of)
				}
				way := string(l)
				if !to.Address.IsZero() {
					assert.NoError(t, writer.CheckCountry(l, to.Address.CountryCode), of)
					way += fmt.Sprint(", abroad: ", to.Address.CountryCode != l.Country())
				}
				if former, there := longest[way]; !there || size(to) > size(former) {
					longest[way] = to
				}
			}
		}
	}
	require.Greater(t, len(longest), 25)
	for way, to := range longest {
		_, err := writer.Write(to)
		assert.NoError(t, err, way)
	}
}

func size(l cancellation.Letter) int { return len(strings.Join(texts(l), "")) }

// texts returns the texts of a letter that come from the catalogue.
func texts(l cancellation.Letter) []string {
	list := []string{l.Organization, l.Product}
	for _, r := range l.References {
		list = append(list, r.Label)
	}
	if !l.Address.IsZero() {
		list = append(append(list, l.Address.Recipient...), l.Address.Street, l.Address.PostalCode, l.Address.City)
	}
	return list
}
