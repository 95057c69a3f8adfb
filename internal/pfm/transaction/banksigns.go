package transaction

import (
	"cmp"
	"slices"
	"strings"

	"aviso/internal/pfm"
	"aviso/internal/textfold"
)

// cardPayments are all of the text, or the code, of a payment to a card, folded.
var cardPayments = []string{
	"payment", "payment received", "payment received thank you", "payment thank you", "inbetalning", "innbetaling",
	"indbetaling", "einzahlung", "zahlung erhalten", "betaling", "betalning", "pagamento", "pagamento recebido",
	"pago", "pago recibido", "paiement recu", "reglement", "suoritus", "splata", "uhrada", "autogiro",
}

// purchaseCodes are parts of the codes of purchases.
var purchaseCodes = []string{"PURCHASE", "-POS", "CCRD-CWDL", "KJØP", "KÖP", "KAUF", "ACHAT", "COMPRA"}

// UsesSigns reports whether the bank tells expenses by a minus, or in a field of its own.
func UsesSigns(sent []pfm.BankTransaction) bool {
	return slices.ContainsFunc(sent, func(b pfm.BankTransaction) bool { return b.Amount.Sign() < 0 || b.IsCredit })
}

// WithSigns returns rows of a bank that uses no signs with a minus for booked expenses: rows with the account itself
// as the debtor, or with a creditor alone.
func WithSigns(a pfm.Account, sent []pfm.BankTransaction) []pfm.BankTransaction {
	if a.Type == pfm.AccountCreditCard {
		return sent
	}
	signed := slices.Clone(sent)
	for i, b := range signed {
		isOwn := func(number string) bool { return number != "" && number == a.IBAN }
		isAlone := b.CreditorName != "" && b.DebtorName == "" && b.DebtorAccount == ""
		isExpense := isOwn(b.DebtorAccount) && b.CreditorAccount+b.CreditorName != "" || isAlone
		if b.Booked && isExpense && !isOwn(b.CreditorAccount) {
			signed[i].Amount = b.Amount.Neg()
		}
	}
	return signed
}

// HasInvertedSigns reports whether a card account has purchases as positive amounts and
// payments to the card as negative ones. Rows that say what they are must speak for it,
// none against it, and purchases must be the rule.
func HasInvertedSigns(a pfm.Account, sent []pfm.BankTransaction) bool {
	if a.Type != pfm.AccountCreditCard {
		return false
	}
	evidence := a.Balance.Sign() // what is owed, sent as positive
	surplus := 0
	for _, b := range sent {
		sign := b.Amount.Sign()
		kind := cardKind(b)
		switch {
		case kind == isPurchase && sign < 0, kind == isPayment && sign > 0:
			return false
		case kind == isPayment:
			evidence -= 2 * sign
			continue
		case kind == isPurchase:
			evidence += sign
		}
		surplus += sign
	}
	return evidence >= 2 && surplus > 0
}

// rowKind is what a row of a card account says that it is.
type rowKind int

const (
	isUnknown rowKind = iota
	isPurchase
	isPayment
)

// cardKind tells purchases from payments to the card, by the row's codes and text.
func cardKind(b pfm.BankTransaction) rowKind {
	code := strings.ToUpper(b.BankTransactionCode + " " + b.ProprietaryBankTransactionCode)
	text := textfold.Name(cmp.Or(b.Remittance, b.AdditionalInformation))
	switch {
	case slices.Contains(cardPayments, textfold.Name(b.ProprietaryBankTransactionCode)),
		slices.Contains(cardPayments, text):
		return isPayment
	case b.MerchantCategoryCode != "",
		slices.ContainsFunc(purchaseCodes, func(part string) bool { return strings.Contains(code, part) }):
		return isPurchase
	default:
		return isUnknown
	}
}
