package faxgateway_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"mime"
	"mime/multipart"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/sandbox/mailroom"
	"aviso/internal/sandbox/mailroom/mailroomtest"
)

func TestFaxLifecycle(t *testing.T) {
	c := client{mailroomtest.New()}
	f := taken(t, c.sendJSON(t, "labels", map[string]string{"cancellationId": "c"}, "from", "+4940123456"))
	assert.Regexp(t, `^[0-9A-HJKMNP-TV-Z]{26}$`, f.ID)
	assert.Equal(t, "QUEUED", f.Status)
	assert.Equal(t, "OUTBOUND", f.Direction)
	assert.Equal(t, number, f.To)
	assert.Equal(t, "2026-11-20T12:00:00Z", f.CreateTime)
	assert.Equal(t, 2, f.NumberOfPages)
	assert.Equal(t, 3, f.MaxRetries)
	assert.Equal(t, 60, f.RetryDelaySeconds)
	assert.True(t, f.HasFile)
	assert.True(t, f.HeaderPageNumbers)
	assert.Nil(t, f.CompletedTime)
	assert.Nil(t, f.Price)
	assert.Equal(t, map[string]string{"cancellationId": "c"}, f.Labels)

	c.AdvanceTime(t, time.Second)
	assert.Equal(t, "IN_PROGRESS", c.get(t, f.ID).Status)
	c.AdvanceTime(t, 2*time.Second)
	f = c.get(t, f.ID)
	assert.Equal(t, "COMPLETED", f.Status)
	assert.Equal(t, 2, f.PagesSentSuccessfully)
	require.NotNil(t, f.CompletedTime)
	assert.Equal(t, "2026-11-20T12:00:03Z", *f.CompletedTime)
	assert.Equal(t, "EUR", f.Price.CurrencyCode)
	assert.Len(t, c.Callbacks(), 1)
	assert.Empty(t, c.Steps())
}

func TestJSONCallback(t *testing.T) {
	c := client{mailroomtest.New()}
	f := taken(t, c.sendJSON(t, "callbackUrl", "https://user:pass@aviso.test/carriers/v1/sinch/secret"))
	assert.Equal(t, "https://***:***@aviso.test/carriers/v1/sinch/secret", f.CallbackURL)
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

func TestMultipartCallback(t *testing.T) {
	c := client{mailroomtest.New()}
	pdf := mailroomtest.PDF(t, 1, "Stromwerk")
	f := taken(t, c.sendForm(t, pdf, map[string]string{
		"to": number, "callbackUrl": callback, "labels[a]": "b", "maxRetries": "0", "headerPageNumbers": "false", "headerText": "Aviso",
	}))
	assert.Equal(t, map[string]string{"a": "b"}, f.Labels)
	assert.Equal(t, 0, f.MaxRetries)
	assert.False(t, f.HeaderPageNumbers)
	c.AdvanceTime(t, 3*time.Second)
	require.Len(t, c.Callbacks(), 1)
	received := c.Callbacks()[0]
	assert.Equal(t, callback, received.URL)
	media, params, err := mime.ParseMediaType(received.Header.Get("Content-Type"))
	require.NoError(t, err)
	assert.Equal(t, "multipart/form-data", media)
	form, err := multipart.NewReader(bytes.NewReader(received.Body), params["boundary"]).ReadForm(1 << 20)
	require.NoError(t, err)
	assert.Equal(t, []string{"FAX_COMPLETED"}, form.Value["event"])
	assert.Equal(t, []string{"2026-11-20T12:00:03Z"}, form.Value["eventTime"])
	var got fax
	require.NoError(t, json.Unmarshal([]byte(form.Value["fax"][0]), &got))
	assert.Equal(t, f.ID, got.ID)
	require.Len(t, form.File["file"], 1)
	file, err := form.File["file"][0].Open()
	require.NoError(t, err)
	content, err := io.ReadAll(file)
	require.NoError(t, err)
	assert.Equal(t, pdf, content)
}

func TestCallbacksAreRetriedAsAtSinch(t *testing.T) {
	c := client{mailroomtest.New()}
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
	c := client{mailroomtest.New()}
	f := taken(t, c.sendJSON(t, "callbackUrl", nil, "callbackUrlContentType", nil))
	c.AdvanceTime(t, time.Hour)
	assert.Equal(t, "COMPLETED", c.get(t, f.ID).Status)
	assert.Empty(t, c.Callbacks())
}

func TestDocumentsThatCannotBeFaxed(t *testing.T) {
	c := client{mailroomtest.New()}
	text := taken(t, c.sendJSON(t, "files", []any{map[string]any{"file": []byte("Hello"), "fileType": "TXT"}}))
	fetched := taken(t, c.sendJSON(t, "files", nil, "contentUrl", "https://elsewhere.test/fax.pdf"))
	c.AdvanceTime(t, 3*time.Second)
	for id, code := range map[string]int{text.ID: 129, fetched.ID: 54} {
		f := c.get(t, id)
		assert.Equal(t, "FAILURE", f.Status)
		assert.Equal(t, "DOCUMENT_CONVERSION_ERROR", f.ErrorType)
		assert.Equal(t, code, f.ErrorCode)
		assert.NotEmpty(t, f.ErrorMessage)
		assert.Zero(t, f.PagesSentSuccessfully)
	}
	assert.Len(t, c.Callbacks(), 2)
}

func TestDocumentCanBeReadAndDeleted(t *testing.T) {
	c := client{mailroomtest.New()}
	f := taken(t, c.sendJSON(t))
	file := faxes + "/" + f.ID + "/file"
	for _, path := range []string{file, file + ".pdf"} {
		rec := c.call(t, "GET", path, "", nil)
		require.Equal(t, 200, rec.Code)
		assert.Equal(t, "application/pdf", rec.Header().Get("Content-Type"))
		assert.True(t, mailroom.LooksLikePDF(rec.Body.Bytes()))
	}
	assert.Equal(t, 204, c.call(t, "DELETE", file, "", nil).Code)
	assert.Equal(t, 204, c.call(t, "DELETE", file, "", nil).Code)
	refused(t, c.call(t, "GET", file, "", nil), 404)
	assert.False(t, c.get(t, f.ID).HasFile)
	c.AdvanceTime(t, time.Hour)
	assert.Equal(t, "COMPLETED", c.get(t, f.ID).Status)
	var got struct{ Files []any }
	require.NoError(t, json.Unmarshal(c.Callbacks()[0].Body, &got))
	assert.Empty(t, got.Files)
}
