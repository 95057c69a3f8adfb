package contract_test

import (
	"encoding/csv"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
)

func TestSlugsMatchMerchants(t *testing.T) {
	file, err := os.Open("../enrich/data/merchants.csv")
	require.NoError(t, err)
	defer file.Close()
	r := csv.NewReader(file)
	r.Comment = '#'
	rows, err := r.ReadAll()
	require.NoError(t, err)
	want := map[string]string{}
	for _, row := range rows[1:] {
		if organization := row[5]; organization != "" {
			require.Equal(t, row[0], organization, "a merchant and its organization have the same slug")
			want[pfm.MerchantID(row[0])] = organization
		}
	}
	require.NotEmpty(t, want)
	assert.Equal(t, want, contract.CancellableMerchants())
}
