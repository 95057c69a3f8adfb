package xs2a

import (
	"cmp"
	"encoding/json"

	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

type wirePage struct {
	Transactions     *wireReport `json:"transactions"`
	CardTransactions *wireReport `json:"cardTransactions"`
	Links            links       `json:"_links"`
}

// wireReport has rows that are read one by one, so that one that cannot be read costs no
// other.
type wireReport struct {
	Booked  []json.RawMessage `json:"booked"`
	Pending []json.RawMessage `json:"pending"`
	Links   links             `json:"_links"`
}

// wireRow is the transactions element of the standard, or that of card rows. The standard
// only has a merchant category code for card rows, but banks send it in all.
type wireRow struct {
	wireDetails
	wireCard
	TransactionID                  text                               `json:"transactionId"`
	EntryReference                 text                               `json:"entryReference"`
	BookingDate                    day                                `json:"bookingDate"`
	BookingDateTime                day                                `json:"bookingDateTime"`
	ValueDate                      day                                `json:"valueDate"`
	ValueDateTime                  day                                `json:"valueDateTime"`
	TransactionDate                day                                `json:"transactionDate"`
	TransactionAmount              *wireAmount                        `json:"transactionAmount"`
	BillingAmount                  *wireAmount                        `json:"billingAmount"`
	CurrencyExchange               bankwire.List[exchange]            `json:"currencyExchange"`
	CreditDebitIndicator           text                               `json:"creditDebitIndicator"`
	AdditionalInformation          text                               `json:"additionalInformation"`
	BankTransactionCode            text                               `json:"bankTransactionCode"`
	ProprietaryBankTransactionCode text                               `json:"proprietaryBankTransactionCode"`
	MerchantCategoryCode           text                               `json:"merchantCategoryCode"`
	EntryDetails                   []wireDetails                      `json:"entryDetails"`
	BalanceAfter                   bankwire.Lenient[wireBalanceAfter] `json:"balanceAfterTransaction"`
}

// wireDetails is what a row and the entries of a batch have in common.
type wireDetails struct {
	EndToEndID        text             `json:"endToEndId"`
	MandateID         text             `json:"mandateId"`
	CreditorID        text             `json:"creditorId"`
	CreditorName      text             `json:"creditorName"`
	CreditorAccount   accountReference `json:"creditorAccount"`
	DebtorName        text             `json:"debtorName"`
	DebtorAccount     accountReference `json:"debtorAccount"`
	UltimateCreditor  text             `json:"ultimateCreditor"`
	UltimateDebtor    text             `json:"ultimateDebtor"`
	PurposeCode       text             `json:"purposeCode"`
	Unstructured      text             `json:"remittanceInformationUnstructured"`
	UnstructuredArray texts            `json:"remittanceInformationUnstructuredArray"`
	Structured        texts            `json:"remittanceInformationStructured"`
	StructuredArray   texts            `json:"remittanceInformationStructuredArray"`
}

// wireBalanceAfter is the account's balance after a row.
type wireBalanceAfter struct {
	BalanceAmount struct {
		Amount *money.Amount `json:"amount"`
	} `json:"balanceAmount"`
}

// wireReference names an account. It has no field for a full card number, which must
// never be stored.
type wireReference struct {
	IBAN      text `json:"iban"`
	BBAN      text `json:"bban"`
	MaskedPAN text `json:"maskedPan"`
	MSISDN    text `json:"msisdn"`
	Other     struct {
		Identification text `json:"identification"`
	} `json:"other"`
}

// accountReference is a wireReference that some banks send as a plain number.
type accountReference wireReference

// UnmarshalJSON reads both forms, and anything else as none.
func (a *accountReference) UnmarshalJSON(b []byte) error {
	*a = accountReference{}
	if b[0] == '{' {
		_ = bankwire.Unmarshal(b, (*wireReference)(a))
		return nil
	}
	return a.BBAN.UnmarshalJSON(b)
}

func (a accountReference) text() text {
	return cmp.Or(bankwire.Compact(a.IBAN), bankwire.Compact(a.BBAN), a.MaskedPAN, a.MSISDN, a.Other.Identification)
}

// exchange has an amount of an exchange of currencies.
type exchange struct {
	InstructedAmount *wireAmount `json:"instructedAmount"`
}

// remittance prefers the array, because the single text may only be its first line.
func (w *wireDetails) remittance() text {
	return text(bankwire.FirstOf(bankwire.Joined(w.UnstructuredArray), w.Unstructured,
		bankwire.Joined(w.Structured), bankwire.Joined(w.StructuredArray)))
}

// decodePage returns a page of rows, booked ones first, and the link to the next
// page, if any.
func decodePage(body []byte) ([]pfm.BankTransaction, string, error) {
	var w wirePage
	if err := bankwire.Unmarshal(body, &w); err != nil {
		return nil, "", err
	}
	report, read := w.Transactions, readRow
	if w.CardTransactions != nil {
		report, read = w.CardTransactions, readCardRow
	}
	if report == nil {
		// The report is to be downloaded: it is the next page.
		if download := w.Links["download"].Href; download != "" {
			return nil, download, nil
		}
		return nil, "", bankwire.ErrMalformed
	}
	rows := make([]pfm.BankTransaction, 0, len(report.Booked)+len(report.Pending))
	for _, row := range report.Booked {
		rows = append(rows, read(row, true))
	}
	for _, row := range report.Pending {
		rows = append(rows, read(row, false))
	}
	return rows, bankwire.FirstOf(
		text(report.Links["next"].Href), text(w.Links["next"].Href), text(report.Links["download"].Href),
	), nil
}

// readRow returns a row, which is Unreadable without an amount.
func readRow(b []byte, booked bool) pfm.BankTransaction {
	var w wireRow
	if bankwire.Unmarshal(b, &w) == nil {
		if row, err := w.convert(booked); err == nil {
			return row
		}
	}
	return pfm.BankTransaction{Unreadable: true}
}

// convert returns the pfm.BankTransaction. Fields that the row itself does not have
// are taken from its details, unless it is a batch of several.
func (w *wireRow) convert(booked bool) (pfm.BankTransaction, error) {
	amount, currency, err := w.TransactionAmount.value()
	if err != nil {
		return pfm.BankTransaction{}, err
	}
	if w.CreditDebitIndicator == "DBIT" && amount.Sign() > 0 {
		amount = amount.Neg()
	}
	billed, billedCurrency := w.billed(currency)
	creditor, debtor := w.acceptor(), ""
	if amount.Sign() > 0 {
		creditor, debtor = debtor, creditor
	}
	var inner wireDetails
	if len(w.EntryDetails) == 1 {
		inner = w.EntryDetails[0]
	}
	return pfm.BankTransaction{
		ID:                             bankwire.FirstOf(w.TransactionID, w.CardTransactionID),
		EntryReference:                 string(w.EntryReference),
		BalanceAfter:                   w.BalanceAfter.Value.BalanceAmount.Amount,
		EndToEndID:                     bankwire.FirstOf(w.EndToEndID, inner.EndToEndID),
		MandateID:                      bankwire.FirstOf(w.MandateID, inner.MandateID),
		CreditorID:                     bankwire.FirstOf(w.CreditorID, inner.CreditorID),
		Booked:                         booked,
		Amount:                         amount,
		Currency:                       currency,
		Billed:                         billed,
		BilledCurrency:                 billedCurrency,
		BookingDate:                    pfm.Date(bankwire.FirstOf(text(w.BookingDate), text(w.BookingDateTime))),
		ValueDate:                      pfm.Date(bankwire.FirstOf(text(w.ValueDate), text(w.ValueDateTime))),
		TransactionDate:                pfm.Date(bankwire.FirstOf(text(w.TransactionDate), text(w.AcceptorTransactionTime))),
		UltimateCreditor:               bankwire.FirstOf(w.UltimateCreditor, inner.UltimateCreditor),
		UltimateDebtor:                 bankwire.FirstOf(w.UltimateDebtor, inner.UltimateDebtor),
		CreditorName:                   bankwire.FirstOf(w.CreditorName, inner.CreditorName, text(creditor)),
		CreditorAccount:                bankwire.FirstOf(w.CreditorAccount.text(), inner.CreditorAccount.text()),
		DebtorName:                     bankwire.FirstOf(w.DebtorName, inner.DebtorName, text(debtor)),
		DebtorAccount:                  bankwire.FirstOf(w.DebtorAccount.text(), inner.DebtorAccount.text()),
		Remittance:                     bankwire.FirstOf(w.remittance(), inner.remittance(), w.TransactionDetails),
		AdditionalInformation:          string(w.AdditionalInformation),
		PurposeCode:                    bankwire.FirstOf(w.PurposeCode, inner.PurposeCode),
		BankTransactionCode:            string(w.BankTransactionCode),
		ProprietaryBankTransactionCode: string(w.ProprietaryBankTransactionCode),
		MerchantCategoryCode:           bankwire.CategoryCode(w.MerchantCategoryCode),
	}, nil
}

// billed returns what the bank sends in another currency than the row's.
func (w *wireRow) billed(currency string) (money.Amount, string) {
	others := []*wireAmount{w.BillingAmount, w.OriginalAmount.Value}
	for _, exchange := range w.CurrencyExchange {
		others = append(others, exchange.InstructedAmount)
	}
	for _, t := range others {
		if amount, other, err := t.value(); err == nil && other != "" && other != currency {
			return amount, other
		}
	}
	return money.Amount{}, ""
}
