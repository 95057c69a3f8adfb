package carrier

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/internal/cancellation"
)

func TestPartyOf(t *testing.T) {
	for street, want := range map[string]party{
		"Musterallee 12":                {Street: "Musterallee", Number: "12"},
		"Straße des 17. Juni 135":       {Street: "Straße des 17. Juni", Number: "135"},
		"Am Markt 3-5":                  {Street: "Am Markt", Number: "3-5"},
		"Wiener Str. 12/3":              {Street: "Wiener Str.", Number: "12/3"},
		"Hauptplatz":                    {Street: "Hauptplatz"},
		"Postfach 10 20 30":             {POBox: "Postfach 10 20 30"},
		"P.O. Box 7":                    {POBox: "P.O. Box 7"},
		"Case postale 99":               {POBox: "Case postale 99"},
		"":                              {},
		"12":                            {Street: "12"},
		strings.Repeat("Langgasse", 10): {Street: strings.Repeat("Langgasse", 10)[:40]},
	} {
		t.Run(street, func(t *testing.T) {
			want.Name, want.Zip, want.City, want.Country = "Strom AG", "10115", "Musterstadt", "DE"
			a := testAddress
			a.Street = street
			assert.Equal(t, want, partyOf(a))
		})
	}
	t.Run("cuts long names by characters", func(t *testing.T) {
		got := partyOf(cancellation.PostalAddress{Recipient: []string{strings.Repeat("ü", 60)}, City: strings.Repeat("ö", 30)})
		assert.Equal(t, strings.Repeat("ü", 45), got.Name)
		assert.Equal(t, strings.Repeat("ö", 25), got.City)
	})
}
