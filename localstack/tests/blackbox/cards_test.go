package blackbox_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCardsInAListOfTheirOwn(t *testing.T) {
	p := newPartner(t, "sandbox")
	p.connected(t, "larkspur")
	accounts := p.accounts(t)
	require.Len(t, accounts, 3)
	card := slices.IndexFunc(accounts, func(a account) bool { return a.IBAN == "" })
	require.NotEqual(t, -1, card)
	var page struct {
		Data struct{ Transactions []transaction }
	}
	path := "/openbanking/v1/transactions?accountId=" + accounts[card].AccountID
	p.send(t, http.MethodGet, path, nil).decode(t, &page)
	require.NotEmpty(t, page.Data.Transactions)
	for _, row := range page.Data.Transactions {
		assert.Equal(t, accounts[card].AccountID, row.Account.ID)
	}
}

func TestBanksByTheirCodes(t *testing.T) {
	p := newPartner(t, "sandbox")
	want := p.bank(t, "lindenmark")
	for _, query := range []string{"bic=limade00", "bankCode=99050010&countryCode=DE"} {
		var list struct {
			Data struct{ Providers []provider }
		}
		p.send(t, http.MethodGet, "/openbanking/v1/providers?"+query, nil).decode(t, &list)
		assert.Equal(t, []provider{want}, list.Data.Providers, query)
	}
}
