package connection

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/textfold"
)

// accountType translates an ISO 20022 ExternalCashAccountType1Code. Most banks leave
// the code out. PSD2 covers payment accounts, so the default is a current account.
func accountType(cashAccountType string) pfm.AccountType {
	switch strings.ToUpper(cashAccountType) {
	case "", "CACC", "CASH", "TRAN", "SLRY", "CISH":
		return pfm.AccountCurrent
	case "SVGS", "LLSV", "ONDP":
		return pfm.AccountSaving
	case "CARD":
		return pfm.AccountCreditCard
	case "LOAN", "MGLD":
		return pfm.AccountLoan
	case "ODFT":
		return pfm.AccountOverdraft
	case "TRAS":
		return pfm.AccountInvestment
	default:
		return pfm.AccountGeneral
	}
}

// The types of balance to show, best first: booked ones, because available ones may
// include a credit line. What is available on a card is what is left of its limit, and
// what was booked when the day began is less than what is expected.
var (
	balanceTypes = []string{
		"interimBooked", "closingBooked", "openingBooked", "expected", "interimCleared", "previouslyClosedBooked",
		"information", "", "interimAvailable", "closingAvailable", "forwardAvailable", "nonInvoiced", "authorised",
	}
	cardBalanceTypes = []string{
		"interimBooked", "closingBooked", "expected", "openingBooked", "interimCleared", "previouslyClosedBooked",
		"nonInvoiced", "information", "", "authorised", "interimAvailable", "closingAvailable", "forwardAvailable",
	}
)

// bookedBalance returns the balance to show in the account's currency, and false if
// the bank sent none. Of several of the best type, it is the latest. A type that nobody
// knows stands where "" does in the order.
func bookedBalance(a pfm.BankAccount) (money.Amount, bool) {
	order := balanceTypes
	if accountType(a.CashAccountType) == pfm.AccountCreditCard {
		order = cardBalanceTypes
	}
	rank := func(b pfm.BankBalance) int {
		if i := slices.Index(order, b.Type); i >= 0 {
			return i
		}
		return slices.Index(order, "")
	}
	var best *pfm.BankBalance
	for i, b := range a.Balances {
		if b.Currency != a.Currency && b.Currency != "" && a.Currency != pfm.MultiCurrency {
			continue
		}
		if best == nil || rank(b) < rank(*best) || supersedes(b, *best) {
			best = &a.Balances[i]
		}
	}
	if best == nil {
		return money.Amount{}, false
	}
	return best.Amount, true
}

// hasBalance reports whether the bank sent the balance of an account.
func hasBalance(fetched []pfm.BankAccount) bool {
	return slices.ContainsFunc(fetched, func(a pfm.BankAccount) bool { return len(a.Balances) > 0 })
}

// supersedes reports whether b is the same balance on a later day.
func supersedes(b, other pfm.BankBalance) bool {
	return b.Type == other.Type && b.CreditLimitIncluded == other.CreditLimitIncluded &&
		other.ReferenceDate != "" && b.ReferenceDate > other.ReferenceDate
}

// matchAccounts returns, for each fetched account, the known account that it is, or
// the zero value if it is new. Each pass matches by one criterion, the most reliable
// first:
//
//  1. IBAN, currency, and the bank's resource ID under the same consent, because
//     some banks give all of a customer's pots the same IBAN;
//  2. the resource ID under the same consent, whatever number or currency the account has
//     now, unless the number is that of another known account;
//  3. the identification hash and currency, if only one account has them;
//  4. IBAN, currency and name, or the resource ID under another consent;
//  5. IBAN and currency;
//  6. currency and the domestic or masked number, unless the IBANs differ.
//
// Each known account matches at most once.
func matchAccounts(known []pfm.Account, fetched []pfm.BankAccount, consentID string) []pfm.Account {
	sameIBAN := func(a pfm.Account, f pfm.BankAccount) bool { return f.IBAN != "" && a.IBAN == f.IBAN }
	sameResource := func(a pfm.Account, f pfm.BankAccount) bool {
		return a.ConsentID == consentID && a.ResourceID == f.ResourceID && f.ResourceID != ""
	}
	otherIBAN := func(a pfm.Account, f pfm.BankAccount) bool { return f.IBAN != "" && a.IBAN != "" && a.IBAN != f.IBAN }
	isAnothers := func(a pfm.Account, f pfm.BankAccount) bool {
		return slices.ContainsFunc(known, func(other pfm.Account) bool {
			return other.ID != a.ID && sameIBAN(other, f) && other.Currency == f.Currency
		})
	}
	match, taken := make([]pfm.Account, len(fetched)), make([]bool, len(known))
	const resource = 1
	for pass, matches := range []func(pfm.Account, pfm.BankAccount) bool{
		func(a pfm.Account, f pfm.BankAccount) bool { return sameIBAN(a, f) && sameResource(a, f) },
		resource: func(a pfm.Account, f pfm.BankAccount) bool { return sameResource(a, f) && !isAnothers(a, f) },
		func(a pfm.Account, f pfm.BankAccount) bool {
			return a.IdentificationHash == f.IdentificationHash && isOnlyHash(f, fetched)
		},
		func(a pfm.Account, f pfm.BankAccount) bool {
			return sameIBAN(a, f) && a.Name == nameOf(f) && isUnique(f, fetched)
		},
		func(a pfm.Account, f pfm.BankAccount) bool { return sameIBAN(a, f) && a.ResourceID == f.ResourceID },
		sameIBAN,
		func(a pfm.Account, f pfm.BankAccount) bool {
			return sameNumber(a.Number, accountNumber(f)) && !otherIBAN(a, f)
		},
	} {
		for i, f := range fetched {
			for k, a := range known {
				isOpen := match[i].ID == "" && !taken[k] && (pass == resource || a.Currency == f.Currency)
				if isOpen && matches(a, f) {
					match[i], taken[k] = a, true
				}
			}
		}
	}
	return match
}

// isOnlyHash reports whether the account has a hash, and no other listed account of its
// currency has it. Pots under one IBAN may share it.
func isOnlyHash(f pfm.BankAccount, listed []pfm.BankAccount) bool {
	return f.IdentificationHash != "" && isOne(listed, func(other pfm.BankAccount) bool {
		return other.IdentificationHash == f.IdentificationHash && other.Currency == f.Currency
	})
}

// isOne reports whether exactly one of the elements is wanted.
func isOne[T any](all []T, isWanted func(T) bool) bool {
	at := slices.IndexFunc(all, isWanted)
	return at >= 0 && !slices.ContainsFunc(all[at+1:], isWanted)
}

func nameOf(f pfm.BankAccount) string { return cmp.Or(f.Name, f.Product) }

// isUnique reports whether only the name of one listed account is like this, among those
// of its currency and with its IBAN and number.
func isUnique(f pfm.BankAccount, listed []pfm.BankAccount) bool {
	return isOne(listed, func(other pfm.BankAccount) bool {
		return other.IBAN == f.IBAN && accountNumber(other) == accountNumber(f) && other.Currency == f.Currency &&
			nameOf(other) == nameOf(f)
	})
}

// matchNumberless adds matches of accounts that have no number at all, which only their
// names identify under another consent: where one account on each side has a name.
func matchNumberless(match, known []pfm.Account, fetched []pfm.BankAccount) {
	for i, f := range fetched {
		isAlike := func(a pfm.Account) bool {
			isTaken := slices.ContainsFunc(match, func(m pfm.Account) bool { return m.ID == a.ID })
			return !isTaken && a.IBAN == "" && a.Number == "" && a.Currency == f.Currency && a.Name == nameOf(f)
		}
		isNumberless := match[i].ID == "" && f.IBAN == "" && accountNumber(f) == ""
		if isNumberless && isUnique(f, fetched) && isOne(known, isAlike) {
			match[i] = known[slices.IndexFunc(known, isAlike)]
		}
	}
}

// mismatch reports whether a new consent brings none of the known accounts, although
// they could be recognised. A currency does not identify an account, so it is not
// compared. An account without an IBAN or number is recognised under its own consent
// only. Once an account has been read under a consent, the user may open and close
// others at the bank.
func mismatch(known []pfm.Account, fetched []pfm.BankAccount, consentID string) bool {
	recognisable := false
	for _, a := range known {
		if a.ConsentID == consentID {
			return false
		}
		recognisable = recognisable || a.IBAN != "" || a.Number != "" || a.IdentificationHash != ""
		for _, f := range fetched {
			f.Currency = a.Currency
			if matchAccounts([]pfm.Account{a}, []pfm.BankAccount{f}, consentID)[0].ID != "" {
				return false
			}
		}
	}
	return recognisable
}

func accountNumber(a pfm.BankAccount) string { return cmp.Or(a.BBAN, a.MaskedPAN) }

// refreshed returns the account with the bank's current data.
func refreshed(a pfm.Account, fetched pfm.BankAccount, consentID string, now time.Time) pfm.Account {
	next := a
	next.Name = cmp.Or(fetched.Name, a.Name, fetched.Product, fetched.IBAN, accountNumber(fetched))
	// If the bank leaves out a number or IBAN this time, the old one still applies.
	next.Number, next.IBAN = cmp.Or(accountNumber(fetched), a.Number), cmp.Or(fetched.IBAN, a.IBAN)
	next.Currency = fetched.Currency
	next.Type = accountType(fetched.CashAccountType)
	next.ResourceID, next.ConsentID = fetched.ResourceID, consentID
	next.SignsInverted = a.SignsInverted || fetched.SignsInverted
	next.IdentificationHash = cmp.Or(fetched.IdentificationHash, a.IdentificationHash)
	if balance, ok := bookedBalance(fetched); ok {
		next.Balance = balance
		if next.SignsInverted {
			next.Balance = balance.Neg()
		}
	}
	if !sameAccount(next, a) {
		next.UpdatedAt = now
	}
	return next
}

// sameAccount reports whether all stored fields are equal. Equal amounts may have
// different trailing zeros.
func sameAccount(a, b pfm.Account) bool {
	sameBalance := a.Balance.Equal(b.Balance)
	a.Balance, b.Balance = money.Amount{}, money.Amount{}
	return sameBalance && a == b
}

// readAccounts returns the accounts that can be read, as we understand what the bank
// sent, and which of them are incomplete, by the bank's ID.
func readAccounts(p pfm.Provider, listed []pfm.BankAccount) (accounts []pfm.BankAccount, incomplete map[string]bool) {
	incomplete = map[string]bool{}
	for _, a := range listed {
		if a.ResourceID == "" {
			continue
		}
		accounts = append(accounts, understood(p, a))
		if a.Incomplete {
			incomplete[a.ResourceID] = true
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
	if a.Currency == pfm.MultiCurrency && !hasSeveralCurrencies(a.Balances) { // some banks send it for none
		a.Currency = ""
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

func hasSeveralCurrencies(balances []pfm.BankBalance) bool {
	return slices.ContainsFunc(balances, func(b pfm.BankBalance) bool { return b.Currency != balances[0].Currency })
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
