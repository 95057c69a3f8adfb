package mailroom_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/sandbox/mailroom"
	"aviso/internal/sandbox/mailroom/mailroomtest"
)

const tokens = "/sandbox/post/identity/auth/access-tokens"

func TestTokensRequireTheClientsCredentials(t *testing.T) {
	for name, test := range map[string]struct {
		fields []string
		status int
		code   string
	}{
		"another secret": {[]string{"grant_type", "client_credentials", "client_id", "client", "client_secret",
			"wrong"}, 401, "invalid_client"},
		"another client": {[]string{"grant_type", "client_credentials", "client_id", "wrong", "client_secret",
			"client-secret"}, 401, "invalid_client"},
		"no client": {[]string{"grant_type", "client_credentials"}, 401, "invalid_client"},
		"another grant": {[]string{"grant_type", "password", "client_id", "client", "client_secret",
			"client-secret"}, 400, "unsupported_grant_type"},
		"another scope": {[]string{"grant_type", "client_credentials", "client_id", "client", "client_secret",
			"client-secret", "scope", "webhook"}, 400, "invalid_scope"},
	} {
		t.Run(name, func(t *testing.T) {
			rec := newEnv(t).Form(t, tokens, test.fields...)
			assert.Equal(t, test.status, rec.Code)
			var got struct{ Error, Message string }
			decode(t, rec, &got)
			assert.Equal(t, test.code, got.Error)
			assert.NotEmpty(t, got.Message)
		})
	}
	w := newEnv(t)
	assert.Equal(t, 400, w.Do(t, "POST", tokens, map[string]string{"Content-Type": "application/json"}, []byte("{}")).Code)
	assert.Equal(t, 405, w.Do(t, "GET", tokens, nil, nil).Code)
	assert.Equal(t, 400, w.Form(t, tokens, "client_id", strings.Repeat("x", 10_000)).Code)
}

func TestCallsRequireAValidToken(t *testing.T) {
	c := newPostClient(t)
	good := c.token
	for name, header := range map[string]string{
		"none": "", "no token": "Bearer", "another scheme": "Basic " + good, "a forged one": "Bearer " + good + "0",
		"rubbish": "Bearer a.b",
	} {
		t.Run(name, func(t *testing.T) {
			refused(t, c.call(t, "GET", "/sandbox/post/file-upload", "", "Authorization", header), 401)
		})
	}
	c.AdvanceTime(t, 12*time.Hour)
	refused(t, c.call(t, "GET", "/sandbox/post/file-upload", ""), 401)
}

func TestUploadsMustBeSignedSmallPDFs(t *testing.T) {
	c := newPostClient(t)
	rec := c.call(t, "GET", "/sandbox/post/file-upload", "")
	var d struct {
		Data struct{ Attributes struct{ URL string } }
	}
	decode(t, rec, &d)
	address := d.Data.Attributes.URL
	unsigned, _, _ := strings.Cut(address, "&")
	put := func(address string, content []byte) (int, string) {
		rec := c.Do(t, "PUT", address, nil, content)
		return rec.Code, rec.Body.String()
	}
	pdf := mailroomtest.PDF(t, 1, "Stromwerk AG")
	for name, test := range map[string]struct {
		address string
		content []byte
		status  int
		code    string
	}{
		"another path":    {strings.Replace(address, "/uploads/", "/uploads/0", 1), pdf, 403, "AccessDenied"},
		"a later expiry":  {strings.Replace(address, "expires=1", "expires=2", 1), pdf, 403, "AccessDenied"},
		"no signature":    {unsigned, pdf, 403, "AccessDenied"},
		"no PDF":          {address, []byte("<html>"), 400, "InvalidRequest"},
		"nothing":         {address, nil, 400, "InvalidRequest"},
		"a huge document": {address, append([]byte("%PDF-"), make([]byte, mailroom.MaxDocument)...), 413, "EntityTooLarge"},
	} {
		t.Run(name, func(t *testing.T) {
			status, text := put(test.address, test.content)
			assert.Equal(t, test.status, status)
			assert.Contains(t, text, "<Code>"+test.code+"</Code>")
		})
	}
	status, _ := put(address, append(pdf, make([]byte, mailroom.MaxDocument-len(pdf))...))
	require.Equal(t, 200, status, "the largest allowed file")
	c.AdvanceTime(t, time.Hour)
	status, _ = put(address, pdf)
	assert.Equal(t, 403, status)
}
