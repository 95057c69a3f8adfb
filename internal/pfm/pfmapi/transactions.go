package pfmapi

import (
	"context"
	"net/http"
	"time"

	"aviso/internal/api"
	"aviso/internal/fault"
	"aviso/internal/money"
	"aviso/internal/pfm"
)

type wireTransaction struct {
	ID                  string       `json:"id" format:"uuid" doc:"Never changes, also not when a pending transaction is booked."`
	Account             reference    `json:"account"`
	Category            wireCategory `json:"category"`
	Merchant            reference    `json:"merchant" doc:"Both members are empty when the merchant is not known."`
	CreatedAt           time.Time    `json:"createdAt"`
	UpdatedAt           time.Time    `json:"updatedAt"`
	RecordDate          time.Time    `json:"recordDate" doc:"The day it was booked, or is expected to be; time part zero."`
	Amount              api.Amount   `json:"amount" doc:"In major units; negative for an expense."`
	CurrencyCode        string       `json:"currencyCode" doc:"ISO 4217."`
	Note                string       `json:"note" doc:"The bank's text."`
	PaymentType         string       `json:"paymentType" enum:"Cash,DebitCard,CreditCard,Transfer,Voucher,MobilePayment,WebPayment"`
	RecordState         string       `json:"recordState" enum:"Cleared,Uncleared,Void" doc:"Booked, pending, or a pending one that vanished."`
	RecordType          string       `json:"recordType" enum:"Income,Expense"`
	RecurrenceFrequency string       `json:"recurrenceFrequency" enum:"Once,Weekly,BiWeekly,Monthly,Quarterly,SemiAnnually,Annually"`
	Subscription        bool         `json:"subscription"`
	Payee               string       `json:"payee" doc:"The counterparty's account; may be empty."`
}

type reference struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type wireCategory struct {
	CategoryID      int    `json:"categoryId"`
	CategoryName    string `json:"categoryName"`
	SubcategoryID   int    `json:"subcategoryId"`
	SubcategoryName string `json:"subcategoryName"`
}

type transactionsData struct {
	Transactions []wireTransaction `json:"transactions" nullable:"false"`
}

func exampleTransaction() wireTransaction {
	at := time.Date(2026, 3, 2, 9, 36, 0, 0, time.UTC)
	return wireTransaction{
		ID: "f3a7c0de-3a0c-4a5b-9a57-3d2b1e0f9a01", Account: reference{ID: exampleAccount().AccountID, Name: exampleAccount().AccountName},
		Category:  wireCategory{CategoryID: 610, CategoryName: "UNKNOWN", SubcategoryID: 611, SubcategoryName: "UNKNOWN__Unknown"},
		CreatedAt: at, UpdatedAt: at, RecordDate: time.Date(2026, 2, 27, 0, 0, 0, 0, time.UTC), Amount: api.Amount{Amount: money.MustParse("-23.90")}, CurrencyCode: "EUR",
		Note: "KARTENZAHLUNG GRUENKORB SAGT DANKE 27.02", PaymentType: "DebitCard", RecordState: "Cleared", RecordType: "Expense", RecurrenceFrequency: "Once",
	}
}

func registerTransactions(r *api.Router, reading ReadingService) {
	api.Register(r, api.Operation{
		ID: "listTransactions", Method: http.MethodGet, Path: prefix + "/transactions", Tag: "Transactions", Scope: api.PFM, ForUser: true,
		Summary: "List a user's transactions", Description: "Of all accounts, newest day first.",
		Answer: transactionsData{Transactions: []wireTransaction{exampleTransaction()}}, Faults: []fault.Code{fault.TermsNotAccepted, fault.InvalidNextToken},
	}, func(ctx context.Context, in *api.Page) (*api.Response[transactionsData], error) {
		position, err := r.OpenPage(ctx, in.NextToken)
		if err != nil {
			return nil, err
		}
		page, err := reading.Transactions(ctx, api.User(ctx), in.Limit, position)
		if err != nil {
			return nil, err
		}
		return api.PageOf(transactionsData{Transactions: api.List(page.Transactions, toTransaction)}, r.SealPage(ctx, page.Next)), nil
	})
}

func toTransaction(t pfm.Transaction) wireTransaction {
	return wireTransaction{
		ID: t.ID, Account: reference{ID: t.AccountID, Name: t.AccountName}, Merchant: reference(t.Merchant),
		Category: wireCategory{
			CategoryID: t.Category.ID, CategoryName: t.Category.Name, SubcategoryID: t.Category.SubcategoryID, SubcategoryName: t.Category.SubcategoryName,
		},
		CreatedAt: t.CreatedAt, UpdatedAt: t.UpdatedAt, RecordDate: t.RecordDate.Time(), Amount: api.Amount{Amount: t.Amount}, CurrencyCode: t.Currency, Note: t.Note,
		PaymentType: string(t.PaymentType), RecordState: string(t.State), RecordType: string(t.Type()), RecurrenceFrequency: string(t.Frequency),
		Subscription: t.Subscription, Payee: t.Payee,
	}
}
