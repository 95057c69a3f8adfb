package fulltext_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/fulltext"
)

// TestAnswersStayTheSame holds the first two pages of 3,000 queries to a digest. A change
// that moves hits on purpose needs a new one.
func TestAnswersStayTheSame(t *testing.T) {
	t.Parallel()
	r := seeded(12)
	documents, made := randomCatalogue(r, 5000)
	for i := range documents {
		documents[i].CategoryNames = []string{"Energie und Gas", "Assurances"}[i%2:]
	}
	misspelt := misspellings(r, made, 1500)
	queries := append(halfTyped(r, misspelt), commonQueries()...)
	for _, q := range misspelt {
		queries = append(queries, q.Text)
	}
	x, digest := fulltext.New(documents), sha256.New()
	for i, q := range queries {
		position, filter := "", catalogue.SearchFilter{}
		if i%3 == 0 {
			filter.Locale = "de-DE"
		}
		for range 2 {
			page, err := x.Search(q, filter, 10, position)
			require.NoError(t, err)
			require.NoError(t, json.NewEncoder(digest).Encode(page))
			if position = page.Next; position == "" {
				break
			}
		}
	}
	assert.Equal(t, "8b5bc8e8409d269ca8fb68bc29bee433662720c1fa76a320e2e7c32700d407a3", hex.EncodeToString(digest.Sum(nil)))
}
