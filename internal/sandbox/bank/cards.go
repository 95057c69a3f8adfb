package bank

import (
	"net/http"
	"strings"

	"aviso/internal/sandbox/persona"
)

// listOf returns the list that has the account, as it is named in paths.
func (lb localBank) listOf(acc persona.Account) string {
	if lb.Traits.CardAccounts && acc.Kind == persona.Card {
		return "card-accounts"
	}
	return "accounts"
}

func (s *server) listCards(r *http.Request, ses *session, _ struct{}) (any, error) {
	if !ses.Traits.CardAccounts {
		return nil, newTPPError(http.StatusForbidden, "SERVICE_BLOCKED", "The bank lists cards among the other accounts.")
	}
	if err := s.count(r, ses, "", "card-accounts"); err != nil {
		return nil, err
	}
	return map[string]any{"cardAccounts": s.listed(r, ses, "card-accounts", true)}, nil
}

func (s *server) getCard(r *http.Request, ses *session, acc persona.Account, g Grant, _ struct{}) (any, error) {
	return map[string]any{"cardAccount": s.details(r, ses, acc, g, false)}, s.count(r, ses, acc.Key, "account")
}

// cardReport is the report of a card account, which names the same things otherwise.
type cardReport struct {
	Account      Reference         `json:"cardAccount"`
	Transactions cardAccountReport `json:"cardTransactions"`
	Balances     []balance         `json:"balances,omitempty"`
}

type cardAccountReport struct {
	Booked  []cardTransaction `json:"booked,omitzero"`
	Pending []cardTransaction `json:"pending,omitzero"`
	Links   links             `json:"_links"`
}

type cardTransaction struct {
	CardTransactionID              string         `json:"cardTransactionId,omitempty"`
	TransactionDate                string         `json:"transactionDate"`
	BookingDate                    string         `json:"bookingDate,omitempty"`
	TransactionAmount              amount         `json:"transactionAmount"`
	CurrencyExchange               []exchangeRate `json:"currencyExchange,omitempty"`
	CardAcceptorID                 string         `json:"cardAcceptorId,omitempty"`
	MerchantCategoryCode           string         `json:"merchantCategoryCode,omitempty"`
	TransactionDetails             string         `json:"transactionDetails,omitempty"`
	Invoiced                       bool           `json:"invoiced"`
	ProprietaryBankTransactionCode string         `json:"proprietaryBankTransactionCode,omitempty"`
}

func (t transactionReport) ofCard() cardReport {
	report := t.Transactions
	report.Links["cardAccount"] = report.Links["account"]
	delete(report.Links, "account")
	return cardReport{t.Account, cardAccountReport{
		cardTransactions(report.Booked), cardTransactions(report.Pending), report.Links,
	}, t.Balances}
}

// cardTransactions keeps a nil list, which was not requested.
func cardTransactions(rows []transaction) []cardTransaction {
	var cards []cardTransaction
	if rows != nil {
		cards = []cardTransaction{}
	}
	for _, t := range rows {
		name := []rune(t.CreditorName + t.DebtorName)
		cards = append(cards, cardTransaction{
			// The standard allows 35 characters.
			CardTransactionID: strings.ReplaceAll(t.TransactionID, "-", ""),
			TransactionDate:   t.ValueDate, BookingDate: t.BookingDate,
			TransactionAmount: t.TransactionAmount, CurrencyExchange: t.CurrencyExchange,
			CardAcceptorID: string(name[:min(len(name), 35)]), MerchantCategoryCode: t.MerchantCategoryCode,
			TransactionDetails:             t.RemittanceInformationUnstructured,
			ProprietaryBankTransactionCode: t.ProprietaryBankTransactionCode,
		})
	}
	return cards
}
