package contractterms

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation/catalogue"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
	"aviso/localstack/tests/clocktest"
)

// askedCatalogue has products by organization ID and records its lookups.
type askedCatalogue struct {
	products map[string]string
	asked    [][]string
	err      error
}

func (c *askedCatalogue) FirstProducts(_ context.Context, ids []string) (map[string]string, error) {
	c.asked = append(c.asked, ids)
	return c.products, c.err
}

func TestCancellables(t *testing.T) {
	organization := catalogue.OrganizationID("vidorama")
	asked := &askedCatalogue{products: map[string]string{organization: "product"}}
	clock := clocktest.New()
	c := New(asked.FirstProducts, nil, clock.Now)
	merchants := []string{pfm.MerchantID("vidorama"), pfm.MerchantID("20hours"), pfm.MerchantID("lidl"), "nobody"}
	want := map[string]contract.Cancellable{merchants[0]: {OrganizationID: organization, ProductID: "product"}}
	find := func(merchants ...string) (map[string]contract.Cancellable, error) {
		var list []contract.Subscription
		for _, id := range merchants {
			list = append(list, contract.Subscription{Merchant: pfm.Merchant{ID: id}})
		}
		err := c.Cancellables(t.Context(), list)
		found := map[string]contract.Cancellable{}
		for _, one := range list {
			if one.Cancellable != nil {
				found[one.Merchant.ID] = *one.Cancellable
			}
		}
		return found, err
	}

	t.Run("asks for nothing without merchants", func(t *testing.T) {
		got, err := find("")
		require.NoError(t, err)
		assert.Empty(t, got)
		assert.Empty(t, asked.asked)
	})

	got, err := find(merchants...)
	require.NoError(t, err)
	assert.Equal(t, want, got)
	require.Len(t, asked.asked, 1)
	assert.ElementsMatch(t, []string{organization, catalogue.OrganizationID("20hours")}, asked.asked[0],
		"only of whom there may be one")

	t.Run("caches for a while", func(t *testing.T) {
		got, err := find(merchants...)
		require.NoError(t, err)
		assert.Equal(t, want, got)
		assert.Len(t, asked.asked, 1)
	})

	t.Run("refreshes later, and drops what is gone", func(t *testing.T) {
		clock.Advance(remembered + 1)
		asked.products = nil
		got, err := find(merchants...)
		require.NoError(t, err)
		assert.Empty(t, got)
		assert.Len(t, asked.asked, 2)
	})

	t.Run("returns the catalogue's error", func(t *testing.T) {
		clock.Advance(remembered + 1)
		asked.err = errors.New("no table")
		_, err := find(merchants...)
		require.ErrorIs(t, err, asked.err)
	})
}
