package bankwire

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The forms are those of banks' and aggregators' answers in public reports.
func TestMessageOfARefusal(t *testing.T) {
	for body, want := range map[string]string{
		`{"tppMessages":[{"category":"ERROR","code":"SERVICE_BLOCKED","text":"Closed for  maintenance\nuntil 6"}]}`: "Closed for maintenance until 6",
		`[{"category":"WARNING","code":"X","text":"careful"},{"category":"ERROR","text":"Consent expired"}]`:        "Consent expired",
		`{"type":"about:blank","title":"Too many","detail":"Daily limit of 4 reached","code":"ACCESS_EXCEEDED"}`:    "Daily limit of 4 reached",
		`{"title":"Bad Request","additionalErrors":[{"code":"FORMAT_ERROR","detail":"dateFrom"}]}`:                  "Bad Request",
		`{"error":"invalid_grant","error_description":"Refresh token revoked"}`:                                     "Refresh token revoked",
		`{"code":400,"message":"ASPSP error","error":"ASPSP_ERROR","detail":{"status":503}}`:                        "ASPSP error",
		`{"summary":"End User Agreement has expired","detail":"It was valid for 90 days","status_code":400}`:        "It was valid for 90 days",
		`{"detail":"No account DE02 1001 0010 0006 8201 01 of anna@example.org, customer 4711081512"}`:              "No account … of …, customer …",
		`{"detail":"Kein Konto AT483200000012345864"}`:                                                              "Kein Konto …",
		`{"detail":"` + strings.Repeat("ä", 2*maxMessage) + `"}`:                                                    strings.Repeat("ä", maxMessage),
		`{"tppMessages":"closed"}`: "", `<html><h1>503</h1></html>`: "", ``: "", `null`: "", `"text"`: "", `{"text":7}`: "7",
	} {
		assert.Equal(t, want, messageIn([]byte(body)), body)
	}
}
