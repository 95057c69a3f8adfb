package pfmapi

import (
	"slices"
	"strconv"

	"aviso/internal/jsonwriter"
)

// transactionBytes is the approximate size of a transaction as JSON.
const transactionBytes = 900

// AppendJSON implements api.JSONAppender, because pages of transactions are the
// largest and most frequent responses of the service.
func (d transactionsData) AppendJSON(b []byte) []byte {
	b = slices.Grow(b, transactionBytes*len(d.Transactions))
	b = append(b, `{"transactions":[`...)
	for i, t := range d.Transactions {
		if i > 0 {
			b = append(b, ',')
		}
		b = t.appendJSON(b)
	}
	return append(b, "]}"...)
}

func (t WireTransaction) appendJSON(b []byte) []byte {
	text := func(name, value string) { b = jsonwriter.String(append(b, name...), value) }
	number := func(name string, value int) { b = strconv.AppendInt(append(b, name...), int64(value), 10) }
	text(`{"id":`, t.ID)
	text(`,"account":{"id":`, t.Account.ID)
	text(`,"name":`, t.Account.Name)
	number(`},"category":{"categoryId":`, t.Category.CategoryID)
	text(`,"categoryName":`, t.Category.CategoryName)
	number(`,"subcategoryId":`, t.Category.SubcategoryID)
	text(`,"subcategoryName":`, t.Category.SubcategoryName)
	text(`},"merchant":{"id":`, t.Merchant.ID)
	text(`,"name":`, t.Merchant.Name)
	b = append(b, `},"createdAt":`...)
	created := len(b)
	b = jsonwriter.Time(b, t.CreatedAt)
	if text := b[created:]; t.UpdatedAt.Equal(t.CreatedAt) { // most never change
		b = append(append(b, `,"updatedAt":`...), text...)
	} else {
		b = jsonwriter.Time(append(b, `,"updatedAt":`...), t.UpdatedAt)
	}
	b = t.RecordDate.appendJSON(append(b, `,"recordDate":`...))
	b = append(append(b, `,"amount":`...), t.Amount.String()...)
	text(`,"currencyCode":`, t.CurrencyCode)
	text(`,"note":`, t.Note)
	text(`,"paymentType":`, t.PaymentType)
	text(`,"recordState":`, t.RecordState)
	text(`,"recordType":`, t.RecordType)
	text(`,"recurrenceFrequency":`, t.RecurrenceFrequency)
	b = strconv.AppendBool(append(b, `,"subscription":`...), t.Subscription)
	text(`,"payee":`, t.Payee)
	return append(b, '}')
}
