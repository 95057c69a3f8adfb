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
	"aviso/internal/pfm/transaction"
)

type wireInsightCategory struct {
	_ struct{} `doc:"A category or, with categoryLevel=L2, a subcategory."`

	ID   int    `json:"id" doc:"L1 or L2 ID."`
	Name string `json:"name" doc:"Stable name for programs, such as FOOD_AND_DRINKS."`
}

// InsightSum is what insights of both kinds have. It is exported because Huma reads embedded fields of
// exported types only.
type InsightSum struct {
	Amount               money.Amount `json:"amount" doc:"Sum in major units; negative for expenses."`
	CurrencyCode         string       `json:"currencyCode" doc:"ISO 4217. Amounts are not converted."`
	NumberOfTransactions int          `json:"numberOfTransactions" doc:"How many transactions the sum is of."`
	PeriodStart          string       `json:"periodStart,omitempty" format:"date" doc:"First day of the period; absent for alltime."`
}

func toSum(i transaction.Insight) InsightSum {
	return InsightSum{
		Amount: i.Amount, CurrencyCode: i.Currency, NumberOfTransactions: i.Count, PeriodStart: string(i.PeriodStart),
	}
}

type wireCategoryInsight struct {
	_ struct{} `doc:"The sum of one category, in one currency and one period."`

	Category wireInsightCategory `json:"category"`
	InsightSum
}

type wireMerchantInsight struct {
	_ struct{} `doc:"The sum of one merchant or counterparty, in one currency and one period."`

	Merchant pfm.Reference `json:"merchant" doc:"The merchant or, if it is unknown, the counterparty."`
	InsightSum
}

type categoryInsightsData struct {
	_ struct{} `doc:"Sums of transactions by category."`

	Insights    []wireCategoryInsight `json:"insights" nullable:"false" doc:"The sums, ordered as orderBy says."`
	Granularity string                `json:"granularity" enum:"alltime,daily,weekly,monthly,quarterly,yearly" doc:"Length of a period, as requested."`
}

type merchantInsightsData struct {
	_ struct{} `doc:"Sums of transactions by merchant."`

	Insights    []wireMerchantInsight `json:"insights" nullable:"false" doc:"The sums, ordered as orderBy says."`
	Granularity string                `json:"granularity" enum:"alltime,daily,weekly,monthly,quarterly,yearly" doc:"Length of a period, as requested."`
}

// InsightFilter is the query of both insights. It is exported because Huma reads
// embedded fields of exported types only.
type InsightFilter struct {
	TransactionType string `query:"transactionType" enum:"Income,Expense" default:"Expense" doc:"Direction to sum."`
	Granularity     string `query:"granularity" enum:"alltime,daily,weekly,monthly,quarterly,yearly" default:"alltime" doc:"Length of a period. Weeks start on Monday."`
	OrderBy         string `query:"orderBy" enum:"amount,numberOfTransactions,name" default:"amount" doc:"amount sorts by absolute value, largest first."`
	DateFrom        string `query:"dateFrom" format:"date" doc:"First day to include." example:"2026-01-01"`
	DateTo          string `query:"dateTo" format:"date" doc:"Last day to include." example:"2026-03-31"`
	AccountID       string `query:"accountId" format:"uuid" minLength:"36" maxLength:"36" doc:"Only transactions of this account."`
	Limit           int    `query:"limit" minimum:"1" maximum:"2147483647" doc:"Maximum number of elements in the response; more than 200 count as 200. Without it, the response has all." example:"50"`
	NextToken       string `query:"nextToken" maxLength:"2048" doc:"The nextToken of the previous page."`
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
	CategoryLevel string `query:"categoryLevel" enum:"L1,L2" default:"L1" doc:"L1: categories; L2: subcategories."`
}

const insightRules = " Pending transactions count; void ones do not. Sums are signed." +
	" Without a limit, you get all elements, at most 10,000. With a limit, you get pages."

func registerInsights(r *api.Router, reading *transaction.Reading) {
	api.Register(r, api.Operation{
		ID: "listCategoryInsights", Method: http.MethodGet, Path: prefix + "/insights/categories",
		Tag: "Insights", Scope: api.PFM, ForUser: true,
		Summary:     "Sum a user's transactions by category",
		Description: "One element for each category, currency and period." + insightRules,
		Answer: categoryInsightsData{Granularity: "alltime", Insights: []wireCategoryInsight{{
			Category:   wireInsightCategory{ID: 520, Name: "FOOD_AND_DRINKS"},
			InsightSum: InsightSum{Amount: money.MustParse("-812.40"), CurrencyCode: "EUR", NumberOfTransactions: 37},
		}}},
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
		Summary: "Sum a user's transactions by merchant",
		Description: "One element for each merchant, currency and period. " +
			"Transactions that name neither merchant nor counterparty are left out." + insightRules,
		Answer: merchantInsightsData{Granularity: "alltime", Insights: []wireMerchantInsight{{
			Merchant:   pfm.Reference{ID: "0f0c7d0e-55d1-5b7a-9a35-3f6b5f2c0a01", Name: "Grünkorb"},
			InsightSum: InsightSum{Amount: money.MustParse("-312.07"), CurrencyCode: "EUR", NumberOfTransactions: 14},
		}}},
		Faults: []apierror.Code{apierror.TermsNotAccepted, apierror.RangeTooLarge, apierror.InvalidNextToken},
	}, func(ctx context.Context, in *InsightFilter) (*api.Response[merchantInsightsData], error) {
		list, next, err := in.sums(ctx, r, "", reading.MerchantInsights)
		sums := api.List(list, func(i transaction.Insight) wireMerchantInsight {
			return wireMerchantInsight{Merchant: i.Merchant.Reference(), InsightSum: toSum(i)}
		})
		return api.PageOf(merchantInsightsData{Granularity: in.Granularity, Insights: sums}, next), err
	})
}
