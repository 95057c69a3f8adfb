package enablebanking

import (
	"cmp"
	"strings"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

// readRow decodes a row. It returns false for a planned or rejected one. It ignores transaction_id, which differs
// between two reads.
func readRow(w bankwire.Object) (pfm.BankTransaction, bool) {
	status, bookingDate := w.Text("status"), w.Day("booking_date")
	isBooked := status == "BOOK"
	switch status {
	case "SCHD", "CNCL", "RJCT":
		return pfm.BankTransaction{}, false
	case "BOOK", "PDNG", "HOLD":
	default:
		isBooked = bookingDate != ""
	}
	amount, currency, ok := w.At("transaction_amount").Amount()
	if !ok {
		return pfm.BankTransaction{Unreadable: true}, true
	}
	// Some banks send both a minus and the indicator.
	indicator := w.Text("credit_debit_indicator")
	if indicator == "DBIT" && amount.Sign() > 0 || indicator == "CRDT" && amount.Sign() < 0 {
		amount = amount.Neg()
	}
	code, number := w.At("bank_transaction_code"), w.Text("reference_number")
	lines := bankwire.Get[[]bankwire.Text](w, "remittance_information")
	t := pfm.BankTransaction{
		EntryReference:        reference(w.Text("entry_reference")),
		Booked:                isBooked,
		Amount:                amount,
		IsCredit:              indicator == "CRDT",
		Currency:              currency,
		BookingDate:           bookingDate,
		ValueDate:             w.Day("value_date"),
		TransactionDate:       w.Day("transaction_date"),
		CreditorName:          w.At("creditor").Text("name"),
		CreditorAccount:       accountOf(w.At("creditor_account")),
		DebtorName:            w.At("debtor").Text("name"),
		DebtorAccount:         accountOf(w.At("debtor_account")),
		Remittance:            cmp.Or(bankwire.Joined(lines), number),
		AdditionalInformation: cmp.Or(code.Text("description"), w.Text("note")),
		MerchantCategoryCode:  bankwire.CategoryCode(w.Text("merchant_category_code")),
		BalanceAfter:          w.Balance("balance_after_transaction"),
	}
	if w.Text("reference_number_schema") == "SDDM" {
		t.MandateID = number
	}
	t.BankTransactionCode, t.ProprietaryBankTransactionCode = codes(code.Text("code"), code.Text("sub_code"))
	return t, true
}

// reference returns the bank's ID of the row. Some banks send placeholders: zero, or a day and the row's position on
// that day, which changes.
func reference(id string) string {
	if strings.Trim(id, "0") == "" {
		return ""
	}
	if day, place, ok := strings.Cut(id, "."); ok && len(place) <= 4 && strings.Trim(place, "0123456789") == "" {
		if _, err := pfm.ParseDate(day); err == nil {
			return ""
		}
	}
	return id
}

// families are the families of payments of ISO 20022.
const families = " RCDT ICDT RRCT IRCT RDDT IDDT RCHQ ICHQ CCRD MCRD CNTR LBOX DRFT "

// codes returns an ISO 20022 code, or else the bank's own.
func codes(family, sub string) (iso, own string) {
	if len(family) == 4 && len(sub) == 4 && strings.Contains(families, " "+family+" ") {
		return "PMNT-" + family + "-" + sub, ""
	}
	return "", strings.Trim(family+"/"+sub, "/")
}
