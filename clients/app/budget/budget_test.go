package budget

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	aviso "aviso.example/client"
)

func amount(text string) aviso.Amount { return aviso.Must(aviso.ParseAmount(text)) }

func TestFieldsOf(t *testing.T) {
	fields := fieldsOf([]aviso.TemplateField{
		{FieldKey: "ZIP", Label: "Postcode", Format: "^[a-zA-Z0-9 ]{1,20}$"},
		{FieldKey: "NOTE", Label: "Note", Format: "^[a-z]{0,5}$"},
		{FieldKey: "DATA_DELETE_REQUEST", Label: "Delete my data", Format: "^(true|false)$", Type: "Boolean"},
		{FieldKey: "NEWER", Label: "Newer", Format: "^(?=x)"}, // Go does not know it
		{FieldKey: "FREE", Label: "Free"},
		{FieldKey: "BIRTH_DATE", Format: "^[0-9-]{10}$", Type: "Date"},
		{FieldKey: "EMAIL", Type: "Email", Help: "The answer goes here.", Example: "anna@example.org"},
		{FieldKey: "PET", Type: "Animal"}, // a later type
	}, func(key string) string { return map[string]string{"ZIP": "50667"}[key] })
	zip, note, box, newer, free := fields[0], fields[1], fields[2], fields[3], fields[4]
	for name, ok := range map[string]bool{
		"the pattern is the format":               zip.Pattern == "^[a-zA-Z0-9 ]{1,20}$" && zip.Value == "50667",
		"a format decides what is required":       zip.Required && !note.Required && !free.Required,
		"true or false is a box":                  box.Type == "checkbox" && box.Pattern == "" && !box.Required,
		"a date has its own input":                fields[5].Type == "date" && fields[5].Pattern == "" && fields[5].Required,
		"help and example are shown":              fields[6].Type == "email" && fields[6].Help != "" && fields[6].Example != "",
		"an unknown type is a text":               fields[7].Type == "text",
		"a value is checked":                      zip.accepts("50667") && !zip.accepts("???"),
		"what cannot be checked is left to Aviso": newer.accepts("y"),
	} {
		if !ok {
			t.Errorf("not so: %s: %+v", name, fields)
		}
	}
}

func TestMoneyAndDays(t *testing.T) {
	en, de := languages()["en"], languages()["de"]
	for want, got := range map[string]string{
		"−€1,234,567.80":   en.Money(amount("-1234567.8"), "EUR"),
		"1.234,50 €":       de.Money(amount("1234.5"), "EUR"),
		"CHF 0.01":         en.Money(amount("0.005"), "CHF"),
		"€0":               en.Round(amount("-0.4"), "EUR"),
		"24 November 2026": en.Day("2026-11-24"),
		"3. März 2026":     de.Day("2026-03-03T00:00:00Z"),
		"Dezember 2026":    de.Month("2026-12-01"),
		"":                 en.Day(""),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestTextsInBothLanguages(t *testing.T) {
	en, de := languages()["en"], languages()["de"]
	for key, text := range en.texts {
		if text == "" || de.texts[key] == "" || strings.Count(text, "%") != strings.Count(de.texts[key], "%") {
			t.Errorf("%s: %q and %q do not fit", key, text, de.texts[key])
		}
	}
}

func TestChart(t *testing.T) {
	groups := []group{{Amount: amount("75")}, {Amount: amount("24.99")}, {Amount: amount("0.01")}}
	divide(groups, amount("100"))
	scale(groups)
	around := 0.0
	for i, g := range groups {
		if math.Abs(g.Slice.Offset+around) > 0.001 || g.Slice.Length <= 0 || g.Percent < 1 {
			t.Errorf("part %d: %+v", i, g)
		}
		around += number(g.Amount)
	}
	month := func(m time.Month) time.Time { return time.Date(2026, m, 1, 0, 0, 0, 0, time.UTC) }
	v := &visit{App: &App{}, language: languages()["en"]}
	spent := map[string]aviso.Amount{"2026-10-01": amount("200"), "2026-11-01": amount("100")}
	all, ticks := bars(v, spent, "EUR", month(9), month(11), month(10))
	if len(all) != 3 || all[1].Height != 2*all[2].Height || all[0].Height <= 0 || !all[1].Current {
		t.Errorf("bars: %+v", all)
	}
	if len(ticks) != 3 || ticks[0].Label != "€0" || ticks[2].Label != "€200" || ticks[2].Y != all[1].Y {
		t.Errorf("the axis does not fit the bars: %+v", ticks)
	}
	for _, b := range all {
		if b.Y < 0 || b.X < 0 || b.X+b.Width > chartWidth || b.Y+b.Height > chartHeight {
			t.Errorf("outside of the picture: %+v", b)
		}
	}
}

func TestWhatCostsMostToWaitComesFirst(t *testing.T) {
	open := func(name, yearly, end, next string) contract {
		c := contract{RecurringContract: aviso.RecurringContract{YearlyCost: amount(yearly)}}
		c.Merchant.Name, c.Deadline.EarliestFreeEnd, c.Deadline.NextChance = name, end, next
		c.WaitingCosts = waitingCosts(c.RecurringContract)
		return c
	}
	all := []contract{
		open("monthly", "240", "2026-04-30", "2026-05-31"), open("no deadline", "999", "", ""),
		open("yearly", "120", "2026-12-31", "2027-12-31"),
	}
	slices.SortStableFunc(all, urgency)
	if all[0].Merchant.Name != "yearly" || all[1].Merchant.Name != "monthly" || all[0].WaitingCosts.StringFixed(2) != "120.00" {
		t.Errorf("%+v", all)
	}
}

func TestNothingChanged(t *testing.T) {
	for before, want := range map[string]bool{"100": true, "100.30": true, "99.60": true, "101": false, "98.2": false} {
		if g := (group{Amount: amount("100"), Before: amount(before)}); g.Same() != want {
			t.Errorf("%s: %t", before, g.Same())
		}
	}
}

func TestStepsOf(t *testing.T) {
	history := func(names ...string) *aviso.Cancellation {
		c := &aviso.Cancellation{Status: names[len(names)-1]}
		for _, n := range names {
			c.History = append(c.History, aviso.CancellationStep{Status: n})
		}
		return c
	}
	if steps := stepsOf(history("Created", "Queued", "Sent")); len(steps) != 5 || !steps[2].Now || steps[3].Done {
		t.Errorf("on its way: %+v", steps)
	}
	steps := stepsOf(history("Created", "Queued", "Sent", "Queued", "Sent"))
	if steps[2].Status != "Returned" || steps[4].Status != "Sent" {
		t.Errorf("a mail that bounced was not sent: %+v", steps)
	}
	if steps := stepsOf(history("Created", "Withdrawn")); len(steps) != 2 || !steps[1].Bad {
		t.Errorf("nothing follows a withdrawal: %+v", steps)
	}
}

func TestLocal(t *testing.T) {
	for path, want := range map[string]string{
		"/way/1": "/way/1", "//evil.example": "/spending", "https://evil.example": "/spending", `/\evil.example`: "/spending", "": "/spending",
	} {
		if got := local(path); got != want {
			t.Errorf("local(%q) is %q", path, got)
		}
	}
}

// TestCallbacks lets a subscription be made, and then sends it callbacks.
func TestCallbacks(t *testing.T) {
	const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
	made := 0
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.URL.Path == "/oauth2/token":
			_, _ = io.WriteString(w, `{"access_token":"t","token_type":"Bearer","expires_in":3600}`)
		case r.Method == http.MethodPost:
			made++
			w.WriteHeader(http.StatusCreated)
			_, _ = io.WriteString(w, `{"data":{"subscription":{"subscriptionId":"s"},"secret":{"key":"`+secret+`"}},"meta":{}}`)
		default:
			_, _ = io.WriteString(w, `{"data":{"subscriptions":[]},"meta":{}}`)
		}
	}))
	defer service.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	app, err := New(ctx, Config{PublicURL: "http://app.example/app",
		Aviso: aviso.Config{BaseURL: service.URL, ClientID: "c", ClientSecret: "s"}})
	if err != nil {
		t.Fatal(err)
	}
	post := func(key, id string) int {
		body := fmt.Sprintf(`{"eventId":%q,"eventType":"webhook.ping","userId":"u","data":{}}`, id)
		r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/app/webhooks", strings.NewReader(body))
		now := strconv.FormatInt(time.Now().Unix(), 10)
		mac := hmac.New(sha256.New, aviso.Must(base64.StdEncoding.DecodeString(strings.TrimPrefix(key, "whsec_"))))
		fmt.Fprintf(mac, "%s.%s.%s", id, now, body)
		r.Header.Set("Webhook-Id", id)
		r.Header.Set("Webhook-Timestamp", now)
		r.Header.Set("Webhook-Signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		w := httptest.NewRecorder()
		app.ServeHTTP(w, r)
		return w.Code
	}
	if code := post(secret, "0"); code != http.StatusServiceUnavailable {
		t.Errorf("without a subscription: %d", code)
	}
	for range 2 {
		if err := app.hooks.subscribe(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if made != 1 {
		t.Errorf("%d subscriptions", made)
	}
	news, leave := app.live.join("u")
	defer leave()
	other := "whsec_" + base64.StdEncoding.EncodeToString([]byte("another key"))
	if code := post(other, "1"); code != http.StatusUnauthorized || len(news) != 0 {
		t.Errorf("a forged callback: %d, %d news", code, len(news))
	}
	if code := post(secret, "1"); code != http.StatusOK || len(news) != 1 {
		t.Errorf("a callback: %d, %d news", code, len(news))
	}
	<-news
	if code := post(secret, "1"); code != http.StatusOK || len(news) != 0 {
		t.Errorf("the same again: %d, %d news", code, len(news))
	}
}
