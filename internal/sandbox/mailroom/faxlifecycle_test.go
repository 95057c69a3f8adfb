package mailroom_test

import (
	"encoding/base64"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/sandbox/mailroom"
)

func TestFaxLifecycle(t *testing.T) {
	c := faxClient{newEnv(t)}
	f := taken(t, c.sendJSON(t, "labels", map[string]string{"cancellationId": "c"}, "from", "+4940123456"))
	assert.Regexp(t, `^[0-9A-HJKMNP-TV-Z]{26}$`, f.ID)
	assert.Equal(t, "QUEUED", f.Status)
	assert.Equal(t, "OUTBOUND", f.Direction)
	assert.Equal(t, number, f.To)
	assert.Equal(t, "2026-11-20T12:00:00Z", f.CreateTime)
	assert.Equal(t, 2, f.NumberOfPages)
	assert.Equal(t, 3, f.MaxRetries)
	assert.True(t, f.HasFile)
	assert.Nil(t, f.CompletedTime)
	assert.Equal(t, map[string]string{"cancellationId": "c"}, f.Labels)

	c.AdvanceTime(t, time.Second)
	assert.Equal(t, "IN_PROGRESS", c.get(t, f.ID).Status)
	c.AdvanceTime(t, 2*time.Second)
	f = c.get(t, f.ID)
	assert.Equal(t, "COMPLETED", f.Status)
	require.NotNil(t, f.CompletedTime)
	assert.Equal(t, "2026-11-20T12:00:03Z", *f.CompletedTime)
	assert.Len(t, c.Callbacks(), 1)
	assert.Empty(t, c.Steps())
}

func TestJSONCallback(t *testing.T) {
	c := faxClient{newEnv(t)}
	f := taken(t, c.sendJSON(t, "callbackUrl", "https://user:pass@aviso.test/carriers/v1/sinch/secret"))
	assert.Equal(t, "https://user:xxxxx@aviso.test/carriers/v1/sinch/secret", f.CallbackURL)
	c.AdvanceTime(t, 3*time.Second)
	require.Len(t, c.Callbacks(), 1)
	received := c.Callbacks()[0]
	assert.Equal(t, "Basic "+base64.StdEncoding.EncodeToString([]byte("user:pass")), received.Header.Get("Authorization"))
	var got struct {
		Event, EventTime string
		Fax              fax
		Files            []struct {
			File     []byte
			FileType string
		}
	}
	require.NoError(t, json.Unmarshal(received.Body, &got))
	assert.Equal(t, "FAX_COMPLETED", got.Event)
	assert.Equal(t, "2026-11-20T12:00:03Z", got.EventTime)
	assert.Equal(t, c.get(t, f.ID), got.Fax)
	require.Len(t, got.Files, 1)
	assert.True(t, mailroom.LooksLikePDF(got.Files[0].File))
	assert.NotContains(t, string(received.Body), "pass")
}

func TestCallbacksAreRetriedAsAtSinch(t *testing.T) {
	c := faxClient{newEnv(t)}
	c.Answer = 500
	taken(t, c.sendJSON(t))
	c.AdvanceTime(t, 3*time.Second)
	require.Len(t, c.Callbacks(), 1)
	for i, pause := range []time.Duration{5 * time.Minute, 10 * time.Minute, 20 * time.Minute, 30 * time.Minute, 6 * time.Hour} {
		c.AdvanceTime(t, pause-time.Second)
		require.Len(t, c.Callbacks(), i+1)
		c.AdvanceTime(t, time.Second)
		require.Len(t, c.Callbacks(), i+2)
	}
	c.AdvanceTime(t, 30*24*time.Hour)
	assert.Len(t, c.Callbacks(), 17)
	assert.Empty(t, c.Steps())
}

func TestFaxWithoutCallbackURLSendsNoCallback(t *testing.T) {
	c := faxClient{newEnv(t)}
	f := taken(t, c.sendJSON(t, "callbackUrl", nil, "callbackUrlContentType", nil))
	c.AdvanceTime(t, time.Hour)
	assert.Equal(t, "COMPLETED", c.get(t, f.ID).Status)
	assert.Empty(t, c.Callbacks())
}

func TestDocumentsThatCannotBeFaxed(t *testing.T) {
	c := faxClient{newEnv(t)}
	id := taken(t, c.sendJSON(t, "files", []any{map[string]any{"file": []byte("Hello"), "fileType": "TXT"}})).ID
	c.AdvanceTime(t, 3*time.Second)
	f := c.get(t, id)
	assert.Equal(t, "FAILURE", f.Status)
	assert.Equal(t, "DOCUMENT_CONVERSION_ERROR", f.ErrorType)
	assert.Equal(t, 129, f.ErrorCode)
	assert.NotEmpty(t, f.ErrorMessage)
	assert.Len(t, c.Callbacks(), 1)
}

func TestDocumentCanBeDeleted(t *testing.T) {
	c := faxClient{newEnv(t)}
	f := taken(t, c.sendJSON(t))
	file := faxes + "/" + f.ID + "/file"
	assert.Equal(t, 204, c.call(t, "DELETE", file, "", nil).Code)
	assert.Equal(t, 404, c.call(t, "DELETE", file, "", nil).Code)
	assert.Equal(t, 404, c.call(t, "GET", faxes+"/"+f.ID, "", nil).Code)
	assert.Empty(t, c.Callbacks())
}
