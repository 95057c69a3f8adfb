package aviso

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

const (
	secret    = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
	newSecret = "whsec_QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWY="
	callback  = `{"eventId":"e1","eventType":"transactions.updated","occurredAt":"2026-03-02T09:34:58Z","environment":"local",` +
		`"isSimulated":false,"userId":"u1","new":1,"data":{"connectionId":"c1","added":3,"modified":0,"removed":0,"since":"s1","new":{}}}`
)

// sign returns what Aviso sends with a callback that it signed with the secrets at that time.
func sign(body string, at time.Time, secrets ...string) http.Header {
	header := http.Header{}
	header.Set("webhook-id", "e1")
	header.Set("webhook-timestamp", fmt.Sprint(at.Unix()))
	signatures := []string{"v2,AAAA"}
	for _, s := range secrets {
		key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(s, "whsec_"))
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "e1.%d.%s", at.Unix(), body)
		signatures = append(signatures, "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	}
	header.Set("webhook-signature", strings.Join(signatures, " "))
	return header
}

func TestACallbackIsVerified(t *testing.T) {
	now := time.Now()
	without := func(name string) http.Header {
		header := sign(callback, now, secret)
		header.Del(name)
		return header
	}
	broken := sign(callback, now, secret)
	broken.Set("Webhook-Timestamp", "soon")
	for name, test := range map[string]struct {
		body    string
		header  http.Header
		secrets []string
		want    string // the reason
	}{
		"valid":                      {callback, sign(callback, now, secret), []string{secret}, ""},
		"four minutes old":           {callback, sign(callback, now.Add(-4*time.Minute), secret), []string{secret}, ""},
		"signed with two keys":       {callback, sign(callback, now, newSecret, secret), []string{secret}, ""},
		"with two secrets to choose": {callback, sign(callback, now, newSecret), []string{secret, "", newSecret}, ""},
		"six minutes old":            {callback, sign(callback, now.Add(-6*time.Minute), secret), []string{secret}, ReasonTimestampTooOld},
		"from six minutes ahead":     {callback, sign(callback, now.Add(6*time.Minute), secret), []string{secret}, ReasonTimestampTooNew},
		"another body":               {callback + " ", sign(callback, now, secret), []string{secret}, ReasonSignatureMismatch},
		"another key":                {callback, sign(callback, now, newSecret), []string{secret}, ReasonSignatureMismatch},
		"no signature that we know":  {callback, sign(callback, now), []string{secret}, ReasonSignatureMismatch},
		"no headers":                 {callback, http.Header{}, []string{secret}, ReasonHeaderMissing},
		"no ID":                      {callback, without("Webhook-Id"), []string{secret}, ReasonHeaderMissing},
		"no signature":               {callback, without("Webhook-Signature"), []string{secret}, ReasonHeaderMissing},
		"an invalid time":            {callback, broken, []string{secret}, ReasonTimestampInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Verify([]byte(test.body), test.header, test.secrets...)
			var refusal *WebhookVerificationError
			if errors.As(err, &refusal) {
				equal(t, "reason", refusal.Reason, test.want)
			} else if err != nil || test.want != "" {
				t.Errorf("got %v", err)
			}
		})
	}
	_, err := Verify([]byte(callback), http.Header{}, secret)
	equal(t, "text", err.Error(), "aviso: webhook-id is missing")
}

func TestASecretIsAsItWasIssued(t *testing.T) {
	store := func(*http.Request, *Event) error { return nil }
	for _, secrets := range [][]string{nil, {""}, {"whsec_"}, {"whsec_!"}, {strings.TrimPrefix(secret, "whsec_")}, {secret, "x"}} {
		if _, err := Verify([]byte(callback), sign(callback, time.Now(), secret), secrets...); !errors.Is(err, errSecret) {
			t.Errorf("Verify: got %v for %q", err, secrets)
		}
		if _, err := Receiver(store, secrets...); !errors.Is(err, errSecret) {
			t.Errorf("Receiver: got %v for %q", err, secrets)
		}
	}
}

func TestAnEventHasItsType(t *testing.T) {
	event, err := Verify([]byte(callback), sign(callback, time.Now(), secret), secret)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "event", event.EventID+" "+event.UserID, "e1 u1")
	data, ok := event.Data.(TransactionsUpdatedEventData)
	if !ok || data.Since != "s1" || data.Added != 3 {
		t.Errorf("got %#v", event.Data)
	}
	unknown := strings.Replace(callback, "transactions.updated", "moon.landed", 1)
	event, err = Verify([]byte(unknown), sign(unknown, time.Now(), secret), secret)
	if err != nil {
		t.Fatal(err)
	}
	if data, ok := event.Data.(json.RawMessage); !ok || !strings.HasPrefix(string(data), `{"connectionId"`) {
		t.Errorf("got %#v", event.Data)
	}
	for _, broken := range []string{`{`, `[]`, `{"eventType":"transactions.updated","data":[]}`} {
		if _, err := Verify([]byte(broken), sign(broken, time.Now(), secret), secret); err == nil {
			t.Errorf("accepted %s", broken)
		}
	}
}

// logs returns what is logged until the test ends.
func logs(t *testing.T) *bytes.Buffer {
	t.Helper()
	out, before := new(bytes.Buffer), slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(out, nil)))
	t.Cleanup(func() { slog.SetDefault(before) })
	return out
}

func TestAReceiverAcknowledges(t *testing.T) {
	for name, test := range map[string]struct {
		body   string
		header http.Header
		result error
		status int
		logged string
	}{
		"an event":               {callback, sign(callback, time.Now(), secret), nil, 200, ""},
		"not what is not stored": {callback, sign(callback, time.Now(), secret), errors.New("full"), 500, "full"},
		"not what is forged":     {callback, sign(callback, time.Now(), newSecret), nil, 401, "no signature matches"},
		"not what is too large":  {strings.Repeat(" ", maxCallback+1), http.Header{}, nil, 400, "too large"},
	} {
		t.Run(name, func(t *testing.T) {
			request := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(test.body))
			request.Header = test.header
			handled, response := "", httptest.NewRecorder()
			logged := logs(t)
			receiver, err := Receiver(func(_ *http.Request, e *Event) error { handled = e.EventID; return test.result }, secret)
			if err != nil {
				t.Fatal(err)
			}
			receiver.ServeHTTP(response, request)
			equal(t, "logged", strings.Contains(logged.String(), test.logged), true)
			equal(t, "status", response.Code, test.status)
			equal(t, "handled", handled != "", test.status == 200 || test.status == 500)
			var got EventAcknowledgement
			_ = json.Unmarshal(response.Body.Bytes(), &got)
			equal(t, "acknowledged", got.IsAcknowledged && time.Since(got.Timestamp) < time.Minute, test.status == 200)
		})
	}
}

func TestAReceiverThanksUsers(t *testing.T) {
	response := httptest.NewRecorder()
	Must(Receiver(nil, secret)).ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/?status=success", http.NoBody))
	equal(t, "page", response.Body.String(), "Thank you.")
}
