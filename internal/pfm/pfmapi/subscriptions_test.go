package pfmapi_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
	"aviso/localstack/tests/pfmtest"
)

func TestSubscriptions(t *testing.T) {
	s := newService(t)
	empty := s.ok("/insights/subscriptions")
	assert.Equal(t, []any{}, empty.Member("data", "subscriptions"), "never null")

	fill(s)
	for _, day := range []pfm.Date{"2025-12-03", "2026-01-05", "2026-02-03"} {
		s.bank.Rows["r1"] = append(s.bank.Rows["r1"], pfm.BankTransaction{
			ID: string(day), Booked: true, BookingDate: day, Amount: money.MustParse("-12.99"),
			Currency: "EUR", CreditorName: "Flimmerkiste", MandateID: "M-1",
		})
	}
	s.active()
	a := s.ok("/insights/subscriptions")
	assert.Equal(t, 3, s.calls())
	list := a.List("data", "subscriptions")
	require.Len(t, list, 1)
	shape(t, list[0], map[string]string{
		"merchant": "object", "category": "object", "amount": "number", "currencyCode": "string",
		"recurrenceFrequency": "string", "firstDate": "string", "lastDate": "string", "nextExpectedDate": "string",
		"subscriptionId": "string", "yearlyCost": "number", "transactionIds": "array", "cancellable": "null",
		"contractStart": "object",
	})
	merchant, _ := list[0]["merchant"].(map[string]any)
	assert.Equal(t, "Flimmerkiste", merchant["name"])
	assert.Equal(t, json.Number("-12.99"), list[0]["amount"])
	assert.Equal(t, json.Number("155.88"), list[0]["yearlyCost"])
	assert.Equal(t, "Monthly", list[0]["recurrenceFrequency"])
	assert.Equal(t, "2025-12-03", list[0]["firstDate"])
	assert.Equal(t, "2026-02-03", list[0]["lastDate"])
	assert.Equal(t, "2026-03-03", list[0]["nextExpectedDate"])
	ids, _ := list[0]["transactionIds"].([]any)
	require.Len(t, ids, 3)
	for _, id := range ids {
		row, _ := s.call(http.MethodGet, "/transactions/"+id.(string), "").Member("data", "transaction").(map[string]any)
		assert.Equal(t, "Monthly", row["recurrenceFrequency"])
		assert.Equal(t, true, row["subscription"])
		assert.Equal(t, merchant, row["merchant"], "the ID is that of its payments, also of a counterparty")
	}
}

const yearlyProduct = "1c0c6a52-0c5e-4d0e-9f0a-2f7b5d1e3c22"

// yearlyDeadline is the deadline of a product.
func yearlyDeadline() pfmtest.Deadlines {
	return pfmtest.Deadlines{yearlyProduct: {
		EarliestEnd: "2026-11-14", EarliestFreeEnd: "2026-11-14", NextChance: "2027-11-14",
		Form: &pfm.ContractForm{Requirement: "Registered", Reason: "Because."}, Missing: []string{},
		SendBy: []pfm.ContractSendBy{{Channel: "Email", Date: "2026-10-13"}},
	}}
}

func TestWhatUsersSayAboutContracts(t *testing.T) {
	s := newService(t)
	fill(s)
	for _, day := range []pfm.Date{"2025-12-03", "2026-01-05", "2026-02-03"} {
		s.bank.Rows["r1"] = append(s.bank.Rows["r1"], pfm.BankTransaction{
			ID: string(day), Booked: true, BookingDate: day, Amount: money.MustParse("-12.99"), Currency: "EUR",
			CreditorName: "Flimmerkiste", MandateID: "M-1",
		})
	}
	s.active()
	list := s.call(http.MethodGet, "/insights/subscriptions", "").List("data", "subscriptions")
	require.Len(t, list, 1)
	id, _ := list[0]["subscriptionId"].(string)
	path := "/insights/subscriptions/" + id
	const organization = "9d3f1c6e-6a0e-4f7b-8a1c-4b1c8f0e2a11"

	t.Run("replaces what the payments show, until it is taken back", func(t *testing.T) {
		assert.Equal(t, map[string]any{"date": "2025-12-03", "source": "FirstPayment"}, list[0]["contractStart"])
		a := s.call(http.MethodPatch, path,
			`{"contractStart":"2024-11-15","organizationId":"`+organization+`","productId":"`+yearlyProduct+`"}`)
		require.Equal(t, http.StatusOK, a.StatusCode, a.Body)
		listed := s.call(http.MethodGet, "/insights/subscriptions", "").List("data", "subscriptions")[0]
		assert.Equal(t, a.Member("data", "subscription"), any(listed))
		assert.Equal(t, map[string]any{"date": "2024-11-15", "source": "User"}, listed["contractStart"])
		assert.Equal(t, map[string]any{"organizationId": organization, "productId": yearlyProduct}, listed["cancellable"])
		assert.Equal(t, map[string]any{
			"earliestEnd": "2026-11-14", "earliestFreeEnd": "2026-11-14", "costs": false,
			"form": map[string]any{"requirement": "Registered", "reason": "Because."}, "nextChance": "2027-11-14", "missing": []any{},
			"sendBy": []any{map[string]any{"channel": "Email", "date": "2026-10-13"}},
		}, listed["deadline"])

		a = s.call(http.MethodPatch, path, `{"contractStart":null}`)
		require.Equal(t, http.StatusOK, a.StatusCode, a.Body)
		assert.Equal(t, "FirstPayment", a.Member("data", "subscription", "contractStart", "source"))
		assert.NotNil(t, a.Member("data", "subscription", "deadline"), "the product stays")
		a = s.call(http.MethodPatch, path, `{"productId":null}`)
		require.Equal(t, http.StatusOK, a.StatusCode, a.Body)
		after := s.call(http.MethodGet, "/insights/subscriptions", "").List("data", "subscriptions")[0]
		assert.Equal(t, list[0], after)
	})

	for name, c := range map[string]struct {
		body, pointer string
		status        int
	}{
		"in the future":                    {`{"contractStart":"2030-01-01"}`, "/contractStart", http.StatusUnprocessableEntity},
		"before 1900":                      {`{"contractStart":"1899-12-31"}`, "/contractStart", http.StatusUnprocessableEntity},
		"on a day that does not exist":     {`{"contractStart":"2025-02-29"}`, "/contractStart", http.StatusUnprocessableEntity},
		"for a product without its owner":  {`{"productId":"` + yearlyProduct + `"}`, "/organizationId", http.StatusUnprocessableEntity},
		"for a product that is not listed": {`{"organizationId":"` + organization + `","productId":"` + id + `"}`, "/productId", http.StatusUnprocessableEntity},
	} {
		t.Run("is refused "+name, func(t *testing.T) {
			a := s.call(http.MethodPatch, path, c.body)
			require.Equal(t, c.status, a.StatusCode, a.Body)
			assert.Contains(t, a.Body, c.pointer)
		})
	}

	t.Run("needs a contract of the user", func(t *testing.T) {
		a := s.call(http.MethodPatch, "/insights/subscriptions/"+yearlyProduct, `{"contractStart":"2024-11-15"}`)
		assert.Equal(t, http.StatusNotFound, a.StatusCode)
		a = s.call(http.MethodPatch, "/insights/subscriptions/none", `{}`)
		assert.Equal(t, http.StatusUnprocessableEntity, a.StatusCode)
	})
}

func TestSavings(t *testing.T) {
	s := newService(t)
	empty := s.ok("/insights/savings")
	assert.Equal(t, []any{}, empty.Member("data", "savings"), "never null")

	watch := func(id, of int, outcome contract.WatchOutcome) {
		require.NoError(t, s.store.SaveWatch(t.Context(), contract.Watch{
			CancellationID: pfmtest.ID(id), Owner: pfmtest.User(), End: "2025-12-31", Outcome: outcome,
			Contract: contract.WatchedContract{
				SubscriptionID: pfmtest.ID(of), Merchant: pfm.Merchant{Name: "Flimmerkiste"}, Frequency: "Monthly",
				Amount: money.MustParse("-12.99"), YearlyCost: money.MustParse("155.88"), Currency: "EUR", TimesPerYear: 12,
			},
			Last: contract.Debit{TransactionID: pfmtest.ID(3), Date: "2025-12-03", Amount: money.MustParse("-12.99"), Currency: "EUR"},
		}, nil))
	}
	watch(1, 11, contract.WatchEnded)
	watch(2, 11, contract.WatchEnded) // of the same contract
	watch(4, 12, contract.WatchStillDebited)
	a := s.ok("/insights/savings")
	list := a.List("data", "savings")
	require.Len(t, list, 1)
	assert.Equal(t, "EUR", list[0]["currencyCode"])
	assert.Equal(t, json.Number("155.88"), list[0]["yearlySaving"])
	assert.Equal(t, json.Number("25.98"), list[0]["savedSoFar"], "January and February")
	contracts, _ := list[0]["contracts"].([]any)
	require.Len(t, contracts, 1)
	one, _ := contracts[0].(map[string]any)
	assert.Equal(t, pfmtest.ID(1), one["cancellationId"])
	assert.Equal(t, "2025-12-31", one["endDate"])
	assert.Equal(t, map[string]any{
		"transactionId": pfmtest.ID(3), "date": "2025-12-03", "amount": json.Number("-12.99"),
	}, one["lastDebit"])
}

func TestPriceChanges(t *testing.T) {
	s := newService(t)
	empty := s.ok("/insights/price-changes")
	assert.Equal(t, []any{}, empty.Member("data", "priceChanges"), "never null")

	fill(s)
	for i, price := range []string{"-39.95", "-39.95", "-39.95", "-39.95", "-41.95", "-41.95"} {
		day := pfm.DateOf(time.Date(2025, time.September+time.Month(i), 12, 0, 0, 0, 0, time.UTC))
		s.bank.Rows["r1"] = append(s.bank.Rows["r1"], pfm.BankTransaction{
			ID: string(day), Booked: true, BookingDate: day, Amount: money.MustParse(price), Currency: "EUR",
			CreditorName: "Fibrano", MandateID: "M-1",
		})
	}
	s.active()
	contract := s.call(http.MethodGet, "/insights/subscriptions", "").List("data", "subscriptions")[0]
	a := s.ok("/insights/price-changes?locale=de-DE")
	assert.LessOrEqual(t, s.calls(), 3, "two, and the user")
	list := a.List("data", "priceChanges")
	require.Len(t, list, 1)
	ids, _ := contract["transactionIds"].([]any)
	require.Len(t, ids, 6)
	assert.Equal(t, map[string]any{
		"subscriptionId": contract["subscriptionId"], "merchant": contract["merchant"],
		"recurrenceFrequency": "Monthly", "currencyCode": "EUR", "oldAmount": json.Number("-39.95"),
		"newAmount": json.Number("-41.95"), "since": "2026-01-12", "transactionId": ids[4], "percent": json.Number("5.01"),
		"yearlyDifference": json.Number("24.00"),
		"specialRight": map[string]any{
			"answer": "Unknown", "source": "", "missing": []any{"product"},
			"text": "Ob das Gesetz ein Recht zur vorzeitigen Kündigung dieses Vertrags gibt, ist nicht bekannt. " +
				"Der Vertrag kann eines geben.",
		},
	}, list[0])

	t.Run("of one contract", func(t *testing.T) {
		id, _ := contract["subscriptionId"].(string)
		a := s.ok("/insights/price-changes?subscriptionId=" + id + "&noticeDate=2025-12-01")
		assert.Len(t, a.List("data", "priceChanges"), 1)
		a = s.call(http.MethodGet, "/insights/price-changes?subscriptionId="+yearlyProduct, "")
		require.Equal(t, http.StatusOK, a.StatusCode, a.Body)
		assert.Empty(t, a.List("data", "priceChanges"))
	})

	for query, parameter := range map[string]string{
		"noticeDate=2025-12-01": "subscriptionId", "noticeDate=2025-02-30&subscriptionId=" + yearlyProduct: "noticeDate",
		"noticeDate=9999-12-31&subscriptionId=" + yearlyProduct: "noticeDate",
		"subscriptionId=none": "subscriptionId", "locale=german": "locale",
	} {
		t.Run("refuses "+query, func(t *testing.T) {
			a := s.call(http.MethodGet, "/insights/price-changes?"+query, "")
			require.Equal(t, http.StatusUnprocessableEntity, a.StatusCode, a.Body)
			assert.Contains(t, a.Body, parameter)
		})
	}
}
