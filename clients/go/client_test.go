package aviso

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// fakeService answers requests in turn, the last answer again and again, and records them.
type fakeService struct {
	*httptest.Server
	tokens   atomic.Int32
	lifetime int

	mu       sync.Mutex
	requests []*http.Request
	bodies   []string
}

func serve(t *testing.T, answers ...http.HandlerFunc) (*fakeService, *Client) {
	t.Helper()
	f := &fakeService{lifetime: 3600}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/oauth2/token" {
			fmt.Fprintf(w, `{"access_token":"token-%d","token_type":"Bearer","expires_in":%d}`, f.tokens.Add(1), f.lifetime)
			return
		}
		body, _ := io.ReadAll(r.Body)
		f.mu.Lock()
		answer := answers[min(len(f.requests), len(answers)-1)]
		f.requests = append(f.requests, r)
		f.bodies = append(f.bodies, string(body))
		f.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(f.Close)
	client, err := New(Config{ClientID: "id", ClientSecret: "secret", BaseURL: f.URL + "/", UserAgent: "shop/2"})
	if err != nil {
		t.Fatal(err)
	}
	return f, client
}

func (f *fakeService) received() []*http.Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.requests
}

func (f *fakeService) body(i int) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.bodies[i]
}

func answer(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func hangUp(w http.ResponseWriter, _ *http.Request) {
	conn, _, _ := w.(http.Hijacker).Hijack()
	_ = conn.Close()
}

const user = `{"data":{"user":{"userId":"u1","countryCode":"DE","new":[1]}},"meta":{"pagination":{}}}`

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func TestNewNeedsCredentials(t *testing.T) {
	t.Setenv("AVISO_CLIENT_ID", "id")
	t.Setenv("AVISO_CLIENT_SECRET", "")
	t.Setenv("AVISO_BASE_URL", "http://127.0.0.1:1")
	if _, err := New(Config{}); err == nil || !strings.Contains(err.Error(), "AVISO_CLIENT_SECRET") {
		t.Errorf("got %v", err)
	}
	if _, err := New(Config{ClientSecret: "secret"}); err != nil {
		t.Error(err)
	}
	for _, address := range []string{"localhost:3000", "ftp://localhost", "//localhost"} {
		_, err := New(Config{ClientSecret: "secret", BaseURL: address})
		if err == nil || !strings.Contains(err.Error(), "must begin with http:// or https://") {
			t.Errorf("%s: got %v", address, err)
		}
	}
}

func TestAViewNamesItsUserInThePath(t *testing.T) {
	service, client := serve(t, answer(200, `{"data":{"acceptance":{},"clock":{}}}`))
	user := client.User("u1")
	_, _ = user.Terms.Accept(t.Context(), AcceptTermsRequest{TermsType: "Operator", Version: "1"})
	_, _ = user.Sandbox.GetClock(t.Context())
	equal(t, "ID", user.ID, "u1")
	equal(t, "terms", service.received()[0].URL.Path, "/identity/v1/users/u1/terms-acceptances")
	equal(t, "clock", service.received()[1].URL.Path, "/sandbox/v1/users/u1/clock")
	if _, err := client.User("").Sandbox.GetClock(t.Context()); err == nil {
		t.Error("no user was accepted")
	}
}

func TestARequestSaysWhoAsksAndForWhom(t *testing.T) {
	link := `{"data":{"connectionId":"c1","redirectUrl":"http://bank","expiresAt":"2026-03-02T09:30:00Z"},"meta":{"pagination":{}}}`
	service, client := serve(t, answer(201, link))
	got, err := client.User("u1").Connections.Create(t.Context(), CreateConnectionRequest{ProviderID: "p1", ReturnURL: "http://me"},
		WithRequestID("r1"))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "connection", got.ConnectionID, "c1")
	r := service.received()[0]
	equal(t, "request", r.Method+" "+r.URL.String(), "POST /openbanking/v1/connections")
	equal(t, "token", r.Header.Get("Authorization"), "Bearer token-1")
	equal(t, "user", r.Header.Get("X-User-Id"), "u1")
	equal(t, "request ID", r.Header.Get("X-Request-Id"), "r1")
	equal(t, "user agent", r.Header.Get("User-Agent"), "shop/2 aviso-go/"+Version)
	equal(t, "body", service.body(0), `{"providerId":"p1","returnUrl":"http://me"}`)
	if len(r.Header.Get("Idempotency-Key")) < 20 {
		t.Errorf("no idempotency key: %v", r.Header)
	}
}

func TestParametersAreInTheQueryOrInHeaders(t *testing.T) {
	service, client := serve(t, answer(200, `{"data":{"connection":{}},"meta":{"pagination":{}}}`))
	_, _ = client.User("u1").Connections.Refresh(t.Context(), "a/b ?", &RefreshConnectionParams{XPsuIPAddress: "192.0.2.1"})
	_, _ = client.User("u1").Transactions.ListPage(t.Context(), &ListTransactionsParams{Text: "a&b", AmountTo: "-100", Limit: 2})
	_, _ = client.User("u1").Transactions.ListPage(t.Context(), nil)
	equal(t, "path", service.received()[0].URL.EscapedPath(), "/openbanking/v1/connections/a%2Fb%20%3F/refresh")
	equal(t, "header", service.received()[0].Header.Get("X-Psu-Ip-Address"), "192.0.2.1")
	equal(t, "query", service.received()[1].URL.RawQuery, "amountTo=-100&limit=2&text=a%26b")
	equal(t, "no query", service.received()[2].URL.RawQuery, "")
	for _, id := range []string{"", ".", ".."} {
		if _, err := client.Users.Get(t.Context(), id); err == nil {
			t.Errorf("the ID %q was accepted", id)
		}
	}
	equal(t, "requests", len(service.received()), 3)
}

func TestOneTokenServesManyRequests(t *testing.T) {
	service, client := serve(t, answer(200, user))
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if _, err := client.Users.Get(t.Context(), "u1"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	equal(t, "tokens", service.tokens.Load(), 1)
}

func TestATokenIsRenewed(t *testing.T) {
	t.Run("before it expires", func(t *testing.T) {
		service, client := serve(t, answer(200, user))
		service.lifetime = 0
		for range 2 {
			_, _ = client.Users.Get(t.Context(), "u1")
		}
		equal(t, "tokens", service.tokens.Load(), 2)
	})
	t.Run("once when it is refused", func(t *testing.T) {
		service, client := serve(t, answer(401, `{"code":"unauthorized"}`), answer(200, user))
		if _, err := client.Users.Get(t.Context(), "u1"); err != nil {
			t.Error(err)
		}
		equal(t, "token", service.received()[1].Header.Get("Authorization"), "Bearer token-2")
	})
	t.Run("but not for ever", func(t *testing.T) {
		service, client := serve(t, answer(401, `{"code":"unauthorized"}`))
		_, err := client.Users.Get(t.Context(), "u1")
		equal(t, "error", errors.Is(err, ErrAuthentication), true)
		equal(t, "requests", len(service.received()), 2)
	})
}

func TestWrongCredentials(t *testing.T) {
	server := httptest.NewServer(answer(401, `{"error":"invalid_client","error_description":"Wrong."}`))
	defer server.Close()
	client, _ := New(Config{ClientID: "id", ClientSecret: "secret", BaseURL: server.URL})
	_, err := client.Users.Get(t.Context(), "u1")
	var failure *Error
	if !errors.As(err, &failure) || !errors.Is(err, ErrAuthentication) || failure.Code != "invalid_client" {
		t.Errorf("got %v", err)
	}
}

func TestPages(t *testing.T) {
	page := func(items, next string) http.HandlerFunc {
		return answer(200, `{"data":{"providers":[`+items+`]},"meta":{"pagination":{`+next+`}}}`)
	}
	pages := []http.HandlerFunc{
		page(`{"id":"1"},{"id":"2"}`, `"nextToken":"a"`), page(``, `"nextToken":"b"`), page(`{"id":"3"}`, ``),
	}
	params := &ListProvidersParams{CountryCode: "DE"}

	service, client := serve(t, pages...)
	all, err := Collect(client.Providers.List(t.Context(), params))
	if err != nil || len(all) != 3 || all[2].ID != "3" {
		t.Errorf("got %v, %v", all, err)
	}
	equal(t, "last query", service.received()[2].URL.RawQuery, "countryCode=DE&nextToken=b")
	equal(t, "given parameters", *params, ListProvidersParams{CountryCode: "DE"})

	service, client = serve(t, pages...)
	for _, err = range client.Providers.List(t.Context(), params) {
		break
	}
	equal(t, "requests for one item", len(service.received()), 1)

	_, client = serve(t, pages[0], answer(404, `{"code":"not_found"}`))
	read := 0
	for _, err = range client.Providers.List(t.Context(), nil) {
		if err == nil {
			read++
		}
	}
	equal(t, "items before the error", read, 2)
	equal(t, "error", errors.Is(err, ErrNotFound), true)

	_, client = serve(t, pages...)
	first, err := client.Providers.ListPage(t.Context(), nil)
	if err != nil || len(first.Items) != 2 || first.NextToken != "a" {
		t.Errorf("got %v, %v", first, err)
	}
}

func TestAnswersMayGrow(t *testing.T) {
	_, client := serve(t, answer(200, `{"new":1,"data":{"connection":{"connectionStatus":"Sleeping","lastSuccessAt":"0001-01-01T00:00:00Z",
		"more":{"x":[]}}},"meta":{"pagination":{},"more":true}}`))
	got, err := client.User("u1").Connections.Get(t.Context(), "c1")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "status", got.ConnectionStatus, "Sleeping")
	equal(t, "never read", got.LastSuccessAt.IsZero(), true)
}

func TestProblems(t *testing.T) {
	for status, kind := range map[int]error{
		400: ErrValidation, 401: ErrAuthentication, 403: ErrPermissionDenied, 404: ErrNotFound, 409: ErrConflict, 410: ErrNotFound,
		413: ErrValidation, 422: ErrValidation, 429: ErrRateLimited, 500: ErrServer, 502: ErrServer, 302: ErrValidation,
	} {
		_, client := serve(t, answer(status, `{"code":"c","title":"T","detail":"Says why.","traceId":"t1","status":400,
			"nextRefreshPossibleAt":"2026-03-02T09:30:00Z","errors":[{"code":"invalid","detail":"is wrong","pointer":"/a","new":1}]}`,
			"Location", "http://127.0.0.1:1/", "Retry-After", "90"))
		client.config.MaxRetries = -1
		_, err := client.Users.Create(t.Context(), CreateUserRequest{})
		var failure *Error
		if !errors.As(err, &failure) || !errors.Is(err, kind) {
			t.Errorf("%d: got %v", status, err)
			continue
		}
		equal(t, "status", failure.Status, status)
		equal(t, "code", failure.Code, "c")
		equal(t, "trace", failure.TraceID, "t1")
		equal(t, "part", failure.Errors[0].Pointer, "/a")
		equal(t, "wait", failure.RetryAfter, 90*time.Second)
		equal(t, "refresh", failure.NextRefreshPossibleAt.Year(), 2026)
		equal(t, "text", err.Error(), fmt.Sprintf("aviso: %d c: Says why. (/a is wrong), trace ID t1", status))
	}
	_, client := serve(t, answer(418, `<html>`))
	_, err := client.Users.Get(t.Context(), "u1")
	equal(t, "a proxy's answer", err.Error(), "aviso: 418 without a problem document: is this Aviso's address?")
	_, client = serve(t, answer(403, `{"code":"terms_not_accepted","detail":"Terms are missing.",
		"errors":[{"code":"Operator","detail":"Version 1 of the Operator terms: https://x","termsType":"Operator","version":"1"}]}`))
	_, err = client.Users.Get(t.Context(), "u1")
	equal(t, "terms", err.Error(),
		"aviso: 403 terms_not_accepted: Terms are missing. (Version 1 of the Operator terms: https://x)")
	_, client = serve(t, answer(200, `<html>`))
	if _, err = client.Users.Get(t.Context(), "u1"); err == nil {
		t.Error("accepted HTML")
	}
}

func TestALetterIsAFile(t *testing.T) {
	_, client := serve(t, answer(200, "%PDF", "Content-Type", "application/pdf"))
	got, err := client.User("u1").Cancellations.GetLetter(t.Context(), "c1")
	if err != nil || string(got) != "%PDF" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestRequestsLeaveOutWhatIsNotGiven(t *testing.T) {
	body, err := json.Marshal(UpdateWebhookSubscriptionRequest{ServerURL: "http://me"})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "body", string(body), `{"serverUrl":"http://me"}`)
}

func TestACallEndsWithItsContext(t *testing.T) {
	done := make(chan struct{})
	_, client := serve(t, func(http.ResponseWriter, *http.Request) { <-done })
	t.Cleanup(func() { close(done) })
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := client.Users.Get(ctx, "u1")
	equal(t, "the caller's deadline", errors.Is(err, context.DeadlineExceeded) && errors.Is(err, ErrConnectionFailed), true)

	client.config.Timeout = 50 * time.Millisecond
	_, err = client.Users.Get(t.Context(), "u1")
	equal(t, "the client's time-out", errors.Is(err, context.DeadlineExceeded), true)

	ctx, cancel = context.WithCancel(t.Context())
	cancel()
	_, err = client.Users.Get(ctx, "u1")
	equal(t, "cancelled", errors.Is(err, context.Canceled), true)
}
