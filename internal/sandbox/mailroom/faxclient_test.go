package mailroom_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/sandbox/mailroom/mailroomtest"
)

const (
	faxes    = "/sandbox/fax/v3/projects/project/faxes"
	number   = "+4930123456"
	callback = mailroomtest.BaseURL + "/carriers/v1/sinch/secret"
)

// faxClient calls the gateway as Sinch's documentation describes.
type faxClient struct{ *mailroomtest.Env }

func (c faxClient) call(t *testing.T, method, path, contentType string, body []byte) *httptest.ResponseRecorder {
	t.Helper()
	headers := map[string]string{"Authorization": "Basic " + base64.StdEncoding.EncodeToString([]byte("key:key-secret"))}
	if contentType != "" {
		headers["Content-Type"] = contentType
	}
	return c.Do(t, method, path, headers, body)
}

// sendJSON sends a valid fax, changed by pairs of name and value; nil removes a member.
func (c faxClient) sendJSON(t *testing.T, pairs ...any) *httptest.ResponseRecorder {
	t.Helper()
	body := map[string]any{
		"to": number, "files": []any{map[string]any{"file": mailroomtest.PDF(t, 2, "Stromwerk"), "fileType": "PDF"}},
		"callbackUrl": callback, "callbackUrlContentType": "application/json",
	}
	for i := 0; i < len(pairs); i += 2 {
		name, _ := pairs[i].(string)
		if pairs[i+1] == nil {
			delete(body, name)
		} else {
			body[name] = pairs[i+1]
		}
	}
	b, err := json.Marshal(body)
	require.NoError(t, err)
	return c.call(t, "POST", faxes, "application/json", b)
}

type fax struct {
	ID, Direction, To, From, Status, CallbackURL, ErrorType, ErrorMessage, ProjectID, CreateTime string
	NumberOfPages, ErrorCode, MaxRetries, RetryCount                                             int
	HasFile                                                                                      bool
	CompletedTime                                                                                *string
	Labels                                                                                       map[string]string
}

func decodeFax(t *testing.T, rec *httptest.ResponseRecorder, into any) {
	t.Helper()
	assert.Equal(t, "application/json", rec.Header().Get("Content-Type"))
	require.NoError(t, json.Unmarshal(rec.Body.Bytes(), into), rec.Body)
}

func taken(t *testing.T, rec *httptest.ResponseRecorder) (f fax) {
	t.Helper()
	require.Equal(t, 200, rec.Code, rec.Body)
	decodeFax(t, rec, &f)
	return f
}

func (c faxClient) get(t *testing.T, id string) fax {
	t.Helper()
	return taken(t, c.call(t, "GET", faxes+"/"+id, "", nil))
}

// refusedFax checks the format of an error and returns its field.
func refusedFax(t *testing.T, rec *httptest.ResponseRecorder, status int) string {
	t.Helper()
	require.Equal(t, status, rec.Code, rec.Body)
	var d struct {
		Code, Error, Message string
		Details              struct {
			FieldViolations []struct{ Field, Description string }
		}
	}
	decodeFax(t, rec, &d)
	assert.NotEmpty(t, d.Error)
	assert.NotEmpty(t, d.Message)
	if len(d.Details.FieldViolations) == 0 {
		return ""
	}
	return d.Details.FieldViolations[0].Field
}
