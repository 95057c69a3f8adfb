package bank_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"

	"aviso/internal/sandbox/bank"
)

func TestCatalogue(t *testing.T) {
	banks := bank.Catalogue()
	assert.GreaterOrEqual(t, len(banks), 12)
	assert.Equal(t, "Active", banks[0].Status)
	countries, states, slugs, automatic := map[string]bool{}, map[string]int{}, map[string]bool{}, 0
	for _, b := range banks {
		countries[b.CountryCode] = true
		states[b.Status]++
		assert.False(t, slugs[b.Slug], b.Slug)
		slugs[b.Slug] = true
		assert.Equal(t, uuid.NewSHA1(uuid.NameSpaceURL, []byte("https://aviso.example/sandbox/banks/"+b.Slug)).String(), b.ID)
		_, err := time.LoadLocation(b.Timezone)
		assert.NoError(t, err)
		assert.NotNil(t, b.Meta)
		assert.LessOrEqual(t, b.MaxConsentDays, 180)
		assert.Positive(t, b.RefreshTimeoutMinutes)
		if b.AutomaticFetch != nil {
			automatic++
		}
	}
	assert.GreaterOrEqual(t, len(countries), 6)
	assert.NotZero(t, states["Inactive"])
	assert.NotZero(t, states["Disabled"])
	assert.Greater(t, states["Active"], len(banks)/2)
	assert.NotZero(t, automatic)
	assert.NotEqual(t, len(banks), automatic)
}

func TestLogos(t *testing.T) {
	for _, b := range bank.Catalogue() {
		res := newTPP(t, b.Slug, noon).Get(t, b.LogoPath())
		assert.Equal(t, 200, res.StatusCode)
		assert.Equal(t, "image/svg+xml", res.Header.Get("Content-Type"))
		assert.True(t, strings.HasPrefix(Text(t, res), "<svg "))
	}
}
