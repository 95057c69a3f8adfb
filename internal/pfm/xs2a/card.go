package xs2a

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"unicode"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

// cardList is the standard's list of card accounts. Their resource IDs begin with it, so that accountPath finds the
// list's addresses.
const cardList = "card-accounts"

// accountPath returns the path segments of a part of an account.
func accountPath(resourceID, what string) []string {
	if id, isCard := strings.CutPrefix(resourceID, cardList+"/"); isCard {
		return []string{cardList, id, what}
	}
	return []string{"accounts", resourceID, what}
}

// cards lists the card accounts that are not among the others. A bank that refuses to list them has none for us: it
// has just listed the other accounts under the same consent. If it is only busy, the whole read fails and is retried.
func (c *Client) cards(
	ctx context.Context, bank pfm.BankEndpoint, s pfm.Session, others []listedAccount,
) ([]listedAccount, error) {
	cards, err := c.accounts(ctx, read(bank, s, listAccounts, cardList))
	switch e := pfm.FailureOf(err); {
	case e.Kind == pfm.SupplierInvalidResponse:
		return []listedAccount{{account: pfm.BankAccount{Incomplete: true}}}, nil
	case e.Kind != "" && (!e.Temporary() || e.Status == http.StatusNotImplemented):
		return nil, nil
	}
	return slices.DeleteFunc(cards, func(card listedAccount) bool {
		return slices.ContainsFunc(others, func(other listedAccount) bool {
			return isSameCard(card.account, other.account)
		})
	}), err
}

func isSameCard(card, other pfm.BankAccount) bool {
	return card.ResourceID == cardList+"/"+other.ResourceID && other.ResourceID != "" ||
		card.Currency == other.Currency && card.MaskedPAN != "" &&
			bankwire.Compact(card.MaskedPAN) == bankwire.Compact(other.MaskedPAN)
}

// acceptor returns the shop, if the card acceptor's ID is its name. It may be a number.
func acceptor(id string) string {
	letters, digits := 0, 0
	for _, r := range id {
		switch {
		case unicode.IsLetter(r):
			letters++
		case unicode.IsDigit(r):
			digits++
		}
	}
	if letters < 3 || letters <= digits {
		return ""
	}
	return id
}
