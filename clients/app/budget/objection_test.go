package budget

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	aviso "aviso.example/client"
)

// objecting is a visit to a service with a cancellation whose contract is still debited. sent is the objection.
func objecting(t *testing.T, form url.Values) (v *visit, page *httptest.ResponseRecorder, sent *aviso.SendObjectionRequest) {
	t.Helper()
	sent = &aviso.SendObjectionRequest{}
	answers := map[string]string{
		"POST /oauth2/token": `{"access_token":"t","token_type":"Bearer","expires_in":3600}`,
		"GET /cancellations/v1/cancellations/c1": `{"data":{"cancellation":{"cancellationId":"c1","organizationId":"o","productId":"p",
			"status":"Delivered","outcome":"StillDebited","history":[],"debitsAfterEnd":[{"transactionId":"d1","date":"2026-11-03","amount":-13.99,"currencyCode":"EUR"}]}}}`,
		"GET /cancellations/v1/organizations/o": `{"data":{"organization":{"id":"o","name":"Vidorama"}}}`,
		"GET /cancellations/v1/organizations/o/products/p": `{"data":{"product":{"template":[
			{"fieldKey":"NAME","label":"Name","format":"^.{1,300}$","type":"Text"},
			{"fieldKey":"CUSTOMER_NUMBER","label":"Customer number","format":"^.{1,300}$","type":"Text","help":"It is on a bill."},
			{"fieldKey":"DATA_DELETE_REQUEST","label":"Delete","format":"^(true|false)$","type":"Boolean"}]}}}`,
		"GET /cancellations/v1/cancellations/c1/objections": `{"data":{"objections":[]}}`,
		"GET /openbanking/v1/insights/subscriptions":        `{"data":{"subscriptions":[]}}`,
		"GET /openbanking/v1/insights/price-changes":        `{"data":{"priceChanges":[]}}`,
		"GET /openbanking/v1/insights/savings":              `{"data":{"savings":[]}}`,
		"GET /cancellations/v1/cancellations":               `{"data":{"cancellations":[]}}`,
	}
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		call := r.Method + " " + r.URL.Path
		if call == "POST /cancellations/v1/cancellations/c1/objections" {
			body, _ := io.ReadAll(r.Body)
			if err := json.Unmarshal(body, sent); err != nil {
				t.Error(err)
			}
			w.WriteHeader(http.StatusCreated)
			_, _ = io.WriteString(w, `{"data":{"objection":{"objectionId":"x"}}}`)
			return
		}
		if answers[call] == "" {
			t.Error("unexpected " + call)
		}
		_, _ = io.WriteString(w, answers[call])
	}))
	t.Cleanup(service.Close)
	config := Config{PublicURL: "https://app.example", Aviso: aviso.Config{BaseURL: service.URL, ClientID: "c", ClientSecret: "s"}}
	a, err := New(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/way/c1/object", strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.SetPathValue("id", "c1")
	page = httptest.NewRecorder()
	return &visit{
		App: a, language: languages()["en"], w: page, r: r, user: a.client.User("u"),
		who: person{Name: "Anna Sommer", Fields: map[string]string{"NAME": "Anna Sommer"}},
	}, page, sent
}

func TestADebitAfterTheEndHasAButtonThatObjects(t *testing.T) {
	v, page, _ := objecting(t, nil)
	if err := v.way(); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`action="/way/c1/object"`, "Write an objection", `name="field.CUSTOMER_NUMBER"`, "It is on a bill."} {
		if !strings.Contains(page.Body.String(), part) {
			t.Errorf("the page lacks %s", part)
		}
	}
	if strings.Contains(page.Body.String(), `name="field.NAME"`) {
		t.Error("the page asks for what the app knows")
	}
}

func TestOneButtonSendsTheObjection(t *testing.T) {
	v, page, sent := objecting(t, url.Values{"field.CUSTOMER_NUMBER": {" K-1 "}})
	if err := v.object(); err != nil {
		t.Fatal(err)
	}
	if page.Code != http.StatusSeeOther || sent.Signature.Data != "Anna Sommer" || len(sent.Parameters) != 3 ||
		sent.Parameters[0].FieldValue != "Anna Sommer" || sent.Parameters[1].FieldValue != "K-1" ||
		sent.Parameters[2].FieldValue != "false" {
		t.Errorf("%d %+v", page.Code, sent)
	}
}

func TestAnUnknownPageSaysSo(t *testing.T) {
	v, _, _ := objecting(t, nil)
	page := httptest.NewRecorder()
	v.ServeHTTP(page, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/nothing", nil))
	if page.Code != http.StatusNotFound || !strings.Contains(page.Body.String(), "This page does not exist") {
		t.Errorf("%d %s", page.Code, page.Body)
	}
}
