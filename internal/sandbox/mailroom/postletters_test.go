package mailroom_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/mailroom"
	"aviso/internal/sandbox/mailroom/mailroomtest"
	"aviso/internal/sandbox/sandboxdb"
)

func TestLetterLifecycle(t *testing.T) {
	c := newPostClient(t)
	l := c.post(t)
	assert.Nil(t, l.Attributes.Address)
	assert.Nil(t, l.Attributes.FilePages)
	assert.Equal(t, "2026-11-20T12:00:00+0000", l.Attributes.Created)
	assert.Equal(t, mailroomtest.BaseURL+org+"/deliveries/letters/"+l.ID, l.Links.Self)
	refused(t, c.send(t, l.ID, "cheap"), 403)

	c.AdvanceTime(t, time.Second)
	l = c.get(t, l.ID)
	assert.Equal(t, "valid", l.Attributes.Status)
	assert.Equal(t, "Stromwerk AG\nKundendienst\n12345 Berlin", *l.Attributes.Address)
	assert.Equal(t, 1, *l.Attributes.FilePages)
	c.AdvanceTime(t, time.Hour)
	assert.Equal(t, "valid", c.get(t, l.ID).Attributes.Status, "it stays until it is sent")

	rec := c.send(t, l.ID, "cheap")
	require.Equal(t, 200, rec.Code, rec.Body)
	l = c.letterOf(t, rec)
	assert.Equal(t, "submitted", l.Attributes.Status)
	require.NotNil(t, l.Attributes.Submitted)
	c.AdvanceTime(t, time.Second)
	assert.Equal(t, "processing", c.get(t, l.ID).Attributes.Status)
	c.AdvanceTime(t, 2*time.Second)
	assert.Equal(t, "sent", c.get(t, l.ID).Attributes.Status)
	c.AdvanceTime(t, time.Hour)
	l = c.get(t, l.ID)
	assert.Equal(t, "sent", l.Attributes.Status, "delivery of ordinary mail is not reported")
	assert.Nil(t, l.Attributes.Tracking)
	assert.Empty(t, c.Steps())
}

func TestRegisteredMailIsTrackedAndDelivered(t *testing.T) {
	for _, product := range []string{"registered", "postag_registered"} {
		c := newPostClient(t)
		l := c.post(t)
		c.AdvanceTime(t, time.Second)
		require.Equal(t, 200, c.send(t, l.ID, product).Code)
		c.AdvanceTime(t, 3*time.Second)
		l = c.get(t, l.ID)
		assert.Equal(t, "sent", l.Attributes.Status)
		require.NotNil(t, l.Attributes.Tracking)
		assert.Regexp(t, `^98\.\d{2}\.\d{6}\.\d{8}$`, *l.Attributes.Tracking)
		c.AdvanceTime(t, 2*time.Second)
		assert.Equal(t, "delivered", c.get(t, l.ID).Attributes.Status)
	}
}

func TestAutoSend(t *testing.T) {
	c := newPostClient(t)
	l := c.post(t, "auto_send", true, "delivery_product", "fast", "print_mode", "duplex", "print_spectrum", "color",
		"meta_data", map[string]any{"recipient": address("CH"), "sender": address("DE")})
	c.AdvanceTime(t, time.Second)
	got := c.get(t, l.ID)
	assert.Equal(t, "submitted", got.Attributes.Status)
	assert.Equal(t, "CH", *got.Attributes.Country)
	c.AdvanceTime(t, 3*time.Second)
	assert.Equal(t, "sent", c.get(t, l.ID).Attributes.Status)
}

func address(country string) map[string]string {
	return map[string]string{"name": "Stromwerk", "zip": "12345", "city": "Berlin", "country": country}
}

func TestValidationErrors(t *testing.T) {
	broken := append([]byte("%PDF-1.7\n"), bytes.Repeat([]byte("no object "), 50)...)
	for name, test := range map[string]struct {
		file                []byte
		position            string
		status, code, cause string
	}{
		"broken file":      {broken, "left", "invalid", "file_not_readable", "File is not readable"},
		"other paper size": {mailroomtest.Letter(t), "left", "action_required", "file_not_a4_portrait", "File is not A4 portrait"},
		"no address":       {mailroomtest.PDF(t, 1), "left", "action_required", "address_not_found", "Address not found"},
		"address on the other side": {mailroomtest.PDF(t, 1, "Stromwerk AG"), "right", "action_required",
			"address_not_found", "Address not found"},
		"too many pages": {mailroomtest.PDF(t, 100, "Stromwerk AG"), "left", "action_required",
			"file_too_many_pages", "Page limit exceeded"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newPostClient(t)
			l := c.postFile(
				t,
				test.file,
				"address_position",
				test.position,
				"auto_send",
				true,
				"delivery_product",
				"fast",
				"print_mode",
				"simplex",
				"print_spectrum",
				"color",
			)
			c.AdvanceTime(t, time.Second)
			assert.Equal(t, test.status, c.get(t, l.ID).Attributes.Status)
			refused(t, c.send(t, l.ID, "cheap"), 403)
			hook := only(t, c)
			assert.Equal(t, "webhook_issues", hook.Data.Type)
			assert.Equal(t, test.cause, *hook.Data.Attributes.Reason)
			assert.Equal(t, test.code, hook.event(t).Code)
		})
	}
}

func TestCancel(t *testing.T) {
	c := newPostClient(t)
	l := c.post(t)
	path := org + "/deliveries/letters/" + l.ID
	refused(t, c.call(t, "PATCH", path+"/cancel", ""), 403)
	c.AdvanceTime(t, time.Second)
	refused(t, c.call(t, "PATCH", path+"/cancel", ""), 403)
	require.Equal(t, 200, c.send(t, l.ID, "cheap").Code)
	refused(t, c.call(t, "DELETE", path, ""), 403)

	rec := c.call(t, "PATCH", path+"/cancel", "")
	assert.Equal(t, 202, rec.Code)
	assert.Empty(t, rec.Body.String())
	assert.Equal(t, "cancelling", c.get(t, l.ID).Attributes.Status)
	c.AdvanceTime(t, time.Hour)
	assert.Equal(t, "cancelled", c.get(t, l.ID).Attributes.Status)
	assert.Empty(t, c.Callbacks())
	assert.Equal(t, 204, c.call(t, "DELETE", path, "").Code)
}

func TestDeleteAlsoDeletesTheDocument(t *testing.T) {
	c := newPostClient(t)
	l := c.post(t)
	path := org + "/deliveries/letters/" + l.ID
	refused(t, c.call(t, "DELETE", path, ""), 403)
	c.AdvanceTime(t, time.Second)
	file := mailroom.PagePath + "/" + l.ID + "/file.pdf"
	require.Equal(t, 200, c.Do(t, "GET", file, nil, nil).Code)

	assert.Equal(t, 204, c.call(t, "DELETE", path, "").Code)
	refused(t, c.call(t, "GET", path, ""), 404)
	refused(t, c.call(t, "DELETE", path, ""), 404)
	_, err := sandboxdb.Get(t.Context(), c.Store.Store, mailroom.Document{LetterID: l.ID})
	require.ErrorIs(t, err, outcome.ErrNotFound)
	c.AdvanceTime(t, time.Hour) // what was on its way finds nothing
}

func TestCreateRejectsWhatPingenRejects(t *testing.T) {
	c := newPostClient(t)
	address, signature := c.upload(t, mailroomtest.PDF(t, 1, "Stromwerk AG"))
	letters := org + "/deliveries/letters"
	at := "/data/attributes/"
	for name, test := range map[string]struct {
		pairs   []any
		pointer string
	}{
		"no name":                  {[]any{"file_original_name", nil}, at + "file_original_name"},
		"an empty name":            {[]any{"file_original_name", ""}, at + "file_original_name"},
		"a name that is too long":  {[]any{"file_original_name", strings.Repeat("x", 256)}, at + "file_original_name"},
		"no file URL":              {[]any{"file_url", nil}, at + "file_url"},
		"no signature":             {[]any{"file_url_signature", nil}, at + "file_url_signature"},
		"another file's signature": {[]any{"file_url", address + "x"}, at + "file_url_signature"},
		"a foreign URL":            {[]any{"file_url", "https://elsewhere.test/file"}, at + "file_url_signature"},
		"no position":              {[]any{"address_position", nil}, at + "address_position"},
		"an unknown position":      {[]any{"address_position", "top"}, at + "address_position"},
		"no auto_send":             {[]any{"auto_send", nil}, at + "auto_send"},
		"auto_send not a boolean":  {[]any{"auto_send", "yes"}, at + "auto_send"},
		"auto_send without a product": {[]any{"auto_send", true, "print_mode", "simplex", "print_spectrum", "color"},
			at + "delivery_product"},
		"auto_send without a mode": {[]any{"auto_send", true, "delivery_product", "fast", "print_spectrum",
			"color"}, at + "print_mode"},
		"auto_send without a spectrum": {[]any{"auto_send", true, "delivery_product", "fast", "print_mode",
			"simplex"}, at + "print_spectrum"},
		"an unknown product":   {[]any{"delivery_product", "pigeon"}, at + "delivery_product"},
		"an unknown mode":      {[]any{"print_mode", "triplex"}, at + "print_mode"},
		"an unknown attribute": {[]any{"colour", "red"}, at},
		"a recipient with a colour": {[]any{"meta_data", map[string]any{
			"recipient": map[string]string{"name": "A", "zip": "1", "city": "B", "country": "CH", "colour": "red"}}}, at},
		"a position that is a number": {[]any{"address_position", 1}, at + "address_position"},
		"a recipient without sender": {[]any{"meta_data",
			map[string]any{"recipient": map[string]string{"name": "A", "zip": "1", "city": "B",
				"country": "CH"}}}, at + "meta_data/sender"},
		"a recipient without a city": {[]any{"meta_data",
			map[string]any{"recipient": map[string]string{"name": "A", "zip": "1",
				"country": "CH"}}}, at + "meta_data/recipient/city"},
		"meta_data that is a list": {[]any{"meta_data", []int{1}}, at + "meta_data"},
		"a country name": {[]any{"meta_data",
			map[string]any{"recipient": map[string]string{"name": "A", "zip": "1", "city": "B",
				"country": "Swiss"}}}, at + "meta_data/recipient/country"},
	} {
		t.Run(name, func(t *testing.T) {
			rec := c.call(t, "POST", letters, body(t, "", attributes(address, signature, test.pairs...)))
			assert.Equal(t, test.pointer, refused(t, rec, 422))
		})
	}
	t.Run("a URL without an upload", func(t *testing.T) {
		rec := c.call(t, "GET", "/sandbox/post/file-upload", "")
		var d struct {
			Data struct{ Attributes map[string]string }
		}
		decode(t, rec, &d)
		rec = c.call(t, "POST", letters, body(t, "", attributes(d.Data.Attributes["url"], d.Data.Attributes["url_signature"])))
		assert.Equal(t, at+"file_url", refused(t, rec, 422))
	})
	for name, sent := range map[string]struct {
		body   string
		status int
	}{
		"not JSON":                {"{", 400},
		"not a JSON:API document": {"{}", 400},
		"a list":                  {"[]", 400},
		"another type":            {`{"data":{"type":"batches","attributes":{}}}`, 409},
		"an id":                   {`{"data":{"type":"letters","id":"1","attributes":{}}}`, 409},
		"a preset":                {`{"data":{"type":"letters","attributes":{},"relationships":{"preset":{}}}}`, 422},
		"a book":                  {`{"data":"` + strings.Repeat("x", 70_000) + `"}`, 413},
		"other attributes":        {`{"data":{"type":"letters","attributes":[]}}`, 400},
	} {
		t.Run(name, func(t *testing.T) { refused(t, c.call(t, "POST", letters, sent.body), sent.status) })
	}
	refused(t, c.call(t, "POST", letters, body(t, "", attributes(address, signature)), "Content-Type", "application/json"), 415)
	refused(t, c.call(t, "PUT", letters, ""), 405)
	refused(t, c.call(t, "GET", "/sandbox/post/organisations/"+strings.Repeat("0", 36)+"/deliveries/letters/none", ""), 404)
	refused(t, c.call(t, "GET", letters+"/none", ""), 404)
	refused(t, c.call(t, "GET", "/sandbox/post/nowhere", ""), 404)
}

func TestSendRejectsWhatPingenRejects(t *testing.T) {
	c := newPostClient(t)
	l := c.post(t)
	c.AdvanceTime(t, time.Second)
	path := org + "/deliveries/letters/" + l.ID + "/send"
	good := map[string]any{"delivery_product": "cheap", "print_mode": "simplex", "print_spectrum": "color"}
	refused(t, c.call(t, "PATCH", path, body(t, strings.Repeat("0", 36), good)), 409)
	refused(t, c.call(t, "PATCH", path, body(t, "", good)), 409)
	assert.Equal(t, "/data/attributes/delivery_product", refused(t, c.call(t, "PATCH", path, body(t, l.ID, map[string]any{})), 422))
	refused(t, c.call(t, "PATCH", path, body(t, l.ID, map[string]any{"auto_send": true})), 422)
	assert.Equal(t, "valid", c.get(t, l.ID).Attributes.Status)
	require.Equal(t, 200, c.call(t, "PATCH", path, body(t, l.ID, good)).Code)
	refused(t, c.call(t, "PATCH", path, body(t, l.ID, good)), 403)
}

// Every error is JSON and does not repeat the request.
func TestErrorsDoNotRepeatTheRequest(t *testing.T) {
	c := newPostClient(t)
	rec := c.call(t, "POST", org+"/deliveries/letters", `{"data":{"type":"letters","attributes":{"<secret>":1,"auto_send":true}}}`)
	assert.True(t, json.Valid(rec.Body.Bytes()))
	assert.NotContains(t, rec.Body.String(), "secret")
}
