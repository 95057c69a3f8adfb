package xs2a

import (
	"cmp"
	"encoding/json"

	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

// report has rows that are decoded one by one, so that an unreadable one does not affect the others.
type report struct {
	Booked  []bankwire.Object `json:"booked"`
	Pending []bankwire.Object `json:"pending"`
	Links   bankwire.Object   `json:"_links"`
}

// decodePage returns a page of rows, booked ones first, and the link to the next page, if any.
func decodePage(body []byte) ([]pfm.BankTransaction, string, error) {
	var w struct {
		Transactions     *report         `json:"transactions"`
		CardTransactions *report         `json:"cardTransactions"`
		Links            bankwire.Object `json:"_links"`
	}
	if err := bankwire.Unmarshal(body, &w); err != nil {
		return nil, "", err
	}
	listed, isCard := cmp.Or(w.CardTransactions, w.Transactions), w.CardTransactions != nil
	if listed == nil {
		// The report must be downloaded: the download is the next page.
		if download := href(w.Links, "download"); download != "" {
			return nil, download, nil
		}
		return nil, "", bankwire.ErrMalformed
	}
	rows := make([]pfm.BankTransaction, 0, len(listed.Booked)+len(listed.Pending))
	for _, row := range listed.Booked {
		rows = append(rows, readRow(row, true, isCard))
	}
	for _, row := range listed.Pending {
		rows = append(rows, readRow(row, false, isCard))
	}
	return rows, cmp.Or(href(listed.Links, "next"), href(w.Links, "next"), href(listed.Links, "download")), nil
}

// readRow returns a row, which is Unreadable without an amount. Missing data come from the row's details, unless
// these are a batch of several payments. The standard has a merchant category code only for card rows, but banks send
// it in all rows.
func readRow(w bankwire.Object, isBooked, isCard bool) pfm.BankTransaction {
	amount, currency, ok := w.At("transactionAmount").Amount()
	if !ok {
		return pfm.BankTransaction{Unreadable: true}
	}
	if w.Text("creditDebitIndicator") == "DBIT" && amount.Sign() > 0 {
		amount = amount.Neg()
	}
	billedAmount, billedCurrency := billed(w, currency)
	creditor, debtor := acceptor(w.Text("cardAcceptorId")), ""
	if amount.Sign() > 0 {
		creditor, debtor = debtor, creditor
	}
	var detail bankwire.Object
	if details := bankwire.Get[bankwire.List[bankwire.Object]](w, "entryDetails"); len(details) == 1 {
		detail = details[0]
	}
	either := func(name string) string { return cmp.Or(w.Text(name), detail.Text(name)) }
	t := pfm.BankTransaction{
		ID:                             w.Text("transactionId", "cardTransactionId"),
		EntryReference:                 w.Text("entryReference"),
		BalanceAfter:                   w.Balance("balanceAfterTransaction"),
		EndToEndID:                     either("endToEndId"),
		MandateID:                      either("mandateId"),
		CreditorID:                     either("creditorId"),
		Booked:                         isBooked,
		Amount:                         amount,
		IsCredit:                       w.Text("creditDebitIndicator") == "CRDT",
		Currency:                       currency,
		Billed:                         billedAmount,
		BilledCurrency:                 billedCurrency,
		BookingDate:                    w.Day("bookingDate", "bookingDateTime"),
		ValueDate:                      w.Day("valueDate", "valueDateTime"),
		TransactionDate:                w.Day("transactionDate", "acceptorTransactionDateTime"),
		UltimateCreditor:               either("ultimateCreditor"),
		UltimateDebtor:                 either("ultimateDebtor"),
		CreditorName:                   cmp.Or(either("creditorName"), creditor),
		CreditorAccount:                cmp.Or(accountOf(w, "creditorAccount"), accountOf(detail, "creditorAccount")),
		DebtorName:                     cmp.Or(either("debtorName"), debtor),
		DebtorAccount:                  cmp.Or(accountOf(w, "debtorAccount"), accountOf(detail, "debtorAccount")),
		Remittance:                     cmp.Or(remittance(w), remittance(detail), w.Text("transactionDetails")),
		AdditionalInformation:          w.Text("additionalInformation"),
		PurposeCode:                    either("purposeCode"),
		BankTransactionCode:            w.Text("bankTransactionCode"),
		ProprietaryBankTransactionCode: w.Text("proprietaryBankTransactionCode"),
		MerchantCategoryCode:           bankwire.CategoryCode(w.Text("merchantCategoryCode")),
	}
	if isCard { // it is the due date of the card's invoice, not of the row
		t.ValueDate = ""
	}
	return t
}

// accountOf returns the identification of the account in a member, which some banks send as a plain number. A full
// card number must never be stored.
func accountOf(w bankwire.Object, name string) string {
	a := w.At(name)
	return cmp.Or(
		bankwire.Compact(a.Text("iban")), bankwire.Compact(a.Text("bban")), a.Text("maskedPan", "msisdn"),
		a.At("other").Text("identification"), bankwire.Compact(w.Text(name)),
	)
}

// remittance prefers the array, because the single text may only be its first line. Some banks send one line without
// a list, or a list of objects with a reference.
func remittance(w bankwire.Object) string {
	lines := func(name string) string { return bankwire.Joined(bankwire.Get[bankwire.List[reference]](w, name)) }
	return cmp.Or(
		lines("remittanceInformationUnstructuredArray"), w.Text("remittanceInformationUnstructured"),
		lines("remittanceInformationStructured"), lines("remittanceInformationStructuredArray"),
	)
}

// reference is structured remittance information: an object, or a plain string in earlier versions of the standard.
type reference string

// UnmarshalJSON never fails.
func (r *reference) UnmarshalJSON(b []byte) error {
	var w struct {
		Reference bankwire.Text `json:"reference"`
	}
	if json.Unmarshal(b, &w) != nil {
		_ = json.Unmarshal(b, &w.Reference)
	}
	*r = reference(w.Reference)
	return nil
}

// billed returns the amount in another currency than the row's, if the bank sends one.
func billed(w bankwire.Object, currency string) (money.Amount, string) {
	amounts := []bankwire.Object{w.At("billingAmount"), w.At("originalAmount")}
	for _, exchange := range bankwire.Get[bankwire.List[bankwire.Object]](w, "currencyExchange") {
		amounts = append(amounts, exchange.At("instructedAmount"))
	}
	for _, a := range amounts {
		if amount, other, ok := a.Amount(); ok && other != "" && other != currency {
			return amount, other
		}
	}
	return money.Amount{}, ""
}
