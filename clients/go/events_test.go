package aviso

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
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
	for name, test := range map[string]struct {
		body    string
		header  http.Header
		secrets []string
		want    error
	}{
		"valid":                      {callback, sign(callback, now, secret), []string{secret}, nil},
		"four minutes old":           {callback, sign(callback, now.Add(-4*time.Minute), secret), []string{secret}, nil},
		"signed with two keys":       {callback, sign(callback, now, newSecret, secret), []string{secret}, nil},
		"with two secrets to choose": {callback, sign(callback, now, newSecret), []string{secret, "", newSecret}, nil},
		"six minutes old":            {callback, sign(callback, now.Add(-6*time.Minute), secret), []string{secret}, ErrTimestamp},
		"from six minutes ahead":     {callback, sign(callback, now.Add(6*time.Minute), secret), []string{secret}, ErrTimestamp},
		"another body":               {callback + " ", sign(callback, now, secret), []string{secret}, ErrSignature},
		"another key":                {callback, sign(callback, now, newSecret), []string{secret}, ErrSignature},
		"no signature that we know":  {callback, sign(callback, now), []string{secret}, ErrSignature},
		"no headers":                 {callback, http.Header{}, []string{secret}, ErrTimestamp},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Verify([]byte(test.body), test.header, test.secrets...)
			if !errors.Is(err, test.want) || (err == nil) != (test.want == nil) {
				t.Errorf("got %v", err)
			}
		})
	}
	for _, secrets := range [][]string{nil, {""}, {"whsec_"}, {"whsec_!"}} {
		if _, err := Verify([]byte(callback), sign(callback, now, secret), secrets...); err == nil {
			t.Errorf("accepted the secrets %q", secrets)
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

func TestAReceiverAcknowledges(t *testing.T) {
	for name, test := range map[string]struct {
		body   string
		header http.Header
		result error
		status int
	}{
		"an event":               {callback, sign(callback, time.Now(), secret), nil, 200},
		"not what is not stored": {callback, sign(callback, time.Now(), secret), errors.New("full"), 500},
		"not what is forged":     {callback, sign(callback, time.Now(), newSecret), nil, 401},
		"not what is too large":  {strings.Repeat(" ", maxCallback+1), http.Header{}, nil, 400},
	} {
		t.Run(name, func(t *testing.T) {
			request := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(test.body))
			request.Header = test.header
			handled, response := "", httptest.NewRecorder()
			Receiver(func(_ *http.Request, e *Event) error { handled = e.EventID; return test.result }, secret).ServeHTTP(response, request)
			equal(t, "status", response.Code, test.status)
			equal(t, "handled", handled != "", test.status == 200 || test.status == 500)
			var got EventAcknowledgement
			_ = json.Unmarshal(response.Body.Bytes(), &got)
			equal(t, "acknowledged", got.IsAcknowledged && time.Since(got.Timestamp) < time.Minute, test.status == 200)
		})
	}
}
