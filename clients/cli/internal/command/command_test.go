package command

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// api is a service that answers each operation with a text, and records what was sent.
type api struct {
	answers map[string]string // by method and path
	status  map[string]int
	sent    map[string]string
	headers map[string]http.Header
}

func (s *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	call := r.Method + " " + r.URL.Path
	if call == "POST /oauth2/token" {
		if _, secret, _ := r.BasicAuth(); secret != "right" {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, `{"error":"invalid_client","error_description":"Wrong credentials"}`)
			return
		}
		_, _ = io.WriteString(w, `{"access_token":"token","expires_in":300}`)
		return
	}
	if token := r.URL.Query().Get("nextToken"); token != "" {
		call += " " + token
	}
	body, _ := io.ReadAll(r.Body)
	s.sent[call], s.headers[call] = string(body), r.Header
	answer, found := s.answers[call]
	switch {
	case s.status[call] != 0:
		w.WriteHeader(s.status[call])
	case !found:
		w.WriteHeader(http.StatusNotFound)
		answer = `{"title":"Not found","status":404,"code":"not_found","traceId":"trace-1"}`
	}
	_, _ = io.WriteString(w, answer)
}

// terminal is a system without a login, whose environment has credentials for the service.
type terminal struct {
	System
	*api
	out, err bytes.Buffer
	browsed  []string
	env      map[string]string
}

func newTerminal(t *testing.T, answers map[string]string) *terminal {
	t.Helper()
	s := &api{answers: answers, status: map[string]int{}, sent: map[string]string{}, headers: map[string]http.Header{}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	term := &terminal{api: s, env: map[string]string{
		"AVISO_BASE_URL": server.URL, "AVISO_CLIENT_ID": "id", "AVISO_CLIENT_SECRET": "right", "AVISO_USER_ID": "user-1",
	}}
	term.System = System{
		In: strings.NewReader(""), Out: &term.out, Err: &term.err, ConfigFile: filepath.Join(t.TempDir(), "aviso", "config.json"),
		Getenv: func(name string) string { return term.env[name] },
		Browse: func(_ context.Context, address string) error {
			term.browsed = append(term.browsed, address)
			return nil
		},
	}
	return term
}

// run runs a command and returns its exit code and what it has printed since the last one.
func (term *terminal) run(t *testing.T, args ...string) (code int, out, err string) {
	t.Helper()
	term.out.Reset()
	term.err.Reset()
	code = Run(t.Context(), term.System, args)
	return code, term.out.String(), term.err.String()
}

const termsList = `{"data":{"terms":[{"termsType":"Operator","version":"1","url":"https://x"}]}}`

func TestLogin(t *testing.T) {
	t.Parallel()
	t.Run("keeps credentials that work, for the owner only", func(t *testing.T) {
		t.Parallel()
		term := newTerminal(t, map[string]string{"GET /identity/v1/terms": termsList})
		address := term.env["AVISO_BASE_URL"]
		term.env = nil
		require.NoError(t, os.MkdirAll(filepath.Dir(term.ConfigFile), 0o700))
		require.NoError(t, os.WriteFile(term.ConfigFile, nil, 0o644))
		term.In = strings.NewReader(address + "\nid\nright\n")
		code, out, said := term.run(t, "login")
		assert.Equal(t, 0, code, said)
		assert.NotContains(t, out+said, "right")
		info, err := os.Stat(term.ConfigFile)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
		code, out, _ = term.run(t, "terms", "list")
		assert.Equal(t, 0, code)
		assert.Contains(t, out, "Operator")
	})
	t.Run("works for a partner without the scope for terms", func(t *testing.T) {
		t.Parallel()
		term := newTerminal(t, map[string]string{"GET /identity/v1/terms": `{"code":"insufficient_scope"}`})
		term.status["GET /identity/v1/terms"] = http.StatusForbidden
		term.In = strings.NewReader("right\n")
		code, _, said := term.run(t, "login", "--base-url", term.env["AVISO_BASE_URL"], "--client-id", "id")
		assert.Equal(t, 0, code, said)
	})
	t.Run("keeps nothing that does not work", func(t *testing.T) {
		t.Parallel()
		term := newTerminal(t, nil)
		term.In = strings.NewReader("wrong\n")
		code, _, said := term.run(t, "login", "--base-url", term.env["AVISO_BASE_URL"], "--client-id", "id")
		assert.Equal(t, notAllowed, code)
		assert.Contains(t, said, "Wrong credentials (401 invalid_client)")
		assert.NoFileExists(t, term.ConfigFile)
	})
	t.Run("sends no secret in the open", func(t *testing.T) {
		t.Parallel()
		term := newTerminal(t, nil)
		term.In = strings.NewReader("right\n")
		code, _, said := term.run(t, "login", "--base-url", "http://api.example", "--client-id", "id")
		assert.Equal(t, wrongUse, code)
		assert.Contains(t, said, "https://")
		term.env["AVISO_BASE_URL"] = "http://api.example"
		code, _, _ = term.run(t, "terms", "list")
		assert.Equal(t, wrongUse, code)
	})
	t.Run("never mixes with the environment", func(t *testing.T) {
		t.Parallel()
		term := newTerminal(t, map[string]string{"GET /identity/v1/terms": termsList})
		term.In = strings.NewReader("right\n")
		code, _, _ := term.run(t, "login", "--base-url", term.env["AVISO_BASE_URL"], "--client-id", "id")
		require.Equal(t, 0, code)
		delete(term.env, "AVISO_CLIENT_SECRET")
		code, _, said := term.run(t, "terms", "list")
		assert.Equal(t, notAllowed, code)
		assert.Contains(t, said, "set all of")
	})
}

func TestErrors(t *testing.T) {
	t.Parallel()
	term := newTerminal(t, map[string]string{"POST /identity/v1/users": `{"title":"The request is not valid","status":422,
		"code":"validation_failed","detail":"1 part is wrong.","errors":[{"pointer":"/countryCode","code":"invalid","detail":"expected\u001b[2J"}],
		"traceId":"trace-1"}`})
	term.status["POST /identity/v1/users"] = http.StatusUnprocessableEntity
	t.Run("show the whole problem", func(t *testing.T) {
		code, out, said := term.run(t, "users", "create")
		assert.Equal(t, refused, code)
		assert.Empty(t, out)
		assert.Equal(t, "The request is not valid (422 validation_failed)\n  1 part is wrong.\n"+
			"  /countryCode  invalid  expected\uFFFD[2J\n  traceId trace-1\n", said)
	})
	t.Run("are JSON if that was asked for", func(t *testing.T) {
		code, _, said := term.run(t, "users", "create", "--json")
		assert.Equal(t, refused, code)
		var problem struct{ Code, TraceID string }
		require.NoError(t, json.Unmarshal([]byte(said), &problem))
		assert.Equal(t, "validation_failed", problem.Code)
		assert.Equal(t, "trace-1", problem.TraceID)
	})
	t.Run("that the service is to blame for ask to try again", func(t *testing.T) {
		term.status["GET /identity/v1/users/u"] = http.StatusInternalServerError
		code, _, _ := term.run(t, "users", "get", "u")
		assert.Equal(t, tryAgain, code)
	})
	for name, args := range map[string][]string{
		"an unknown command":            {"fly"},
		"an unknown command of a group": {"users", "fly"},
		"an unknown flag":               {"accounts", "--fly"},
		"a missing argument":            {"users", "get"},
		"no confirmation":               {"users", "delete", "u"},
		"two formats":                   {"transactions", "--csv", "--json"},
		"nothing to cancel":             {"cancel"},
		"data that is not JSON":         {"webhooks", "trigger", "webhook.ping", "--data", "hello"},
	} {
		t.Run("of use: "+name, func(t *testing.T) {
			code, _, said := term.run(t, args...)
			assert.Equal(t, wrongUse, code)
			assert.NotEmpty(t, said)
		})
	}
	for want, args := range map[string][]string{
		"name the provider: aviso connect PROVIDER_ID; `aviso providers search` lists them": {"connect"},
		"name the event: aviso webhooks trigger EVENT; `aviso webhooks events` lists them":  {"webhooks", "trigger"},
		`unexpected argument "b"; see aviso users get --help`:                               {"users", "get", "a", "b"},
		`unexpected argument "me"; see aviso accounts --help`:                               {"accounts", "me"},
		`there is no command "trnsactions" in aviso; did you mean transactions?`:            {"trnsactions"},
		`there is no command "lst" in aviso terms; did you mean list?`:                      {"terms", "lst"},
		`there is no command "completely-different" in aviso`:                               {"completely-different"},
	} {
		t.Run("of use say what is meant: "+want, func(t *testing.T) {
			code, _, said := term.run(t, args...)
			assert.Equal(t, wrongUse, code)
			assert.Equal(t, "aviso: "+want+"\n", said)
		})
	}
	t.Run("name the command that does it here", func(t *testing.T) {
		term.answers["GET /openbanking/v1/accounts"] = `{"title":"No terms","status":403,"code":"terms_not_accepted","detail":"x",
			"errors":[{"code":"Operator","termsType":"Operator","version":"1","detail":"Version 1 of the Operator terms: https://x"}]}`
		term.status["GET /openbanking/v1/accounts"] = http.StatusForbidden
		_, _, said := term.run(t, "accounts")
		assert.Equal(t, "No terms (403 terms_not_accepted)\n  x\n  Version 1 of the Operator terms: https://x\n"+
			"  That is here: aviso terms accept\n", said)
	})
	t.Run("of use: a number without an equal sign, says how to write it", func(t *testing.T) {
		_, _, said := term.run(t, "webhooks", "listen", "--fail", "2")
		assert.Contains(t, said, "--fail=2")
	})
	t.Run("without a local stack say how to start it", func(t *testing.T) {
		gone := httptest.NewServer(http.NotFoundHandler())
		gone.Close()
		other := newTerminal(t, nil)
		other.env["AVISO_BASE_URL"] = gone.URL
		code, _, said := other.run(t, "webhooks", "listen", "--port=0")
		assert.Equal(t, tryAgain, code)
		assert.Contains(t, said, "make run")
	})
	t.Run("of use: no user", func(t *testing.T) {
		delete(term.env, "AVISO_USER_ID")
		code, _, said := term.run(t, "accounts")
		assert.Equal(t, wrongUse, code)
		assert.Contains(t, said, "--user")
	})
	t.Run("without a login say so", func(t *testing.T) {
		term.env = nil
		code, _, said := term.run(t, "users", "get", "u")
		assert.Equal(t, notAllowed, code)
		assert.Contains(t, said, "aviso login")
	})
}

func TestTransactionsAsCSV(t *testing.T) {
	t.Parallel()
	row := func(id, amount, note string) string {
		return `{"id":"` + id + `","recordDate":"2026-03-01T00:00:00Z","amount":` + amount + `,"currencyCode":"EUR","note":` + note + `}`
	}
	term := newTerminal(t, map[string]string{
		"GET /openbanking/v1/transactions": `{"data":{"transactions":[` + row("1", "1234567.89", `"a \"b\", c"`) +
			`]},"meta":{"pagination":{"nextToken":"p2"}}}`,
		"GET /openbanking/v1/transactions p2": `{"data":{"transactions":[` + row("2", "-0.1", `"two\nlines"`) + `]}}`,
	})
	code, out, said := term.run(t, "transactions", "--csv")
	require.Equal(t, 0, code, said)
	assert.Equal(t, "user-1", term.headers["GET /openbanking/v1/transactions"].Get("X-User-Id"))
	assert.Contains(t, out, `,"a ""b"", c"`+"\r\n")
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 3)
	assert.Equal(t, []string{"2", "2026-03-01", "-0.10", "EUR"}, rows[2][:4])
	assert.Equal(t, "1234567.89", rows[1][2])

	code, out, _ = term.run(t, "transactions", "--json")
	assert.Equal(t, 0, code)
	assert.Contains(t, out, `"amount": 1234567.89`)
	code, out, _ = term.run(t, "transactions")
	assert.Equal(t, 0, code)
	assert.Contains(t, out, "two lines")
}

func TestListsAreLimitedAndSaySo(t *testing.T) {
	t.Parallel()
	one := `{"cancellationId":"c","status":"Delivered","channel":"Fax","externalCancellationRequestIdentifier":"order-1"}`
	term := newTerminal(t, map[string]string{
		"GET /cancellations/v1/cancellations":    `{"data":{"cancellations":[` + one + `,` + one + `]},"meta":{"pagination":{"nextToken":"p2"}}}`,
		"GET /cancellations/v1/cancellations p2": `{"data":{"cancellations":[` + one + `]}}`,
	})
	for limit, want := range map[string]struct {
		rows int
		more bool
	}{"1": {1, true}, "2": {2, true}, "3": {3, false}, "0": {3, false}} {
		code, out, said := term.run(t, "cancellations", "list", "--limit", limit)
		require.Equal(t, 0, code, said)
		assert.Equal(t, want.rows, strings.Count(out, "order-1"), limit)
		assert.Equal(t, want.more, strings.Contains(said, "There are more: --limit 0 prints all."), limit)
	}
}

func TestEmptyListsAreLists(t *testing.T) {
	t.Parallel()
	term := newTerminal(t, map[string]string{"GET /openbanking/v1/transactions": `{"data":{"transactions":[]}}`})
	_, out, _ := term.run(t, "transactions", "--json")
	assert.JSONEq(t, `[]`, out)
	_, out, said := term.run(t, "transactions")
	assert.Empty(t, out)
	assert.Equal(t, "No transactions.\n", said)
}

func TestCategoriesAndInsights(t *testing.T) {
	t.Parallel()
	term := newTerminal(t, map[string]string{
		"GET /openbanking/v1/categories": `{"data":{"categories":[{"categoryId":7,"categoryName":"HOUSING",
			"subcategories":[{"subcategoryId":70,"subcategoryName":"HOUSING__Rent"}]}]}}`,
		"GET /openbanking/v1/insights/categories": `{"data":{"insights":[{"category":{"id":7,"name":"HOUSING"},"amount":-900,
			"currencyCode":"EUR","numberOfTransactions":1,"periodStart":"2026-01-01"}]}}`,
		"GET /openbanking/v1/insights/savings": `{"data":{"savings":[{"currencyCode":"EUR","yearlySaving":120,"savedSoFar":20,
			"contracts":[{"cancellationId":"c","merchant":{"id":"m","name":"Vidorama"},"endDate":"2026-03-31",
			"yearlySaving":120,"savedSoFar":20}]}]}}`,
		"GET /openbanking/v1/insights/price-changes": `{"data":{"priceChanges":[{"merchant":{"id":"m","name":"Fibrano"},
			"since":"2026-01-12","oldAmount":-39.95,"newAmount":-41.95,"currencyCode":"EUR","percent":5.01,
			"specialRight":{"answer":"Yes","missing":["noticeDate"]}}]}}`,
	})
	_, out, said := term.run(t, "categories")
	assert.Contains(t, out, "70           HOUSING__Rent", said)
	_, out, said = term.run(t, "insights")
	assert.Contains(t, out, "2026-01-01  HOUSING   -900.00  EUR       1", said)
	_, out, said = term.run(t, "insights", "savings")
	assert.Contains(t, out, "Vidorama  2026-03-31  120.00  20.00   EUR       c", said)
	_, out, said = term.run(t, "insights", "prices")
	assert.Contains(t, out, "Fibrano   2026-01-12  -39.95  -41.95  EUR       5.01     Yes", said)
}

func TestDefaultsAreSaid(t *testing.T) {
	t.Parallel()
	term := newTerminal(t, map[string]string{"POST /identity/v1/users": `{"data":{"user":{"userId":"u"}}}`})
	_, _, said := term.run(t, "users", "create")
	assert.Equal(t, "Country DE, language en: choose others with --country and --language.\n", said)
	_, _, said = term.run(t, "users", "create", "--country=AT", "--language=de")
	assert.Empty(t, said)
}

// Otherwise a letter would go to the company that the search happens to put first.
func TestCancelAsksWhichOrganization(t *testing.T) {
	t.Parallel()
	term := newTerminal(t, map[string]string{
		"GET /cancellations/v1/search": `{"data":{"products":[],
			"organizations":[{"id":"o","name":"Nordfunk"},{"id":"p","name":"Nordlicht"}]}}`,
		"GET /cancellations/v1/organizations/o/products": `{"data":{"products":[
			{"organizationId":"o","productId":"q","name":"Flex","locales":["de-DE"]}]}}`,
	})
	code, out, said := term.run(t, "cancel", "nord", "--field=CUSTOMER_NUMBER=1", "--signature=Anna")
	assert.Equal(t, 0, code, said)
	assert.Equal(t, "ORGANIZATION ID  NAME\no                Nordfunk\np                Nordlicht\n", out)
	assert.Contains(t, said, "--organization")
}

func TestCancelFindsAndCancels(t *testing.T) {
	t.Parallel()
	const product = `{"organizationId":"o","productId":"p","name":"Flex","locales":["de-DE"]}`
	term := newTerminal(t, map[string]string{
		"GET /cancellations/v1/search": `{"data":{"organizations":[],"products":[` + product + `,` +
			strings.Replace(product, `"p"`, `"q"`, 1) + `]}}`,
		"GET /cancellations/v1/organizations/o/products": `{"data":{"products":[` + product + `]}}`,
		"GET /cancellations/v1/organizations/o/products/p": `{"data":{"product":{"organizationId":"o","productId":"p","name":"Flex",
			"template":[{"fieldKey":"CUSTOMER_NUMBER","label":"Kundennummer"}]}}}`,
		"POST /cancellations/v1/cancellations": `{"data":{"cancellation":{"cancellationId":"c","status":"Created",
			"history":[{"status":"Created","at":"2026-03-01T00:00:00Z"}]},"letter":{"pdf":"JVBERg=="}}}`,
	})
	code, out, said := term.run(t, "cancel", "flex")
	assert.Equal(t, 0, code, said)
	assert.Contains(t, out, "Flex")
	assert.Contains(t, said, "--product")

	code, out, said = term.run(t, "cancel", "--organization=o", "--product=p")
	assert.Equal(t, 0, code, said)
	assert.Contains(t, out, "CUSTOMER_NUMBER  Kundennummer")

	letter := filepath.Join(t.TempDir(), "letter.pdf")
	filled := []string{"cancel", "--organization=o", "--product=p", "--field=CUSTOMER_NUMBER=1", "--signature=Anna"}
	code, _, said = term.run(t, append(filled, "--dry-run", "--output="+letter)...)
	require.Equal(t, 0, code, said)
	pdf, err := os.ReadFile(letter)
	require.NoError(t, err)
	assert.Equal(t, "%PDF", string(pdf))

	code, out, said = term.run(t, append(filled, "--no-follow", "--idempotency-key=mine")...)
	require.Equal(t, 0, code, said)
	assert.Contains(t, out, "c                Created")
	post := "POST /cancellations/v1/cancellations"
	assert.Equal(t, "mine", term.headers[post].Get("Idempotency-Key"))
	assert.JSONEq(t, `{"organizationId":"o","productId":"p","locale":"de-DE","signature":{"type":"TEXT","data":"Anna"},
		"parameters":[{"fieldKey":"CUSTOMER_NUMBER","fieldValue":"1"}]}`, term.sent[post])

	code, _, said = term.run(t, append(filled, "--no-follow", "--end-date=2026-12-31", "--repeat")...)
	require.Equal(t, 0, code, said)
	assert.JSONEq(t, `{"organizationId":"o","productId":"p","locale":"de-DE","signature":{"type":"TEXT","data":"Anna"},
		"parameters":[{"fieldKey":"CUSTOMER_NUMBER","fieldValue":"1"}],"endDate":"2026-12-31","repeat":true}`, term.sent[post])
}

func TestObject(t *testing.T) {
	t.Parallel()
	post := "POST /cancellations/v1/cancellations/c/objections"
	term := newTerminal(t, map[string]string{
		post: `{"data":{"objection":{"objectionId":"o","status":"Created","channel":"Email"},"letter":{"pdf":"JVBERg=="}}}`,
	})
	letter := filepath.Join(t.TempDir(), "letter.pdf")
	filled := []string{"object", "c", "--field=CUSTOMER_NUMBER=1", "--signature=Anna"}
	code, _, said := term.run(t, append(filled, "--dry-run", "--output="+letter)...)
	require.Equal(t, 0, code, said)
	pdf, err := os.ReadFile(letter)
	require.NoError(t, err)
	assert.Equal(t, "%PDF", string(pdf))

	code, out, said := term.run(t, append(filled, "--channel=Mail", "--idempotency-key=mine")...)
	require.Equal(t, 0, code, said)
	assert.Contains(t, out, "o             Created")
	assert.Equal(t, "mine", term.headers[post].Get("Idempotency-Key"))
	assert.JSONEq(t, `{"channel":"Mail","signature":{"type":"TEXT","data":"Anna"},
		"parameters":[{"fieldKey":"CUSTOMER_NUMBER","fieldValue":"1"}]}`, term.sent[post])
}

func TestConnectEndsWithAReason(t *testing.T) {
	t.Parallel()
	term := newTerminal(t, map[string]string{
		"POST /openbanking/v1/connections":  `{"data":{"connectionId":"c","redirectUrl":"https://bank.example/"}}`,
		"GET /openbanking/v1/connections/c": `{"data":{"connection":{"connectionId":"c","connectionStatus":"Failed","statusReason":"UserCancelled"}}}`,
	})
	code, _, said := term.run(t, "connect", "bank-1", "--return-url=http://localhost:0/")
	assert.Equal(t, failed, code)
	assert.Contains(t, said, "Failed UserCancelled")
	assert.Equal(t, []string{"https://bank.example/"}, term.browsed)
}

func TestDocs(t *testing.T) {
	t.Parallel()
	term := newTerminal(t, nil)
	_, out, _ := term.run(t, "docs", "errors")
	assert.Equal(t, term.env["AVISO_BASE_URL"]+"/docs/errors\n", out)
	assert.Len(t, term.browsed, 1)
	term.env = nil
	_, out, _ = term.run(t, "docs", "--json", "--no-browser")
	assert.JSONEq(t, `{"url":"https://aviso.example/docs/"}`, out)
	assert.Len(t, term.browsed, 1)
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	code, out, _ := newTerminal(t, nil).run(t, "completion", "bash")
	assert.Equal(t, 0, code)
	assert.Contains(t, out, "__start_aviso")
}
