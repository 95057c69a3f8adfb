package pfmapi

import (
	"context"
	"net/http"
	"strings"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
)

type priceChangesData struct {
	PriceChanges []contract.PriceChange `json:"priceChanges" nullable:"false" doc:"The changes, the latest first."`
}

type priceChangesInput struct {
	SubscriptionID string `query:"subscriptionId" format:"uuid" minLength:"36" maxLength:"36" doc:"Only changes of this contract."`
	NoticeDate     string `query:"noticeDate" format:"date" doc:"The day on which the organization told the user of the rise, for lastDay. It needs subscriptionId."`
	Locale         string `query:"locale" pattern:"^[a-z]{2}-[A-Z]{2}$" patternDescription:"a locale such as de-DE" doc:"The language of the texts, and the country whose law applies to contracts whose product is not known. By default the language is that of the product." example:"de-DE"`
}

func examplePriceChange() contract.PriceChange {
	return contract.PriceChange{
		SubscriptionID: "0b9c1a7e-5a53-5d0f-9c61-6f7f5f0d2a41",
		Merchant:       pfm.Reference{ID: "5f2c7f0e-11c7-5a10-8a0b-60b0a4f0d501", Name: "Fibrano"},
		CurrencyCode:   "EUR", RecurrenceFrequency: contract.Monthly,
		OldAmount: money.MustParse("-39.95"), NewAmount: money.MustParse("-41.95"), Since: "2026-01-12",
		TransactionID: "f3a7c0de-3a0c-4a5b-9a57-3d2b1e0f9a01",
		Percent:       money.MustParse("5.01"), YearlyDifference: money.MustParse("24.00"),
		SpecialRight: contract.SpecialRight{
			Answer: "Yes", Source: "§ 57 Abs. 1 TKG, https://www.gesetze-im-internet.de/tkg_2021/__57.html",
			Missing: []string{"noticeDate"}, Reason: &contract.PriceRiseReason{Kind: "PriceRise", Date: "2026-01-12"},
			Text: "By law, a price rise that the organization decides on gives the right to end the contract early. " +
				"The cancellation must arrive within 3 months after the organization announced the rise.",
		},
	}
}

func registerPriceChanges(r *api.Router, contracts *contract.Subscriptions) {
	api.Register(r, api.Operation{
		ID: "listPriceChanges", Method: http.MethodGet, Path: prefix + "/insights/price-changes",
		Tag: "Insights", Scope: api.PFM, ForUser: true,
		Summary: "List how prices of recurring contracts changed",
		Description: "How the prices of running contracts changed, based on the latest payments, and " +
			"whether a rise gives a right to end the contract early. Amounts that change all the time, " +
			"promotions that end, and steps of over 30 percent are not price changes. Not paginated.",
		Answer: priceChangesData{PriceChanges: []contract.PriceChange{examplePriceChange()}},
		Faults: []apierror.Code{apierror.TermsNotAccepted},
	}, func(ctx context.Context, in *priceChangesInput) (*api.Response[priceChangesData], error) {
		language, country, _ := strings.Cut(in.Locale, "-")
		list, err := contracts.PriceChanges(ctx, api.User(ctx), contract.PriceQuery{
			SubscriptionID: strings.ToLower(in.SubscriptionID), NoticeDate: pfm.Date(in.NoticeDate),
			Language: language, Country: country,
		})
		return api.OK(priceChangesData{list}), err
	})
}
