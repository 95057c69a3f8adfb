package connection

import (
	"cmp"
	"slices"
	"strings"

	"aviso/internal/pfm"
	"aviso/internal/textfold"
)

// readAccounts returns the accounts that can be read, as we understand what the bank
// sent, and how many of the accounts that it listed are incomplete.
func readAccounts(p pfm.Provider, listed []pfm.BankAccount) (accounts []pfm.BankAccount, incomplete int) {
	for _, a := range listed {
		if a.Incomplete {
			incomplete++
		}
		if a.ResourceID != "" {
			accounts = append(accounts, understood(p, a))
		}
	}
	return accounts, incomplete
}

func understood(p pfm.Provider, a pfm.BankAccount) pfm.BankAccount {
	if number := a.IBAN; number != "" && !isIBAN(number) {
		a.IBAN = ""
		switch {
		case isMasked(number) && number[0] <= '9':
			a.MaskedPAN = cmp.Or(a.MaskedPAN, number)
		case isCardNumber(number):
			a.MaskedPAN = cmp.Or(a.MaskedPAN, masked(number))
		default:
			a.BBAN = cmp.Or(a.BBAN, number)
		}
	}
	for _, b := range a.Balances {
		a.Currency = cmp.Or(a.Currency, b.Currency)
	}
	a.Currency = cmp.Or(a.Currency, currencyOfCountry(a.IBAN), currencyOfCountry(p.CountryCode))
	if t := accountType(a.CashAccountType); (t == pfm.AccountCurrent || t == pfm.AccountGeneral) && saysCard(a) {
		a.CashAccountType = "CARD"
	}
	if signs := p.Profile.CardSigns; signs != "" && accountType(a.CashAccountType) == pfm.AccountCreditCard {
		a.SignsInverted = signs == pfm.SignsInverted
	}
	for _, kind := range p.Profile.Balances {
		others := func(b pfm.BankBalance) bool { return b.Type != kind }
		if preferred := slices.DeleteFunc(slices.Clone(a.Balances), others); len(preferred) > 0 {
			a.Balances = preferred
			break
		}
	}
	return a
}

// isIBAN reports whether a number may be an IBAN. Some banks have none for an account,
// and send another number in its place.
func isIBAN(number string) bool {
	return len(number) > 2 && !isMasked(number) && strings.Trim(number[:2], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// isMasked reports whether its digits are hidden.
func isMasked(number string) bool {
	return strings.ContainsAny(number, "*•#") || strings.Contains(hidden(strings.ToLower(number)), "xxx")
}

func isCardNumber(number string) bool {
	return len(number) >= 15 && len(number) <= 19 && strings.Trim(number, "0123456789") == ""
}

// masked leaves of a card number what may be stored.
func masked(number string) string { return number[:6] + "xxxxxx" + number[len(number)-4:] }

// sameNumber compares account numbers, however their digits are hidden.
func sameNumber(a, b string) bool {
	return a != "" && strings.EqualFold(hidden(a), hidden(b))
}

func hidden(number string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case ' ', '-':
			return -1
		case '*', '•', '#', '.', 'X':
			return 'x'
		default:
			return r
		}
	}, number)
}

// cardNames are words for credit cards in names of accounts and products, folded.
var cardNames = []string{
	"credit card", "creditcard", "kreditkarte", "kreditkort", "kredittkort", "luottokortti", "carte de credit",
	"carta di credito", "tarjeta de credito", "cartao de credito", "karta kredytowa", "kreditni karta", "hitelkartya",
	"mastercard", "american express",
}

// saysCard reports whether a name or number says that the account is that of a credit
// card.
func saysCard(a pfm.BankAccount) bool {
	name, product := textfold.Name(a.Product+" "+a.Name), textfold.Name(a.Product)
	switch {
	case strings.Contains(name, "debit"), strings.Contains(name, "electron"):
		return false
	case a.MaskedPAN != "", product == "visa", strings.HasPrefix(product, "visa "):
		return true
	default:
		return slices.ContainsFunc(cardNames, func(word string) bool { return strings.Contains(name, word) })
	}
}

// currencyOfCountry returns the currency of the country with which the text begins, for
// accounts whose bank does not send it.
func currencyOfCountry(text string) string {
	if len(text) < 2 {
		return ""
	}
	if c, ok := map[string]string{
		"CH": "CHF", "CZ": "CZK", "DK": "DKK", "GB": "GBP", "HU": "HUF", "IS": "ISK", "LI": "CHF", "NO": "NOK",
		"PL": "PLN", "RO": "RON", "SE": "SEK",
	}[text[:2]]; ok {
		return c
	}
	return "EUR"
}
