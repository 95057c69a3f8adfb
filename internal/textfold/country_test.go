package textfold_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"golang.org/x/text/language"

	"aviso/internal/textfold"
)

// CLDR knows more codes than are in use, but no code that it does not know is a country.
func TestIsCountry(t *testing.T) {
	known := 0
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			code := string([]rune{a, b})
			if !textfold.IsCountry(code) {
				continue
			}
			known++
			region, err := language.ParseRegion(code)
			assert.True(t, err == nil && region.IsCountry(), code)
		}
	}
	assert.Equal(t, 249+1, known)
	for _, other := range []string{"", "D", "DEU", "de", "D1", " D", "E ", "ZZ", "XX", "AN", "SU", "YU"} {
		assert.False(t, textfold.IsCountry(other), other)
	}
}
