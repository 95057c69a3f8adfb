package pfm_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apierror"
	"aviso/internal/outcome"
	"aviso/internal/pfm"
	"aviso/localstack/tests/pfmtest"
)

// catalogue is a Store that records its queries.
type catalogue struct {
	pfm.Store
	asked pfm.ProviderFilter
	err   error
}

func (c *catalogue) Provider(context.Context, string) (pfm.Provider, error) {
	return pfmtest.Provider(), c.err
}

func (c *catalogue) Providers(_ context.Context, f pfm.ProviderFilter, _ int, _ string) ([]pfm.Provider, string, error) {
	c.asked = f
	return nil, "", nil
}

func TestProviders(t *testing.T) {
	t.Run("are looked up in the spelling of the index", func(t *testing.T) {
		store := &catalogue{}
		for asked, want := range map[pfm.ProviderFilter]pfm.ProviderFilter{
			{CountryCode: "de", NamePart: " Créd"}:  {CountryCode: "DE", NamePart: "cred"},
			{BIC: "nolade21xxx", BankCode: "2105a"}: {BIC: "NOLADE21", BankCode: "2105A"},
			{BIC: "nolade21", BankCode: "10000XXX"}: {BIC: "NOLADE21", BankCode: "10000XXX"},
		} {
			_, _, err := (&pfm.Providers{Store: store}).List(t.Context(), asked, 10, "")
			require.NoError(t, err)
			assert.Equal(t, want, store.asked)
		}
	})

	t.Run("return 404 for an unknown ID", func(t *testing.T) {
		_, err := (&pfm.Providers{Store: &catalogue{err: outcome.ErrNotFound}}).Get(t.Context(), "x")
		assert.True(t, apierror.Is(err, apierror.NotFound), err)
	})

	t.Run("return an error other than 404 if they cannot be read", func(t *testing.T) {
		down := errors.New("down")
		_, err := (&pfm.Providers{Store: &catalogue{err: down}}).Get(t.Context(), "x")
		assert.ErrorIs(t, err, down)
	})

	t.Run("limit consents to the legal maximum", func(t *testing.T) {
		for days, want := range map[int]int{0: 0, 90: 90, 180: 180, 181: 180, 9999: 180} {
			assert.Equal(t, want, pfm.Provider{MaxConsentDays: days}.ConsentDays())
		}
	})
}
