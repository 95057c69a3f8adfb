package enrich_test

import (
	"encoding/csv"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
	"aviso/internal/pfm/enrich"
)

// testdata/anatomy.csv has a line for each form of forms.csv, and the party's name as a person writes it.
func TestNames(t *testing.T) {
	f, err := os.Open("testdata/anatomy.csv")
	require.NoError(t, err)
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	for _, c := range lines[1:] {
		assert.Equal(t, c[3], enrich.Enrich(out(c[2], c[1], c[0])).Merchant.Name, c[2])
	}
}

func TestEmployersHaveNames(t *testing.T) {
	for note, country := range map[string]string{
		"VIREMENT SALAIRE NORDWERK SARL": "FR", "SALARY NORDWERK LTD": "GB", "Lønn Nordwerk AS": "NO", "LOHN/GEHALT NORDWERK GMBH": "DE",
	} {
		found := enrich.Enrich(in(note, "", country))
		assert.Equal(t, "Nordwerk", found.Merchant.Name, note)
		assert.Equal(t, pfm.IncomeSalary, found.Category.SubcategoryID, note)
	}
}
