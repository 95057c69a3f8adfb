package faxgateway_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"mime"
	"mime/multipart"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/sandbox/mailroom"
	"aviso/internal/sandbox/mailroom/mailroomtest"
)

const (
	faxes    = "/sandbox/fax/v3/projects/project/faxes"
	number   = "+4930123456"
	callback = mailroomtest.Base + "/carriers/v1/sinch/secret"
)

// client speaks to the gateway as Sinch's documentation says.
type client struct{ *mailroomtest.World }

func (c client) call(t *testing.T, method, path, contentType string, body []byte) *httptest.ResponseRecorder {
	t.Helper()
	headers := map[string]string{"Authorization": "Basic " + base64.StdEncoding.EncodeToString([]byte("key:key-secret"))}
	if contentType != "" {
		headers["Content-Type"] = contentType
	}
	return c.Do(t, method, path, headers, body)
}

// sendJSON sends a fax of a good document, changed by pairs; a nil takes one away.
func (c client) sendJSON(t *testing.T, pairs ...any) *httptest.ResponseRecorder {
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

// sendForm sends a fax as a form; the file is left out where it is nil.
func (c client) sendForm(t *testing.T, file []byte, fields map[string]string) *httptest.ResponseRecorder {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for name, value := range fields {
		require.NoError(t, w.WriteField(name, value))
	}
	if file != nil {
		part, err := w.CreateFormFile("file", "Kuendigung.pdf")
		require.NoError(t, err)
		_, err = part.Write(file)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return c.call(t, "POST", faxes, w.FormDataContentType(), b.Bytes())
}

type fax struct {
	ID, Direction, To, From, Status, CallbackURL, ErrorType, ErrorMessage, ProjectID, CreateTime string
	NumberOfPages, PagesSentSuccessfully, ErrorCode, MaxRetries, RetryCount, RetryDelaySeconds   int
	HasFile, HeaderPageNumbers                                                                   bool
	CompletedTime                                                                                *string
	Price                                                                                        *struct{ Amount, CurrencyCode string }
	Labels                                                                                       map[string]string
}

func decode(t *testing.T, rec *httptest.ResponseRecorder, into any) {
	t.Helper()
	assert.Equal(t, "application/json", rec.Header().Get("Content-Type"))
	require.NoError(t, json.Unmarshal(rec.Body.Bytes(), into), rec.Body)
}

func taken(t *testing.T, rec *httptest.ResponseRecorder) (f fax) {
	t.Helper()
	require.Equal(t, 200, rec.Code, rec.Body)
	decode(t, rec, &f)
	return f
}

func (c client) get(t *testing.T, id string) fax {
	t.Helper()
	return taken(t, c.call(t, "GET", faxes+"/"+id, "", nil))
}

// refused checks the shape of an error and gives the field that it names.
func refused(t *testing.T, rec *httptest.ResponseRecorder, status int) string {
	t.Helper()
	require.Equal(t, status, rec.Code, rec.Body)
	var d struct {
		Code, Error, Message string
		Details              struct {
			FieldViolations []struct{ Field, Description string }
		}
	}
	decode(t, rec, &d)
	assert.NotEmpty(t, d.Error)
	assert.NotEmpty(t, d.Message)
	if len(d.Details.FieldViolations) == 0 {
		return ""
	}
	return d.Details.FieldViolations[0].Field
}

func TestAFaxGoesItsWay(t *testing.T) {
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

	c.Pass(t, time.Second)
	assert.Equal(t, "IN_PROGRESS", c.get(t, f.ID).Status)
	c.Pass(t, 2*time.Second)
	f = c.get(t, f.ID)
	assert.Equal(t, "COMPLETED", f.Status)
	assert.Equal(t, 2, f.PagesSentSuccessfully)
	require.NotNil(t, f.CompletedTime)
	assert.Equal(t, "2026-11-20T12:00:03Z", *f.CompletedTime)
	assert.Equal(t, "EUR", f.Price.CurrencyCode)
	assert.Len(t, c.Told(), 1)
	assert.Empty(t, c.Steps())
}

func TestTheCallbackInJSON(t *testing.T) {
	c := client{mailroomtest.New()}
	f := taken(t, c.sendJSON(t, "callbackUrl", "https://user:pass@aviso.test/carriers/v1/sinch/secret"))
	assert.Equal(t, "https://***:***@aviso.test/carriers/v1/sinch/secret", f.CallbackURL)
	c.Pass(t, 3*time.Second)
	require.Len(t, c.Told(), 1)
	told := c.Told()[0]
	assert.Equal(t, "Basic "+base64.StdEncoding.EncodeToString([]byte("user:pass")), told.Header.Get("Authorization"))
	var got struct {
		Event, EventTime string
		Fax              fax
		Files            []struct {
			File     []byte
			FileType string
		}
	}
	require.NoError(t, json.Unmarshal(told.Body, &got))
	assert.Equal(t, "FAX_COMPLETED", got.Event)
	assert.Equal(t, "2026-11-20T12:00:03Z", got.EventTime)
	assert.Equal(t, c.get(t, f.ID), got.Fax)
	require.Len(t, got.Files, 1)
	assert.True(t, mailroom.BeginsAsPDF(got.Files[0].File))
	assert.NotContains(t, string(told.Body), "pass")
}

func TestTheCallbackAsAForm(t *testing.T) {
	c := client{mailroomtest.New()}
	pdf := mailroomtest.PDF(t, 1, "Stromwerk")
	f := taken(t, c.sendForm(t, pdf, map[string]string{
		"to": number, "callbackUrl": callback, "labels[a]": "b", "maxRetries": "0", "headerPageNumbers": "false", "headerText": "Aviso",
	}))
	assert.Equal(t, map[string]string{"a": "b"}, f.Labels)
	assert.Equal(t, 0, f.MaxRetries)
	assert.False(t, f.HeaderPageNumbers)
	c.Pass(t, 3*time.Second)
	require.Len(t, c.Told(), 1)
	told := c.Told()[0]
	assert.Equal(t, callback, told.URL)
	media, params, err := mime.ParseMediaType(told.Header.Get("Content-Type"))
	require.NoError(t, err)
	assert.Equal(t, "multipart/form-data", media)
	form, err := multipart.NewReader(bytes.NewReader(told.Body), params["boundary"]).ReadForm(1 << 20)
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

func TestCallbacksAreRepeatedAsSinchDoes(t *testing.T) {
	c := client{mailroomtest.New()}
	c.Answer = 500
	taken(t, c.sendJSON(t))
	c.Pass(t, 3*time.Second)
	require.Len(t, c.Told(), 1)
	for i, pause := range []time.Duration{5 * time.Minute, 10 * time.Minute, 20 * time.Minute, 30 * time.Minute, 6 * time.Hour} {
		c.Pass(t, pause-time.Second)
		require.Len(t, c.Told(), i+1)
		c.Pass(t, time.Second)
		require.Len(t, c.Told(), i+2)
	}
	c.Pass(t, 30*24*time.Hour)
	assert.Len(t, c.Told(), 17)
	assert.Empty(t, c.Steps())
}

func TestAFaxWithoutCallbackTellsNobody(t *testing.T) {
	c := client{mailroomtest.New()}
	f := taken(t, c.sendJSON(t, "callbackUrl", nil, "callbackUrlContentType", nil))
	c.Pass(t, time.Hour)
	assert.Equal(t, "COMPLETED", c.get(t, f.ID).Status)
	assert.Empty(t, c.Told())
}

func TestDocumentsThatCannotBeFaxed(t *testing.T) {
	c := client{mailroomtest.New()}
	text := taken(t, c.sendJSON(t, "files", []any{map[string]any{"file": []byte("Hello"), "fileType": "TXT"}}))
	fetched := taken(t, c.sendJSON(t, "files", nil, "contentUrl", "https://elsewhere.test/fax.pdf"))
	c.Pass(t, 3*time.Second)
	for id, code := range map[string]int{text.ID: 129, fetched.ID: 54} {
		f := c.get(t, id)
		assert.Equal(t, "FAILURE", f.Status)
		assert.Equal(t, "DOCUMENT_CONVERSION_ERROR", f.ErrorType)
		assert.Equal(t, code, f.ErrorCode)
		assert.NotEmpty(t, f.ErrorMessage)
		assert.Zero(t, f.PagesSentSuccessfully)
	}
	assert.Len(t, c.Told(), 2)
}

func TestTheDocumentCanBeReadAndDeleted(t *testing.T) {
	c := client{mailroomtest.New()}
	f := taken(t, c.sendJSON(t))
	file := faxes + "/" + f.ID + "/file"
	for _, path := range []string{file, file + ".pdf"} {
		rec := c.call(t, "GET", path, "", nil)
		require.Equal(t, 200, rec.Code)
		assert.Equal(t, "application/pdf", rec.Header().Get("Content-Type"))
		assert.True(t, mailroom.BeginsAsPDF(rec.Body.Bytes()))
	}
	assert.Equal(t, 204, c.call(t, "DELETE", file, "", nil).Code)
	assert.Equal(t, 204, c.call(t, "DELETE", file, "", nil).Code)
	refused(t, c.call(t, "GET", file, "", nil), 404)
	assert.False(t, c.get(t, f.ID).HasFile)
	c.Pass(t, time.Hour)
	assert.Equal(t, "COMPLETED", c.get(t, f.ID).Status)
	var got struct{ Files []any }
	require.NoError(t, json.Unmarshal(c.Told()[0].Body, &got))
	assert.Empty(t, got.Files)
}

func TestFaxesAreListedAndFiltered(t *testing.T) {
	c := client{mailroomtest.New()}
	one := taken(t, c.sendJSON(t, "labels", map[string]string{"shipment": "1"}, "from", "+4940111111", "serviceId", "s")).ID
	c.Pass(t, time.Hour)
	two := taken(t, c.sendJSON(t, "to", "+41441234567", "labels", map[string]string{"shipment": "2"})).ID
	three := taken(t, c.sendJSON(t)).ID
	type list struct {
		Faxes                                        []fax
		PageNumber, PageSize, TotalPages, TotalItems int
	}
	get := func(query string) (l list, ids []string) {
		rec := c.call(t, "GET", faxes+query, "", nil)
		require.Equal(t, 200, rec.Code, rec.Body)
		decode(t, rec, &l)
		for _, f := range l.Faxes {
			ids = append(ids, f.ID)
		}
		return l, ids
	}
	for query, want := range map[string][]string{
		"":                                 {three, two, one},
		"?status=COMPLETED":                {one},
		"?direction=INBOUND":               nil,
		"?direction=OUTBOUND&to=%2B49":     {three, one},
		"?from=%2B4940":                    {one},
		"?serviceId=s":                     {one},
		"?labels%5Bshipment%5D=2":          {two},
		"?createTime=2026":                 {three, two, one},
		"?createTime=2026-10":              nil,
		"?createTime=2026-11-20":           {three, two, one},
		"?createTime=2026-11-20T12:30:00Z": {three, two},
		"?createTime%3E=2026-11-20T12:30:00Z&createTime%3C=2026-11-21": {three, two},
		"?createTime<=2026-11-19":                                      nil,
		"?pageSize=2":                                                  {three, two},
		"?pageSize=2&page=2":                                           {one},
		"?page=9":                                                      nil,
	} {
		t.Run(query, func(t *testing.T) {
			_, got := get(query)
			assert.Equal(t, want, got)
		})
	}
	l, _ := get("?pageSize=2&page=2")
	assert.Equal(t, []int{2, 2, 2, 3}, []int{l.PageNumber, l.PageSize, l.TotalPages, l.TotalItems})
	for query, field := range map[string]string{
		"?pageSize=0": "pageSize", "?pageSize=1001": "pageSize", "?page=x": "page", "?status=DONE": "status", "?direction=UP": "direction", "?createTime=soon": "createTime", "?colour=red": "",
	} {
		assert.Equal(t, field, refused(t, c.call(t, "GET", faxes+query, "", nil), 422))
	}
	refused(t, c.call(t, "GET", faxes+"?page=%zz", "", nil), 400)
	c.Pass(t, 8*24*time.Hour)
	_, got := get("")
	assert.Empty(t, got, "without a time it is the last week")
}

func TestSendRefusesWhatSinchRefuses(t *testing.T) {
	c := client{mailroomtest.New()}
	for name, test := range map[string]struct {
		pairs []any
		field string
	}{
		"no number":                   {[]any{"to", nil}, "to"},
		"a number of this country":    {[]any{"to", "030 123456"}, "to"},
		"two numbers":                 {[]any{"to", []string{number, "+4930999999"}}, "to"},
		"two numbers in one":          {[]any{"to", number + ",+4930999999"}, "to"},
		"a number that is a number":   {[]any{"to", 4930}, "to"},
		"an ill-formed sender":        {[]any{"from", "me"}, "from"},
		"nothing to send":             {[]any{"files", nil}, "file"},
		"two files":                   {[]any{"files", []any{map[string]any{"file": []byte("a"), "fileType": "PDF"}, map[string]any{"file": []byte("a"), "fileType": "PDF"}}}, "files"},
		"a file that is not base64":   {[]any{"files", []any{map[string]any{"file": "%%%", "fileType": "PDF"}}}, "files"},
		"an unknown type of file":     {[]any{"files", []any{map[string]any{"file": []byte("a"), "fileType": "EXE"}}}, "files"},
		"an empty file":               {[]any{"files", []any{map[string]any{"file": []byte{}, "fileType": "PDF"}}}, "file"},
		"a content that is no URL":    {[]any{"contentUrl", "fax.pdf"}, "contentUrl"},
		"six retries":                 {[]any{"maxRetries", 6}, "maxRetries"},
		"retries at once":             {[]any{"retryDelaySeconds", 1}, "retryDelaySeconds"},
		"a long header":               {[]any{"headerText", strings.Repeat("x", 51)}, "headerText"},
		"an unknown zone":             {[]any{"headerTimeZone", "Europe/Nowhere"}, "headerTimeZone"},
		"an unknown conversion":       {[]any{"imageConversionMethod", "COLOUR"}, "imageConversionMethod"},
		"an unknown resolution":       {[]any{"resolution", "ROUGH"}, "resolution"},
		"a callback in XML":           {[]any{"callbackUrlContentType", "application/xml"}, "callbackUrlContentType"},
		"a callback that is no URL":   {[]any{"callbackUrl", "here"}, "callbackUrl"},
		"a callback elsewhere":        {[]any{"callbackUrl", "https://elsewhere.test/"}, "callbackUrl"},
		"a callback to this machine":  {[]any{"callbackUrl", "http://127.0.0.1:9001/2018-06-01/runtime"}, "callbackUrl"},
		"a callback without security": {[]any{"callbackUrl", "http://aviso.test/"}, "callbackUrl"},
		"an unknown field":            {[]any{"colour", "red"}, ""},
		"labels that are a list":      {[]any{"labels", []string{"a"}}, "labels"},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, test.field, refused(t, c.sendJSON(t, test.pairs...), 422)) })
	}
	pdf := mailroomtest.PDF(t, 1, "Stromwerk")
	for name, test := range map[string]struct {
		name, value, field string
	}{
		"form with retries in words":  {"maxRetries", "many", "maxRetries"},
		"form with an odd number":     {"maxRetries", "007", "maxRetries"},
		"form with a flag in words":   {"headerPageNumbers", "yes", "headerPageNumbers"},
		"form with an unknown field":  {"colour", "red", ""},
		"form with labels in words":   {"labels", "a=b", "labels"},
		"form with a second document": {"file", "again", "file"},
	} {
		t.Run(name, func(t *testing.T) {
			fields := map[string]string{"to": number, test.name: test.value}
			assert.Equal(t, test.field, refused(t, c.sendForm(t, pdf, fields), 422))
		})
	}
	huge := append([]byte("%PDF-"), make([]byte, mailroom.MaxDocument)...)
	refused(t, c.sendForm(t, huge, map[string]string{"to": number}), 413)
	refused(t, c.sendForm(t, make([]byte, 2<<20), map[string]string{"to": number}), 413)
	refused(t, c.sendJSON(t, "files", []any{map[string]any{"file": huge, "fileType": "PDF"}}), 413)
	refused(t, c.sendJSON(t, "headerText", strings.Repeat("x", 1<<20)), 413)
	for body, status := range map[string]int{"{": 400, "[]": 422, `{"to":"+4930123456"}{}`: 400} {
		refused(t, c.call(t, "POST", faxes, "application/json", []byte(body)), status)
	}
	refused(t, c.call(t, "POST", faxes, "multipart/form-data", []byte("x")), 400)
	refused(t, c.call(t, "POST", faxes, "multipart/form-data; boundary=b", []byte("--b\r\nbroken")), 400)
	refused(t, c.call(t, "POST", faxes, "application/x-www-form-urlencoded", []byte("to=1")), 415)
	refused(t, c.call(t, "PUT", faxes, "", nil), 405)
	for _, id := range []string{"none", "01HDFHACK1YN7CCDYRA6ZRMA8Z"} {
		refused(t, c.call(t, "GET", faxes+"/"+id, "", nil), 404)
	}
	assert.Empty(t, c.Steps())
}

func TestOnlyTheProjectMayCall(t *testing.T) {
	w := mailroomtest.New()
	basic := func(user string) map[string]string {
		return map[string]string{"Authorization": "Basic " + base64.StdEncoding.EncodeToString([]byte(user))}
	}
	for name, test := range map[string]struct {
		path    string
		headers map[string]string
	}{
		"nobody":          {faxes, nil},
		"another key":     {faxes, basic("other:key-secret")},
		"another secret":  {faxes, basic("key:other")},
		"another project": {strings.Replace(faxes, "projects/project", "projects/other", 1), basic("key:key-secret")},
	} {
		t.Run(name, func(t *testing.T) {
			rec := w.Do(t, "GET", test.path, test.headers, nil)
			assert.Equal(t, 401, rec.Code)
			assert.Empty(t, rec.Body.String())
		})
	}
}

func TestALetterIsNoFax(t *testing.T) {
	c := client{mailroomtest.New()}
	f := taken(t, c.sendJSON(t))
	letters, err := c.Store.Letters(t.Context(), mailroom.Fax, "", 1)
	require.NoError(t, err)
	l := letters[0]
	l.Carrier = mailroom.Post
	require.NoError(t, c.Store.Save(t.Context(), l))
	refused(t, c.call(t, "GET", faxes+"/"+f.ID, "", nil), 404)
}

func TestMisbehaviour(t *testing.T) {
	set := func(t *testing.T, c client, behaviour string) {
		t.Helper()
		require.Equal(t, 303, c.Form(t, mailroom.PagePath, "behaviour", behaviour, "carrier", "fax").Code)
	}
	for behaviour, status := range map[string]int{"throttle": 429, "fail": 500} {
		t.Run(behaviour, func(t *testing.T) {
			c := client{mailroomtest.New()}
			set(t, c, behaviour)
			rec := c.sendJSON(t)
			refused(t, rec, status)
			assert.Equal(t, map[int]string{429: "30", 500: ""}[status], rec.Header().Get("Retry-After"))
			assert.Empty(t, c.Steps())
			c.Pass(t, 10*time.Minute)
			taken(t, c.sendJSON(t))
		})
	}
	t.Run("hang does what it is asked and answers late", func(t *testing.T) {
		c := client{mailroomtest.New()}
		set(t, c, "hang")
		began := time.Now()
		f := taken(t, c.sendJSON(t))
		assert.GreaterOrEqual(t, time.Since(began), 20*time.Millisecond)
		set(t, c, "normal")
		assert.Equal(t, "QUEUED", c.get(t, f.ID).Status)
	})
	type end struct {
		status     string
		code, told int
		retries    int
	}
	for behaviour, want := range map[string]end{
		"normal": {"COMPLETED", 0, 1, 0}, "reject": {"FAILURE", 34, 1, 0}, "bounce": {"FAILURE", 17, 1, 2}, "lose": {"QUEUED", 0, 0, 0},
	} {
		t.Run(behaviour, func(t *testing.T) {
			c := client{mailroomtest.New()}
			set(t, c, behaviour)
			f := taken(t, c.sendJSON(t, "maxRetries", 2))
			c.Pass(t, time.Hour)
			f = c.get(t, f.ID)
			assert.Equal(t, want, end{f.Status, f.ErrorCode, len(c.Told()), f.RetryCount})
		})
	}
	t.Run("delay", func(t *testing.T) {
		c := client{mailroomtest.New()}
		set(t, c, "delay")
		f := taken(t, c.sendJSON(t))
		c.Pass(t, 9*time.Minute)
		assert.Equal(t, "QUEUED", c.get(t, f.ID).Status)
		c.Pass(t, 2*time.Minute)
		assert.Equal(t, "COMPLETED", c.get(t, f.ID).Status)
	})
	t.Run("of one carrier leaves the other alone", func(t *testing.T) {
		c := client{mailroomtest.New()}
		require.Equal(t, 303, c.Form(t, mailroom.PagePath, "behaviour", "fail", "carrier", "post").Code)
		taken(t, c.sendJSON(t))
	})
}

// Whatever is sent, the answer is one of the documented ones.
func FuzzSend(f *testing.F) {
	f.Add("application/json", []byte(`{"to":"+4930123456","files":[{"file":"JVBERi0=","fileType":"PDF"}]}`))
	f.Add("application/json", []byte(`{"to":["+4930123456"],"contentUrl":["https://a.test"]}`))
	f.Add("multipart/form-data; boundary=b", []byte("--b\r\nContent-Disposition: form-data; name=\"to\"\r\n\r\n+4930123456\r\n--b--\r\n"))
	allowed := map[int]bool{200: true, 400: true, 413: true, 415: true, 422: true}
	f.Fuzz(func(t *testing.T, contentType string, body []byte) {
		if strings.ContainsAny(contentType, "\r\n\x00") {
			return
		}
		rec := client{mailroomtest.New()}.call(t, "POST", faxes, contentType, body)
		assert.True(t, allowed[rec.Code], rec.Code)
		assert.True(t, json.Valid(rec.Body.Bytes()))
	})
}
