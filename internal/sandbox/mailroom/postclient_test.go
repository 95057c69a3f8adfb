package mailroom_test

import (
	"encoding/json"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/sandbox/mailroom/mailroomtest"
)

const org = "/sandbox/post/organisations/a72dd1c9-0457-5e82-8dab-d578a21308e0"

// postClient calls the post office as Pingen's documentation describes.
type postClient struct {
	*mailroomtest.Env
	token string
}

func newPostClient(t *testing.T) *postClient {
	t.Helper()
	c := &postClient{Env: newEnv(t)}
	rec := c.Form(
		t,
		"/sandbox/post/identity/auth/access-tokens",
		"grant_type",
		"client_credentials",
		"client_id",
		"client",
		"client_secret",
		"client-secret",
		"scope",
		"letter",
	)
	require.Equal(t, 200, rec.Code, rec.Body)
	var token struct {
		Type    string `json:"token_type"`
		Expires int    `json:"expires_in"`
		Token   string `json:"access_token"`
	}
	require.NoError(t, json.Unmarshal(rec.Body.Bytes(), &token))
	assert.Equal(t, "Bearer", token.Type)
	assert.Equal(t, 43200, token.Expires)
	c.token = token.Token
	return c
}

// call calls the API; pairs are further headers.
func (c *postClient) call(t *testing.T, method, path, body string, pairs ...string) *httptest.ResponseRecorder {
	t.Helper()
	headers := map[string]string{"Authorization": "Bearer " + c.token}
	if body != "" {
		headers["Content-Type"] = "application/vnd.api+json"
	}
	for i := 0; i < len(pairs); i += 2 {
		headers[pairs[i]] = pairs[i+1]
	}
	rec := c.Do(t, method, path, headers, []byte(body))
	assert.NotEmpty(t, rec.Header().Get("X-Request-Id"))
	if rec.Body.Len() > 0 {
		assert.Equal(t, "application/vnd.api+json", rec.Header().Get("Content-Type"))
	}
	return rec
}

type letter struct {
	ID, Type   string
	Attributes struct {
		Status    string
		Address   *string
		Country   *string
		FilePages *int    `json:"file_pages"`
		Tracking  *string `json:"tracking_number"`
		Submitted *string `json:"submitted_at"`
		Created   string  `json:"created_at"`
	}
	Links struct{ Self string }
}

func decode(t *testing.T, rec *httptest.ResponseRecorder, into any) {
	t.Helper()
	require.NoError(t, json.Unmarshal(rec.Body.Bytes(), into), rec.Body)
}

func (c *postClient) letterOf(t *testing.T, rec *httptest.ResponseRecorder) letter {
	t.Helper()
	var d struct{ Data letter }
	decode(t, rec, &d)
	return d.Data
}

func (c *postClient) get(t *testing.T, id string) letter {
	t.Helper()
	rec := c.call(t, "GET", org+"/deliveries/letters/"+id, "")
	require.Equal(t, 200, rec.Code, rec.Body)
	return c.letterOf(t, rec)
}

// refused checks the format of an error and returns its source.
func refused(t *testing.T, rec *httptest.ResponseRecorder, status int) (pointer string) {
	t.Helper()
	require.Equal(t, status, rec.Code, rec.Body)
	var d struct {
		Errors []struct {
			Code, Title, Detail string
			Source              struct{ Pointer, Parameter string }
		}
	}
	decode(t, rec, &d)
	require.Len(t, d.Errors, 1)
	assert.NotEmpty(t, d.Errors[0].Title)
	return d.Errors[0].Source.Pointer + d.Errors[0].Source.Parameter
}

// upload uploads a file and returns its URL with the signature.
func (c *postClient) upload(t *testing.T, content []byte) (address, signature string) {
	t.Helper()
	rec := c.call(t, "GET", "/sandbox/post/file-upload", "")
	require.Equal(t, 200, rec.Code, rec.Body)
	var d struct {
		Data struct {
			Type       string
			Attributes struct {
				URL       string
				Signature string `json:"url_signature"`
				Expires   string `json:"expires_at"`
			}
		}
	}
	decode(t, rec, &d)
	assert.Equal(t, "file_uploads", d.Data.Type)
	assert.Equal(t, "2026-11-20T13:00:00+0000", d.Data.Attributes.Expires)
	rec = c.Do(t, "PUT", d.Data.Attributes.URL, nil, content)
	require.Equal(t, 200, rec.Code, rec.Body)
	return d.Data.Attributes.URL, d.Data.Attributes.Signature
}

// attributes returns those of a new letter, changed by pairs of name and value; nil
// removes one.
func attributes(address, signature string, pairs ...any) map[string]any {
	a := map[string]any{
		"file_original_name": "Kuendigung.pdf", "file_url": address, "file_url_signature": signature,
		"address_position": "left", "auto_send": false,
	}
	for i := 0; i < len(pairs); i += 2 {
		name, _ := pairs[i].(string)
		if pairs[i+1] == nil {
			delete(a, name)
		} else {
			a[name] = pairs[i+1]
		}
	}
	return a
}

func body(t *testing.T, id string, attributes any) string {
	t.Helper()
	data := map[string]any{"type": "letters", "attributes": attributes}
	if id != "" {
		data["id"] = id
	}
	b, err := json.Marshal(map[string]any{"data": data})
	require.NoError(t, err)
	return string(b)
}

// post creates a letter with a valid document.
func (c *postClient) post(t *testing.T, pairs ...any) letter {
	t.Helper()
	return c.postFile(t, mailroomtest.PDF(t, 1, "Stromwerk AG", "Kundendienst", "12345 Berlin"), pairs...)
}

func (c *postClient) postFile(t *testing.T, file []byte, pairs ...any) letter {
	t.Helper()
	address, signature := c.upload(t, file)
	rec := c.call(t, "POST", org+"/deliveries/letters", body(t, "", attributes(address, signature, pairs...)))
	require.Equal(t, 201, rec.Code, rec.Body)
	l := c.letterOf(t, rec)
	assert.Equal(t, "letters", l.Type)
	assert.Equal(t, "validating", l.Attributes.Status)
	return l
}

// send sends a letter; product may be registered.
func (c *postClient) send(t *testing.T, id, product string, pairs ...string) *httptest.ResponseRecorder {
	t.Helper()
	a := map[string]string{"delivery_product": product, "print_mode": "simplex", "print_spectrum": "grayscale"}
	return c.call(t, "PATCH", org+"/deliveries/letters/"+id+"/send", body(t, id, a), pairs...)
}
