package fulltext_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/fulltext"
)

func TestProductsWithoutTheirOrganizationAreLeftOut(t *testing.T) {
	t.Parallel()
	nord := organization("nord", "Nord\tand\nSouth")
	x := fulltext.MustNew([]cancellation.SearchDocument{product(organization("gone", "Gone"), "p", "Nord"), nord})
	assert.Equal(t, []string{"nord"}, found(t, x, "nord"))
}
