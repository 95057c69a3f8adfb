package pfmapi

import (
	"context"
	"net/http"
	"strings"
	"time"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
)

// WireTransaction is a transaction as partners see it. It is exported because Huma
// reads embedded fields of exported types only.
type WireTransaction struct {
	_ struct{} `doc:"A transaction of a connected account."`

	ID                  string        `json:"id" format:"uuid" doc:"Never changes, not even when a pending transaction is booked."`
	Account             pfm.Reference `json:"account" doc:"The account that the transaction is on."`
	Category            wireCategory  `json:"category" doc:"What the money was for, found by rules or chosen by the user."`
	Merchant            pfm.Reference `json:"merchant" doc:"Who the money went to or came from: the merchant, or the counterparty if the merchant is unknown. The ID of a counterparty follows from its name; those without a name share one."`
	CreatedAt           time.Time     `json:"createdAt" doc:"When we read the transaction for the first time."`
	UpdatedAt           time.Time     `json:"updatedAt" doc:"When something about the transaction last changed."`
	RecordDate          time.Time     `json:"recordDate" doc:"The day it was booked or is expected to be booked; the time part is zero."`
	Amount              money.Amount  `json:"amount" doc:"In major units of currencyCode; negative for an expense."`
	CurrencyCode        string        `json:"currencyCode" doc:"ISO 4217."`
	Note                string        `json:"note" doc:"The bank's text for the transaction."`
	PaymentType         string        `json:"paymentType" enum:"Cash,DebitCard,CreditCard,Transfer,Voucher,MobilePayment,WebPayment" doc:"How it was paid, as far as the bank tells."`
	RecordState         string        `json:"recordState" enum:"Cleared,Uncleared,Void" doc:"Cleared: booked. Uncleared: pending. Void: a pending transaction that vanished, or a booked one that the bank has withdrawn; leave it out of sums."`
	RecordType          string        `json:"recordType" enum:"Income,Expense" doc:"Whether money came in (Income) or went out (Expense)."`
	RecurrenceFrequency string        `json:"recurrenceFrequency" enum:"Once,Weekly,BiWeekly,Monthly,Quarterly,SemiAnnually,Annually" doc:"How often the payment recurs; Once if it is not known to recur."`
	Subscription        bool          `json:"subscription" doc:"Whether the transaction is a payment of a recurring contract."`
	Payee               string        `json:"payee" doc:"The counterparty's account: an IBAN or another number; empty if the bank does not tell."`
}

type wireCategory struct {
	_ struct{} `doc:"The category (L1) and subcategory (L2) of a transaction."`

	CategoryID      int    `json:"categoryId" doc:"L1 ID. GET /openbanking/v1/categories lists all."`
	CategoryName    string `json:"categoryName" doc:"Stable name for programs, such as HOUSING."`
	SubcategoryID   int    `json:"subcategoryId" doc:"L2 ID."`
	SubcategoryName string `json:"subcategoryName" doc:"Stable name for programs, such as HOUSING__Rent."`
}

type transactionsData struct {
	Transactions []WireTransaction `json:"transactions" nullable:"false" doc:"One page of the user's transactions."`
}

func exampleTransaction() WireTransaction {
	at := time.Date(2026, 3, 2, 9, 36, 0, 0, time.UTC)
	return WireTransaction{
		ID:      "f3a7c0de-3a0c-4a5b-9a57-3d2b1e0f9a01",
		Account: pfm.Reference{ID: exampleAccount().AccountID, Name: exampleAccount().AccountName},
		Category: wireCategory{
			CategoryID: 610, CategoryName: "UNKNOWN", SubcategoryID: 611, SubcategoryName: "UNKNOWN__Unknown",
		},
		CreatedAt: at, UpdatedAt: at, RecordDate: time.Date(2026, 2, 27, 0, 0, 0, 0, time.UTC),
		Amount: money.MustParse("-23.90"), CurrencyCode: "EUR",
		Note: "KARTENZAHLUNG GRUENKORB SAGT DANKE 27.02", PaymentType: "DebitCard",
		RecordState: "Cleared", RecordType: "Expense", RecurrenceFrequency: "Once",
	}
}

// transactionDetail is a transaction with the source of its category.
type transactionDetail struct {
	_ struct{} `doc:"A transaction, and how its category was found."`

	WireTransaction
	CategorySource string `json:"categorySource" enum:"Override,OwnTransfer,BankCode,Merchant,Mcc,Keyword,None" doc:"How the category was found: by the user (Override), between own accounts (OwnTransfer), by the bank's code, the merchant, the merchant category code (Mcc) or a word (Keyword), or not at all (None)."`
	RuleID         string `json:"ruleId" doc:"The rule that found it; empty if no rule did."`
}

type transactionData struct {
	Transaction transactionDetail `json:"transaction"`
}

type listTransactionsInput struct {
	api.Page
	AccountID   string `query:"accountId" format:"uuid" minLength:"36" maxLength:"36" doc:"Only transactions of this account."`
	DateFrom    string `query:"dateFrom" format:"date" doc:"First day to include." example:"2026-01-01"`
	DateTo      string `query:"dateTo" format:"date" doc:"Last day to include." example:"2026-03-31"`
	RecordState string `query:"recordState" enum:"Cleared,Uncleared,Void" doc:"Only transactions in this state."`
	CategoryID  int    `query:"categoryId" minimum:"500" maximum:"699" doc:"Only transactions in this category, given as an L1 or L2 ID."`
	MerchantID  string `query:"merchantId" format:"uuid" minLength:"36" maxLength:"36" doc:"Only transactions with this merchant or counterparty."`
	RecordType  string `query:"recordType" enum:"Income,Expense" doc:"Only transactions of this type."`
	AmountFrom  string `query:"amountFrom" pattern:"^-?[0-9]+([.][0-9]+)?$" patternDescription:"a decimal number" maxLength:"21" doc:"Smallest amount to include, in major units of whatever currency. Expenses are negative: amountTo=-100 lists expenses of 100 or more." example:"-50.00"`
	AmountTo    string `query:"amountTo" pattern:"^-?[0-9]+([.][0-9]+)?$" patternDescription:"a decimal number" maxLength:"21" doc:"Largest amount to include." example:"-10"`
	Text        string `query:"text" maxLength:"100" doc:"Only transactions that contain all of these words: in the note, the merchant's name, or the counterparty's name, account, mandate or creditor ID. Case, accents and the spelling of umlauts do not matter. Parts of words are found too; a word of one or two characters must begin a word." example:"miete juli"`
}

func (in listTransactionsInput) filter() (transaction.Filter, error) {
	f := transaction.Filter{
		AccountID: strings.ToLower(in.AccountID), From: pfm.Date(in.DateFrom), To: pfm.Date(in.DateTo),
		State: transaction.RecordState(in.RecordState), Category: in.CategoryID, MerchantID: strings.ToLower(in.MerchantID),
		Type: transaction.RecordType(in.RecordType), Words: transaction.SearchWords(in.Text),
	}
	if in.Text != "" && len(f.Words) == 0 {
		return f, apierror.Invalid(apierror.Field{
			Parameter: "text", Code: "invalid", Detail: "The text must contain a letter or a digit.",
		})
	}
	for _, bound := range []struct {
		parameter, text string
		to              **money.Amount
	}{{"amountFrom", in.AmountFrom, &f.AmountFrom}, {"amountTo", in.AmountTo, &f.AmountTo}} {
		if bound.text == "" {
			continue
		}
		a, err := money.Parse(bound.text)
		if err != nil {
			return f, apierror.Invalid(apierror.Field{
				Parameter: bound.parameter, Code: "invalid", Detail: "The amount must not have more than 19 digits.",
			})
		}
		*bound.to = &a
	}
	return f, checkFilter(f)
}

type transactionInput struct {
	TransactionID string `path:"transactionId" format:"uuid" minLength:"36" maxLength:"36" doc:"A transaction of the user, from listTransactions." example:"f3a7c0de-3a0c-4a5b-9a57-3d2b1e0f9a01"`
}

type updateTransactionInput struct {
	TransactionID string `path:"transactionId" format:"uuid" minLength:"36" maxLength:"36" doc:"A transaction of the user, from listTransactions." example:"f3a7c0de-3a0c-4a5b-9a57-3d2b1e0f9a01"`
	Body          struct {
		_ struct{} `doc:"The user's choice of a category."`

		CategoryID api.Integer `json:"categoryId" minimum:"500" maximum:"699" doc:"An L1 or L2 ID. An L1 ID selects the category's catch-all subcategory."`
		ApplyTo    string      `json:"applyTo,omitempty" enum:"Transaction,Merchant" doc:"Merchant: the category also holds for all other transactions with the same merchant, now and in the future. If the merchant is unknown, the counterparty's name counts. The others follow within moments; those with a category of their own choice keep it. Default: Transaction."`
	}
}

func exampleDetail() transactionData {
	return transactionData{Transaction: transactionDetail{
		WireTransaction: exampleTransaction(), CategorySource: "None",
	}}
}

func registerTransactions(r *api.Router, reading *transaction.Reading) {
	api.Register(r, api.Operation{
		ID: "listTransactions", Method: http.MethodGet, Path: prefix + "/transactions",
		Tag: "Transactions", Scope: api.PFM, ForUser: true,
		Summary: "List a user's transactions",
		Description: "Newest day first. If few transactions match the filters, a page may have fewer elements " +
			"than the limit, or none, although another page follows. Continue while there is a nextToken.",
		Answer: transactionsData{Transactions: []WireTransaction{exampleTransaction()}},
		Faults: []apierror.Code{apierror.TermsNotAccepted, apierror.InvalidNextToken},
	}, func(ctx context.Context, in *listTransactionsInput) (*api.Response[transactionsData], error) {
		f, err := in.filter()
		if err != nil {
			return nil, err
		}
		return api.Paged(ctx, r, in.NextToken, func(position string) (transactionsData, string, error) {
			page, err := reading.Transactions(ctx, api.User(ctx), f, in.Limit, position)
			return transactionsData{api.List(page.Items, toTransaction)}, page.Next, err
		})
	})

	api.Register(r, api.Operation{
		ID: "getTransaction", Method: http.MethodGet, Path: prefix + "/transactions/{transactionId}",
		Tag: "Transactions", Scope: api.PFM, ForUser: true,
		Summary: "Get a transaction", Description: "One transaction, and how its category was found.",
		Answer: exampleDetail(), Faults: []apierror.Code{apierror.TermsNotAccepted, apierror.NotFound},
	}, func(ctx context.Context, in *transactionInput) (*api.Response[transactionData], error) {
		t, err := reading.Transaction(ctx, api.User(ctx), strings.ToLower(in.TransactionID))
		return api.OK(toDetail(t)), err
	})

	api.Register(r, api.Operation{
		ID: "updateTransaction", Method: http.MethodPatch, Path: prefix + "/transactions/{transactionId}",
		Tag: "Transactions", Scope: api.PFM, ForUser: true,
		Summary: "Set a transaction's category",
		Description: "The user's choice stays when we read the bank again. " +
			"deleteTransactionCategory undoes it.",
		Request: map[string]any{"categoryId": 521}, Answer: exampleDetail(),
		Faults: []apierror.Code{apierror.TermsNotAccepted, apierror.NotFound},
	}, func(ctx context.Context, in *updateTransactionInput) (*api.Response[transactionData], error) {
		id, forMerchant := strings.ToLower(in.TransactionID), in.Body.ApplyTo == "Merchant"
		t, err := reading.Categorise(ctx, api.User(ctx), id, int(in.Body.CategoryID), forMerchant)
		return api.OK(toDetail(t)), err
	})

	api.Register(r, api.Operation{
		ID: "deleteTransactionCategory", Method: http.MethodDelete,
		Path: prefix + "/transactions/{transactionId}/category",
		Tag:  "Transactions", Scope: api.PFM, ForUser: true,
		Status:  http.StatusNoContent,
		Summary: "Take back the user's category",
		Description: "The transaction gets the category that was found for it. If the user has chosen the category for " +
			"the merchant, that choice ends for all of the merchant's transactions; the others follow within moments. " +
			"Without a choice, nothing changes.",
		Faults: []apierror.Code{apierror.TermsNotAccepted, apierror.NotFound},
	}, func(ctx context.Context, in *transactionInput) (*api.Empty, error) {
		return &api.Empty{}, reading.Uncategorise(ctx, api.User(ctx), strings.ToLower(in.TransactionID))
	})
}

// checkFilter checks what no schema can: that the category exists, and that days and
// amounts are in the right order.
func checkFilter(f transaction.Filter) error {
	if _, known := pfm.CategoryOf(f.Category); f.Category != 0 && !known {
		return apierror.Invalid(apierror.Field{
			Parameter: "categoryId", Code: "unknown",
			Detail: "Send an ID that GET /openbanking/v1/categories lists.",
		})
	}
	if f.AmountFrom != nil && f.AmountTo != nil && f.AmountTo.Cmp(*f.AmountFrom) < 0 {
		return apierror.Invalid(apierror.Field{
			Parameter: "amountTo", Code: "below_from", Detail: "amountTo must not be below amountFrom.",
		})
	}
	return checkDays(f.From, f.To)
}

func checkDays(from, to pfm.Date) error {
	if from != "" && to != "" && to < from {
		return apierror.Invalid(apierror.Field{
			Parameter: "dateTo", Code: "before_from", Detail: "dateTo must not be before dateFrom.",
		})
	}
	return nil
}

func toDetail(t transaction.Transaction) transactionData {
	return transactionData{Transaction: transactionDetail{
		WireTransaction: toTransaction(t), CategorySource: string(t.Source), RuleID: t.RuleID,
	}}
}

func toTransaction(t transaction.Transaction) WireTransaction {
	return WireTransaction{
		ID: t.ID, Account: pfm.Reference{ID: t.AccountID, Name: t.AccountName}, Merchant: t.MerchantOrParty().Reference(),
		Category: toCategory(t.Category), CreatedAt: t.CreatedAt, UpdatedAt: t.UpdatedAt, RecordDate: t.RecordDate.Time(),
		Amount: t.Amount, CurrencyCode: t.Currency, Note: t.Note, Payee: t.Payee,
		PaymentType: string(t.PaymentType), RecordState: string(t.State), RecordType: string(t.Type()),
		RecurrenceFrequency: string(t.Frequency), Subscription: t.Subscription,
	}
}

func toCategory(c pfm.Category) wireCategory {
	return wireCategory{
		CategoryID: c.ID, CategoryName: c.Name, SubcategoryID: c.SubcategoryID, SubcategoryName: c.SubcategoryName,
	}
}
