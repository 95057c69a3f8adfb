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
	ID                  string        `json:"id" format:"uuid"`
	Account             pfm.Reference `json:"account"`
	Category            wireCategory  `json:"category"`
	Merchant            pfm.Reference `json:"merchant"`
	CreatedAt           time.Time     `json:"createdAt"`
	UpdatedAt           time.Time     `json:"updatedAt"`
	RecordDate          time.Time     `json:"recordDate"`
	Amount              money.Amount  `json:"amount"`
	CurrencyCode        string        `json:"currencyCode"`
	Note                string        `json:"note"`
	PaymentType         string        `json:"paymentType" enum:"Cash,DebitCard,CreditCard,Transfer,Voucher,MobilePayment,WebPayment"`
	RecordState         string        `json:"recordState" enum:"Cleared,Uncleared,Void"`
	RecordType          string        `json:"recordType" enum:"Income,Expense"`
	RecurrenceFrequency string        `json:"recurrenceFrequency" enum:"Once,Weekly,BiWeekly,Monthly,Quarterly,SemiAnnually,Annually"`
	Subscription        bool          `json:"subscription"`
	Payee               string        `json:"payee"`
}

type wireCategory struct {
	CategoryID      int    `json:"categoryId"`
	CategoryName    string `json:"categoryName"`
	SubcategoryID   int    `json:"subcategoryId"`
	SubcategoryName string `json:"subcategoryName"`
}

type transactionsData struct {
	Transactions []WireTransaction `json:"transactions" nullable:"false"`
}

// transactionDetail is a transaction with the source of its category.
type transactionDetail struct {
	WireTransaction
	CategorySource string `json:"categorySource" enum:"Override,OwnTransfer,BankCode,Merchant,Mcc,Keyword,None"`
	RuleID         string `json:"ruleId"`
}

type transactionData struct {
	Transaction transactionDetail `json:"transaction"`
}

type listTransactionsInput struct {
	api.Page
	AccountID   string `query:"accountId" format:"uuid" minLength:"36" maxLength:"36"`
	DateFrom    string `query:"dateFrom" format:"date"`
	DateTo      string `query:"dateTo" format:"date"`
	RecordState string `query:"recordState" enum:"Cleared,Uncleared,Void"`
	CategoryID  int    `query:"categoryId" minimum:"500" maximum:"699"`
	MerchantID  string `query:"merchantId" format:"uuid" minLength:"36" maxLength:"36"`
	RecordType  string `query:"recordType" enum:"Income,Expense"`
	AmountFrom  string `query:"amountFrom" pattern:"^-?[0-9]+([.][0-9]+)?$" patternDescription:"a decimal number" maxLength:"21"`
	AmountTo    string `query:"amountTo" pattern:"^-?[0-9]+([.][0-9]+)?$" patternDescription:"a decimal number" maxLength:"21"`
	Text        string `query:"text" maxLength:"100"`
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
	TransactionID string `path:"transactionId" format:"uuid" minLength:"36" maxLength:"36"`
}

type updateTransactionInput struct {
	TransactionID string `path:"transactionId" format:"uuid" minLength:"36" maxLength:"36"`
	Body          struct {
		CategoryID api.Integer `json:"categoryId" minimum:"500" maximum:"699"`
		ApplyTo    string      `json:"applyTo,omitempty" enum:"Transaction,Merchant"`
	}
}

func registerTransactions(r *api.Router, reading *transaction.Reading) {
	api.Register(r, api.Operation{
		ID: "listTransactions", Method: http.MethodGet, Path: prefix + "/transactions",
		Tag: "Transactions", Scope: api.PFM, ForUser: true,
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
		Faults: []apierror.Code{apierror.TermsNotAccepted, apierror.NotFound},
	}, func(ctx context.Context, in *transactionInput) (*api.Response[transactionData], error) {
		t, err := reading.Transaction(ctx, api.User(ctx), strings.ToLower(in.TransactionID))
		return api.OK(toDetail(t)), err
	})

	api.Register(r, api.Operation{
		ID: "updateTransaction", Method: http.MethodPatch, Path: prefix + "/transactions/{transactionId}",
		Tag: "Transactions", Scope: api.PFM, ForUser: true,
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
		Status: http.StatusNoContent,
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

type categoriesData struct {
	Categories []pfm.TopCategory `json:"categories" nullable:"false"`
}

func registerCategories(r *api.Router) {
	api.Register(r, api.Operation{
		ID: "listTransactionCategories", Method: http.MethodGet, Path: prefix + "/categories",
		Tag: "Transactions", Scope: api.PFM,
	}, func(context.Context, *struct{}) (*api.Response[categoriesData], error) {
		return api.OK(categoriesData{Categories: pfm.Taxonomy()}), nil
	})
}
