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

// cardList is the standard's list of card accounts. Their resource IDs begin with it, so
// that they lead to the list's addresses.
const cardList = "card-accounts"

// accountPath returns the path segments of something of an account.
func accountPath(resourceID, what string) []string {
	if id, isCard := strings.CutPrefix(resourceID, cardList+"/"); isCard {
		return []string{cardList, id, what}
	}
	return []string{"accounts", resourceID, what}
}

// cards lists the card accounts that are not among the others. A bank that refuses to list
// them has none for us: it has just listed the others under the same consent. If it is only
// busy, the whole read fails, so that it is tried again.
func (c *Client) cards(
	ctx context.Context, bank pfm.BankEndpoint, s pfm.Session, others []listedAccount,
) ([]listedAccount, error) {
	cards, err := c.accounts(ctx, bank, s, cardList, "")
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
			bankwire.Compact(text(card.MaskedPAN)) == bankwire.Compact(text(other.MaskedPAN))
}

// asCard adds what follows from the list in which a card account is.
func (l listedAccount) asCard(w wireAccount) listedAccount {
	l.account.ResourceID = cardList + "/" + l.account.ResourceID
	l.account.CashAccountType = "CARD"
	l.account.SignsInverted = string(w.DebitAccounting) == "true"
	return l
}

// wireCard is what rows of card accounts have instead of the members of other rows.
type wireCard struct {
	CardTransactionID       text                          `json:"cardTransactionId"`
	AcceptorTransactionTime day                           `json:"acceptorTransactionDateTime"`
	OriginalAmount          bankwire.Lenient[*wireAmount] `json:"originalAmount"`
	CardAcceptorID          text                          `json:"cardAcceptorId"`
	TransactionDetails      text                          `json:"transactionDetails"`
}

// readCardRow reads a row of a card account. Its value date is the day on which the card's
// invoice is due, which is not the row's.
func readCardRow(b []byte, booked bool) pfm.BankTransaction {
	row := readRow(b, booked)
	row.ValueDate = ""
	return row
}

// acceptor returns the shop, if the card acceptor's ID is its name. It may be a number.
func (w wireCard) acceptor() string {
	letters, digits := 0, 0
	for _, r := range w.CardAcceptorID {
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
	return string(w.CardAcceptorID)
}
