package enablebanking

import (
	"encoding/json"
	"strings"

	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

// wireRow is a transaction. There is also a transaction_id, which differs between two
// reads, so it identifies nothing.
type wireRow struct {
	EntryReference  text                            `json:"entry_reference"`
	Amount          bankwire.Lenient[wireAmount]    `json:"transaction_amount"`
	Indicator       text                            `json:"credit_debit_indicator"`
	Status          text                            `json:"status"`
	BookingDate     day                             `json:"booking_date"`
	ValueDate       day                             `json:"value_date"`
	TransactionDate day                             `json:"transaction_date"`
	Creditor        bankwire.Lenient[wireParty]     `json:"creditor"`
	CreditorAccount bankwire.Lenient[wireReference] `json:"creditor_account"`
	Debtor          bankwire.Lenient[wireParty]     `json:"debtor"`
	DebtorAccount   bankwire.Lenient[wireReference] `json:"debtor_account"`
	Remittance      bankwire.Lenient[[]text]        `json:"remittance_information"`
	Reference       text                            `json:"reference_number"`
	ReferenceSchema text                            `json:"reference_number_schema"`
	Code            bankwire.Lenient[wireCode]      `json:"bank_transaction_code"`
	MCC             text                            `json:"merchant_category_code"`
	Note            text                            `json:"note"`
	BalanceAfter    bankwire.Lenient[wireAmount]    `json:"balance_after_transaction"`
}

type wireParty struct {
	Name text `json:"name"`
}

type wireCode struct {
	Code        text `json:"code"`
	SubCode     text `json:"sub_code"`
	Description text `json:"description"`
}

// readRow reads a row. It returns false for a row that is planned or was refused.
func readRow(b []byte) (pfm.BankTransaction, bool) {
	var w wireRow
	if json.Unmarshal(b, &w) != nil {
		return pfm.BankTransaction{Unreadable: true}, true
	}
	booked := w.Status == "BOOK"
	switch w.Status {
	case "SCHD", "CNCL", "RJCT":
		return pfm.BankTransaction{}, false
	case "BOOK", "PDNG", "HOLD":
	default:
		booked = w.BookingDate != ""
	}
	amount, ok := w.signed()
	if !ok {
		return pfm.BankTransaction{Unreadable: true}, true
	}
	t := pfm.BankTransaction{
		EntryReference: reference(w.EntryReference),
		Booked:         booked,
		Amount:         amount, Currency: string(w.Amount.Value.Currency),
		BookingDate: pfm.Date(w.BookingDate), ValueDate: pfm.Date(w.ValueDate), TransactionDate: pfm.Date(w.TransactionDate),
		CreditorName: string(w.Creditor.Value.Name), CreditorAccount: w.CreditorAccount.Value.String(),
		DebtorName: string(w.Debtor.Value.Name), DebtorAccount: w.DebtorAccount.Value.String(),
		Remittance:            bankwire.FirstOf(bankwire.Joined(w.Remittance.Value), w.Reference),
		AdditionalInformation: bankwire.FirstOf(w.Code.Value.Description, w.Note),
		MerchantCategoryCode:  bankwire.CategoryCode(w.MCC),
		BalanceAfter:          w.BalanceAfter.Value.Amount.Value,
	}
	if w.ReferenceSchema == "SDDM" {
		t.MandateID = string(w.Reference)
	}
	t.BankTransactionCode, t.ProprietaryBankTransactionCode = w.Code.Value.codes()
	return t, true
}

// signed returns the amount with the sign that the indicator says. Some banks send a minus
// as well.
func (w *wireRow) signed() (money.Amount, bool) {
	read := w.Amount.Value.Amount.Value
	if read == nil {
		return money.Amount{}, false
	}
	amount := *read
	if isDebit := w.Indicator == "DBIT"; (w.Indicator == "CRDT" || isDebit) && isDebit != (amount.Sign() < 0) {
		amount = amount.Neg()
	}
	return amount, true
}

// reference returns the bank's ID of the row. Some banks send placeholders: zero, or a day
// and the row's place on that day, which changes.
func reference(t text) string {
	if strings.Trim(string(t), "0") == "" {
		return ""
	}
	if dayPart, place, ok := strings.Cut(string(t), "."); ok && len(place) <= 4 && strings.Trim(place, "0123456789") == "" {
		if _, err := pfm.ParseDate(dayPart); err == nil {
			return ""
		}
	}
	return string(t)
}

// families are the families of payments of ISO 20022.
const families = " RCDT ICDT RRCT IRCT RDDT IDDT RCHQ ICHQ CCRD MCRD CNTR LBOX DRFT "

// codes returns the code of ISO 20022 if it is one, or else the bank's own.
func (w wireCode) codes() (iso, own string) {
	if len(w.Code) == 4 && len(w.SubCode) == 4 && strings.Contains(families, " "+string(w.Code)+" ") {
		return "PMNT-" + string(w.Code) + "-" + string(w.SubCode), ""
	}
	return "", strings.Trim(string(w.Code)+"/"+string(w.SubCode), "/")
}
