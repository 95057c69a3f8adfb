package xs2a

import (
	"strings"

	"aviso/internal/pfm"
)

type wirePage struct {
	Transactions *struct {
		Booked  []wireRow `json:"booked"`
		Pending []wireRow `json:"pending"`
		Links   links     `json:"_links"`
	} `json:"transactions"`
	Links links `json:"_links"`
}

// wireRow is the transactions element of the standard. The standard only has a
// merchant category code for card rows, but banks send it in these too.
type wireRow struct {
	wireDetails
	TransactionID                  text          `json:"transactionId"`
	EntryReference                 text          `json:"entryReference"`
	BookingDate                    day           `json:"bookingDate"`
	ValueDate                      day           `json:"valueDate"`
	TransactionAmount              *wireAmount   `json:"transactionAmount"`
	AdditionalInformation          text          `json:"additionalInformation"`
	BankTransactionCode            text          `json:"bankTransactionCode"`
	ProprietaryBankTransactionCode text          `json:"proprietaryBankTransactionCode"`
	MerchantCategoryCode           text          `json:"merchantCategoryCode"`
	EntryDetails                   []wireDetails `json:"entryDetails"`
}

// wireDetails is what a row and the entries of a batch have in common.
type wireDetails struct {
	EndToEndID        text          `json:"endToEndId"`
	MandateID         text          `json:"mandateId"`
	CreditorID        text          `json:"creditorId"`
	CreditorName      text          `json:"creditorName"`
	CreditorAccount   wireReference `json:"creditorAccount"`
	DebtorName        text          `json:"debtorName"`
	DebtorAccount     wireReference `json:"debtorAccount"`
	PurposeCode       text          `json:"purposeCode"`
	Unstructured      text          `json:"remittanceInformationUnstructured"`
	UnstructuredArray []text        `json:"remittanceInformationUnstructuredArray"`
	Structured        reference     `json:"remittanceInformationStructured"`
	StructuredArray   []reference   `json:"remittanceInformationStructuredArray"`
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

func (w wireReference) String() string {
	return firstOf(text(compact(w.IBAN)), text(compact(w.BBAN)), w.MaskedPAN, w.MSISDN, w.Other.Identification)
}

// reference is structured remittance information: an object, or a plain string in
// earlier versions of the standard.
type reference text

// UnmarshalJSON reads both forms.
func (r *reference) UnmarshalJSON(b []byte) error {
	if b[0] != '{' {
		return (*text)(r).UnmarshalJSON(b)
	}
	var w struct {
		Reference text `json:"reference"`
	}
	if err := unmarshal(b, &w); err != nil {
		return err
	}
	*r = reference(w.Reference)
	return nil
}

// remittance prefers the array, because the single text may only be its first line.
func (w *wireDetails) remittance() text {
	structured := make([]text, 0, len(w.StructuredArray))
	for _, r := range w.StructuredArray {
		structured = append(structured, text(r))
	}
	return text(firstOf(joined(w.UnstructuredArray), w.Unstructured, text(w.Structured), joined(structured)))
}

// decodePage returns a page of rows, booked ones first, and the link to the next
// page, if any.
func decodePage(body []byte) ([]pfm.BankTransaction, string, error) {
	var w wirePage
	if err := unmarshal(body, &w); err != nil {
		return nil, "", err
	}
	if w.Transactions == nil {
		if _, ok := w.Links["download"]; ok {
			return nil, "", errDownload
		}
		return nil, "", errMalformed
	}
	rows := make([]pfm.BankTransaction, 0, len(w.Transactions.Booked)+len(w.Transactions.Pending))
	for i := range w.Transactions.Booked {
		row, err := w.Transactions.Booked[i].convert(true)
		if err != nil {
			return nil, "", err
		}
		rows = append(rows, row)
	}
	for i := range w.Transactions.Pending {
		row, err := w.Transactions.Pending[i].convert(false)
		if err != nil {
			return nil, "", err
		}
		rows = append(rows, row)
	}
	next := w.Transactions.Links["next"].Href
	if next == "" {
		next = w.Links["next"].Href
	}
	return rows, next, nil
}

// convert returns the pfm.BankTransaction. Fields that the row itself does not have
// are taken from its details, unless it is a batch of several.
func (w *wireRow) convert(booked bool) (pfm.BankTransaction, error) {
	amount, currency, err := w.TransactionAmount.value()
	if err != nil {
		return pfm.BankTransaction{}, err
	}
	var inner wireDetails
	if len(w.EntryDetails) == 1 {
		inner = w.EntryDetails[0]
	}
	return pfm.BankTransaction{
		ID:                             string(w.TransactionID),
		EntryReference:                 string(w.EntryReference),
		EndToEndID:                     firstOf(w.EndToEndID, inner.EndToEndID),
		MandateID:                      firstOf(w.MandateID, inner.MandateID),
		CreditorID:                     firstOf(w.CreditorID, inner.CreditorID),
		Booked:                         booked,
		Amount:                         amount,
		Currency:                       currency,
		BookingDate:                    pfm.Date(w.BookingDate),
		ValueDate:                      pfm.Date(w.ValueDate),
		CreditorName:                   firstOf(w.CreditorName, inner.CreditorName),
		CreditorAccount:                firstOf(text(w.CreditorAccount.String()), text(inner.CreditorAccount.String())),
		DebtorName:                     firstOf(w.DebtorName, inner.DebtorName),
		DebtorAccount:                  firstOf(text(w.DebtorAccount.String()), text(inner.DebtorAccount.String())),
		Remittance:                     firstOf(w.remittance(), inner.remittance()),
		AdditionalInformation:          string(w.AdditionalInformation),
		PurposeCode:                    firstOf(w.PurposeCode, inner.PurposeCode),
		BankTransactionCode:            string(w.BankTransactionCode),
		ProprietaryBankTransactionCode: string(w.ProprietaryBankTransactionCode),
		MerchantCategoryCode:           categoryCode(w.MerchantCategoryCode),
	}, nil
}

// categoryCode returns the code if it has the form of ISO 18245, or else "".
func categoryCode(t text) string {
	if len(t) != 4 || strings.Trim(string(t), "0123456789") != "" {
		return ""
	}
	return string(t)
}
