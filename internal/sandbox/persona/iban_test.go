package persona

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAccountNumbersHaveValidCheckDigits(t *testing.T) {
	lengths := map[string]int{"DE": 22, "AT": 20, "FR": 27, "ES": 24, "IT": 27, "NL": 18, "BE": 16, "IE": 22, "PT": 25, "SE": 24, "LU": 20}
	for country := range places() {
		for i := range 200 {
			n := iban(country, &rng{uint64(i)})
			require.Len(t, n, lengths[country], country)
			assert.Equal(t, 1, mod97(n[4:]+n[:4]), n)
		}
	}
}

// These are example numbers published by the registries.
func TestNationalCheckDigitsMatchPublishedExamples(t *testing.T) {
	assert.Equal(t, "4", spanishDigit("00"+"21000418"))
	assert.Equal(t, "5", spanishDigit("0200051332"))
	assert.Equal(t, "X", italianLetter("0542811101000000123456"))
	assert.Equal(t, 34, mod97("5390075470"), "Belgium: BE68 5390 0754 7034")
	assert.Equal(t, 54, 98-mod97("000201231234567890100"), "Portugal: PT50 0002 0123 1234 5678 9015 4")
	assert.Equal(t, 89, 97-mod97("30006000011234567890100"), "France: FR76 3000 6000 0112 3456 7890 189")
	assert.Equal(t, 1, mod97("370400440532013000"+"DE89"))
}

func TestCreditorIdentifiersHaveValidCheckDigits(t *testing.T) {
	id := creditorID("DE", &rng{7})
	assert.Equal(t, 1, mod97(id[7:]+id[:4]), id)
}
