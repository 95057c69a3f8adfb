package bankcheck_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankcheck"
	"aviso/internal/pfm/xs2a"
	"aviso/internal/secret/keyring"
)

// checked runs a check of a scenario's bank. The user approves whatever is asked.
func checked(t *testing.T, s Scenario) bankcheck.Report {
	t.Helper()
	sealer, err := keyring.Root{Current: strings.Repeat("k", 43)}.Sealer("bank")
	require.NoError(t, err)
	bank := NewBank(s, time.Now(), "EUR")
	checker := bankcheck.New(bankcheck.Options{
		Provider: providerOf(t, s), RedirectURL: returnURL, PSUIPAddress: "203.0.113.7",
		Client: xs2a.Options{NewRequestID: uuid.NewString, Now: time.Now, Transport: direct{bank}, Sealer: sealer},
	})
	state := checker.Run(t.Context(), bankcheck.State{}, pfm.UserAnswer{})
	for range 5 {
		if state.Done {
			break
		}
		answer := pfm.UserAnswer{PSUID: "anna"}
		if state.Next.Kind == pfm.StepRedirect {
			page := httptest.NewRecorder()
			bank.ServeHTTP(page, httptest.NewRequestWithContext(t.Context(), http.MethodGet, state.Next.URL, nil))
			back, err := url.Parse(page.Header().Get("Location"))
			require.NoError(t, err)
			answer = pfm.UserAnswer{Callback: back.Query()}
		}
		state = checker.Run(t.Context(), state, answer)
	}
	require.True(t, state.Done)
	return state.Report
}

// A check finds what of a bank is lost, and what needs a setting or a look.
func TestChecksOfQuirkyBanks(t *testing.T) {
	all := scenarios(t)
	for name, want := range map[string][]string{
		"pending-id-replaced-on-booking":              {},
		"card-signs-inverted":                         {"names-missing"},
		"pending-without-date":                        {"date-guessed"},
		"balance-of-type-information":                 {"balance-types"},
		"pending-not-offered":                         {},
		"consent-wants-psu-id":                        {},
		"consent-valid-a-moment-later":                {},
		"row-that-is-no-object":                       {"row-unreadable"},
		"long-history-refused-403-consent_invalid-90": {"history-short"},
		"long-history-refused-400-90":                 {"history-short"},
		"balances-refused":                            {"account-unreadable", "balance-missing"},
		"rows-of-one-account-refused":                 {"rows-refused"},
		"booked-without-date":                         {"date-guessed"},
		"pending-income-stays-income":                 {"pending-signs-unclear"},
		"pending-without-minus-by-profile":            {"names-missing"},
		"no-content-for-no-rows":                      {},
		"reconnect-new-ids-no-text":                   {"text-missing"},
		"second-page-refused":                         {"pages-refused"},
		"one-account-rate-limited":                    {"rows-refused"},
		"accounts-listed-without-access":              {"account-unreadable", "balance-missing", "rows-refused"},
	} {
		t.Run(name, func(t *testing.T) {
			i := slices.IndexFunc(all, func(s Scenario) bool { return s.Name == name })
			require.GreaterOrEqual(t, i, 0)
			report := checked(t, all[i])
			want = append(want, "consent-shorter") // the banks of scenarios grant 90 days
			assert.ElementsMatch(t, want, codes(report), report.String())
			assert.NotEqual(t, bankcheck.CannotConnect, report.Verdict())
		})
	}
}

// personal are members whose values must not be in a report.
var personal = []string{
	"iban", "bban", "maskedPan", "name", "ownerName", "creditorName", "debtorName", "ultimateCreditor", "amount",
	"remittanceInformationUnstructured", "additionalInformation", "transactionId", "entryReference",
}

// Whatever a bank sends, no report has what is only the user's business.
func TestReportsHaveNoPersonalData(t *testing.T) {
	for _, s := range scenarios(t) {
		if s.Aggregator { // checks are for banks that we read ourselves
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			report := checked(t, s)
			if !s.Fetches[0].Fails && s.BankDoes.Once == nil { // a check asks once
				assert.NotEqual(t, bankcheck.CannotConnect, report.Verdict(), report.String())
			}
			sent, err := json.Marshal(s.Fetches[0])
			require.NoError(t, err)
			var fetch any
			require.NoError(t, json.Unmarshal(sent, &fetch))
			for _, value := range valuesOf(fetch, "") {
				assert.NotContains(t, report.String(), value)
			}
		})
	}
}

// valuesOf returns the personal texts in JSON that are long enough to tell something.
func valuesOf(value any, name string) (all []string) {
	switch v := value.(type) {
	case map[string]any:
		for member, inner := range v {
			all = append(all, valuesOf(inner, member)...)
		}
	case []any:
		for _, inner := range v {
			all = append(all, valuesOf(inner, name)...)
		}
	case string:
		isOurs := v == string(pfm.AccountCreditCard) // a type of ours, and one account's name
		if len(v) >= 5 && !isOurs && slices.Contains(personal, name) {
			all = append(all, v)
		}
	}
	return all
}
