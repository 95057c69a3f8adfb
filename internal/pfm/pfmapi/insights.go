package pfmapi

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/money"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/transaction"
)

type wireInsightCategory struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
}

// InsightSum is what insights of both kinds have. It is exported because Huma reads embedded fields of
// exported types only.
type InsightSum struct {
	Amount               money.Amount `json:"amount"`
	CurrencyCode         string       `json:"currencyCode"`
	NumberOfTransactions int          `json:"numberOfTransactions"`
	PeriodStart          string       `json:"periodStart,omitempty" format:"date"`
}

func toSum(i transaction.Insight) InsightSum {
	return InsightSum{
		Amount: i.Amount, CurrencyCode: i.Currency, NumberOfTransactions: i.Count, PeriodStart: string(i.PeriodStart),
	}
}

type wireCategoryInsight struct {
	Category wireInsightCategory `json:"category"`
	InsightSum
}

type wireMerchantInsight struct {
	Merchant pfm.Reference `json:"merchant"`
	InsightSum
}

type categoryInsightsData struct {
	Insights    []wireCategoryInsight `json:"insights" nullable:"false"`
	Granularity string                `json:"granularity" enum:"alltime,daily,weekly,monthly,quarterly,yearly"`
}

type merchantInsightsData struct {
	Insights    []wireMerchantInsight `json:"insights" nullable:"false"`
	Granularity string                `json:"granularity" enum:"alltime,daily,weekly,monthly,quarterly,yearly"`
}

// InsightFilter is the query of both insights. It is exported because Huma reads
// embedded fields of exported types only.
type InsightFilter struct {
	TransactionType string `query:"transactionType" enum:"Income,Expense" default:"Expense"`
	Granularity     string `query:"granularity" enum:"alltime,daily,weekly,monthly,quarterly,yearly" default:"alltime"`
	OrderBy         string `query:"orderBy" enum:"amount,numberOfTransactions,name" default:"amount"`
	DateFrom        string `query:"dateFrom" format:"date"`
	DateTo          string `query:"dateTo" format:"date"`
	AccountID       string `query:"accountId" format:"uuid" minLength:"36" maxLength:"36"`
	Limit           int    `query:"limit" minimum:"1" maximum:"2147483647"`
	NextToken       string `query:"nextToken" maxLength:"2048"`
}

// sums returns a page of sums by category (of a level) or by merchant, and the token of the next page.
func (in InsightFilter) sums(
	ctx context.Context, r *api.Router, level string,
	read func(context.Context, owner.User, transaction.InsightQuery) ([]transaction.Insight, error),
) (page []transaction.Insight, next string, err error) {
	q := transaction.InsightQuery{
		Type: transaction.RecordType(in.TransactionType), Granularity: transaction.Granularity(in.Granularity),
		Order: transaction.InsightOrder(in.OrderBy), AccountID: strings.ToLower(in.AccountID),
		From: pfm.Date(in.DateFrom), To: pfm.Date(in.DateTo), TopLevel: level == topLevel, Limit: min(in.Limit, api.MaxLimit),
	}
	if err := checkDays(q.From, q.To); err != nil {
		return nil, "", err
	}
	position, err := r.OpenPage(ctx, in.NextToken)
	if err == nil && position != "" {
		err = json.Unmarshal([]byte(position), &q.After)
	}
	if err != nil {
		return nil, "", err
	}
	page, err = read(ctx, api.User(ctx), q)
	if err != nil || q.Limit == 0 || len(page) <= q.Limit {
		return page, "", err
	}
	page = page[:q.Limit]
	last, err := json.Marshal(page[q.Limit-1])
	return page, r.SealPage(ctx, string(last)), err
}

// topLevel is the level of categories; the other one is that of subcategories.
const topLevel = "L1"

type categoryInsightsInput struct {
	InsightFilter
	CategoryLevel string `query:"categoryLevel" enum:"L1,L2" default:"L1"`
}

func registerInsights(r *api.Router, reading *transaction.Reading) {
	api.Register(r, api.Operation{
		ID: "listCategoryInsights", Method: http.MethodGet, Path: prefix + "/insights/categories",
		Tag: "Insights", Scope: api.PFM, ForUser: true,
		Faults: []apierror.Code{apierror.TermsNotAccepted, apierror.RangeTooLarge, apierror.InvalidNextToken},
	}, func(ctx context.Context, in *categoryInsightsInput) (*api.Response[categoryInsightsData], error) {
		list, next, err := in.sums(ctx, r, in.CategoryLevel, reading.CategoryInsights)
		sums := api.List(list, func(i transaction.Insight) wireCategoryInsight {
			c := wireInsightCategory{ID: i.Category.SubcategoryID, Name: i.Category.SubcategoryName}
			if in.CategoryLevel == topLevel {
				c = wireInsightCategory{ID: i.Category.ID, Name: i.Category.Name}
			}
			return wireCategoryInsight{Category: c, InsightSum: toSum(i)}
		})
		return api.PageOf(categoryInsightsData{Granularity: in.Granularity, Insights: sums}, next), err
	})
	api.Register(r, api.Operation{
		ID: "listMerchantInsights", Method: http.MethodGet, Path: prefix + "/insights/merchants",
		Tag: "Insights", Scope: api.PFM, ForUser: true,
		Faults: []apierror.Code{apierror.TermsNotAccepted, apierror.RangeTooLarge, apierror.InvalidNextToken},
	}, func(ctx context.Context, in *InsightFilter) (*api.Response[merchantInsightsData], error) {
		list, next, err := in.sums(ctx, r, "", reading.MerchantInsights)
		sums := api.List(list, func(i transaction.Insight) wireMerchantInsight {
			return wireMerchantInsight{Merchant: i.Merchant.Reference(), InsightSum: toSum(i)}
		})
		return api.PageOf(merchantInsightsData{Granularity: in.Granularity, Insights: sums}, next), err
	})
}

type savingsData struct {
	Savings []contract.Savings `json:"savings" nullable:"false"`
}

func registerSavings(r *api.Router, contracts *contract.Subscriptions) {
	api.Register(r, api.Operation{
		ID: "listSavings", Method: http.MethodGet, Path: prefix + "/insights/savings",
		Tag: "Insights", Scope: api.PFM, ForUser: true,
		Faults: []apierror.Code{apierror.TermsNotAccepted},
	}, func(ctx context.Context, _ *struct{}) (*api.Response[savingsData], error) {
		list, err := contracts.Savings(ctx, api.User(ctx))
		return api.OK(savingsData{list}), err
	})
}
