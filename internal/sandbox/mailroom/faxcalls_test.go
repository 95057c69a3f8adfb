package mailroom_test

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/sandbox/mailroom"
)

func TestFaxesAreListedAndFiltered(t *testing.T) {
	c := faxClient{newEnv(t)}
	one := taken(t, c.sendJSON(t, "labels", map[string]string{"shipment": "1"}, "from", "+4940111111", "serviceId", "s")).ID
	c.AdvanceTime(t, time.Hour)
	two := taken(t, c.sendJSON(t, "to", "+41441234567", "labels", map[string]string{"shipment": "2"})).ID
	three := taken(t, c.sendJSON(t)).ID
	type list struct {
		Faxes                                        []fax
		PageNumber, PageSize, TotalPages, TotalItems int
	}
	for query, want := range map[string][]string{
		"?createTime=2026-11-20": {three, two, one},
		"?createTime=2026-11-20&direction=OUTBOUND&to=%2B49&pageSize=1000": {three, one},
		"?createTime=2026-11-19": nil,
	} {
		t.Run(query, func(t *testing.T) {
			rec := c.call(t, "GET", faxes+query, "", nil)
			require.Equal(t, 200, rec.Code, rec.Body)
			var l list
			decodeFax(t, rec, &l)
			var got []string
			for _, f := range l.Faxes {
				got = append(got, f.ID)
			}
			assert.Equal(t, want, got)
			assert.Equal(t, []int{1, len(want), 1, len(want)}, []int{l.PageNumber, l.PageSize, l.TotalPages, l.TotalItems})
		})
	}
	for query, field := range map[string]string{
		"": "createTime", "?createTime=soon": "createTime", "?createTime=2026-11-20&colour=red": "",
		"?createTime=2026-11-20&status=COMPLETED": "",
	} {
		assert.Equal(t, field, refusedFax(t, c.call(t, "GET", faxes+query, "", nil), 422))
	}
}

func TestSendRejectsWhatSinchRejects(t *testing.T) {
	c := faxClient{newEnv(t)}
	for name, test := range map[string]struct {
		pairs []any
		field string
	}{
		"no number":                 {[]any{"to", nil}, "to"},
		"a national number":         {[]any{"to", "030 123456"}, "to"},
		"two numbers":               {[]any{"to", []string{number, "+4930999999"}}, "to"},
		"two numbers in one string": {[]any{"to", number + ",+4930999999"}, "to"},
		"a JSON number":             {[]any{"to", 4930}, "to"},
		"a malformed sender":        {[]any{"from", "me"}, "from"},
		"nothing to send":           {[]any{"files", nil}, "file"},
		"two files": {[]any{"files",
			[]any{map[string]any{"file": []byte("a"), "fileType": "PDF"},
				map[string]any{"file": []byte("a"), "fileType": "PDF"}}}, "files"},
		"a file that is not base64":  {[]any{"files", []any{map[string]any{"file": "%%%", "fileType": "PDF"}}}, "files"},
		"an unknown file type":       {[]any{"files", []any{map[string]any{"file": []byte("a"), "fileType": "EXE"}}}, "files"},
		"an empty file":              {[]any{"files", []any{map[string]any{"file": []byte{}, "fileType": "PDF"}}}, "file"},
		"six retries":                {[]any{"maxRetries", 6}, "maxRetries"},
		"an unknown zone":            {[]any{"headerTimeZone", "Europe/Nowhere"}, "headerTimeZone"},
		"an unknown resolution":      {[]any{"resolution", "ROUGH"}, "resolution"},
		"a callback in XML":          {[]any{"callbackUrlContentType", "application/xml"}, "callbackUrlContentType"},
		"a document to fetch":        {[]any{"contentUrl", "https://elsewhere.test/fax.pdf"}, ""},
		"an invalid callback URL":    {[]any{"callbackUrl", "here"}, "callbackUrl"},
		"a callback elsewhere":       {[]any{"callbackUrl", "https://elsewhere.test/"}, "callbackUrl"},
		"a callback to this machine": {[]any{"callbackUrl", "http://127.0.0.1:9001/2018-06-01/runtime"}, "callbackUrl"},
		"a callback without TLS":     {[]any{"callbackUrl", "http://aviso.test/"}, "callbackUrl"},
		"an unknown field":           {[]any{"colour", "red"}, ""},
		"labels that are a list":     {[]any{"labels", []string{"a"}}, "labels"},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, test.field, refusedFax(t, c.sendJSON(t, test.pairs...), 422)) })
	}
	huge := append([]byte("%PDF-"), make([]byte, mailroom.MaxDocument)...)
	refusedFax(t, c.sendJSON(t, "files", []any{map[string]any{"file": huge, "fileType": "PDF"}}), 413)
	refusedFax(t, c.sendJSON(t, "headerText", strings.Repeat("x", 1<<20)), 413)
	for body, status := range map[string]int{"{": 400, "[]": 422, `{"to":"+4930123456"}{}`: 400} {
		refusedFax(t, c.call(t, "POST", faxes, "application/json", []byte(body)), status)
	}
	refusedFax(t, c.call(t, "POST", faxes, "multipart/form-data; boundary=b", []byte("--b\r\n")), 415)
	refusedFax(t, c.call(t, "POST", faxes, "application/x-www-form-urlencoded", []byte("to=1")), 415)
	refusedFax(t, c.call(t, "PUT", faxes, "", nil), 405)
	for _, id := range []string{"none", "01HDFHACK1YN7CCDYRA6ZRMA8Z"} {
		refusedFax(t, c.call(t, "GET", faxes+"/"+id, "", nil), 404)
	}
	assert.Empty(t, c.Steps())
}

func TestCallsNeedTheProjectsCredentials(t *testing.T) {
	w := newEnv(t)
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

func TestLettersAreNotFoundAsFaxes(t *testing.T) {
	c := faxClient{newEnv(t)}
	f := taken(t, c.sendJSON(t))
	letters, err := c.Store.Letters(t.Context(), "", 1, func(l mailroom.Letter) bool { return l.Carrier == mailroom.Fax })
	require.NoError(t, err)
	l := letters[0]
	l.Carrier = mailroom.Post
	require.NoError(t, c.Store.Save(t.Context(), l))
	refusedFax(t, c.call(t, "GET", faxes+"/"+f.ID, "", nil), 404)
}

func TestSimulatedFaultsOfFaxes(t *testing.T) {
	set := func(t *testing.T, c faxClient, behaviour string) {
		t.Helper()
		require.Equal(t, 303, c.Form(t, mailroom.PagePath, "behaviour", behaviour, "carrier", "fax").Code)
	}
	for behaviour, status := range map[string]int{"throttle": 429, "fail": 500} {
		t.Run(behaviour, func(t *testing.T) {
			c := faxClient{newEnv(t)}
			set(t, c, behaviour)
			rec := c.sendJSON(t)
			refusedFax(t, rec, status)
			assert.Equal(t, map[int]string{429: "30", 500: ""}[status], rec.Header().Get("Retry-After"))
			assert.Empty(t, c.Steps())
			c.AdvanceTime(t, 10*time.Minute)
			taken(t, c.sendJSON(t))
		})
	}
	t.Run("hang handles the request and responds late", func(t *testing.T) {
		c := faxClient{newEnv(t)}
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
			c := faxClient{newEnv(t)}
			set(t, c, behaviour)
			f := taken(t, c.sendJSON(t, "maxRetries", 2))
			c.AdvanceTime(t, time.Hour)
			f = c.get(t, f.ID)
			assert.Equal(t, want, end{f.Status, f.ErrorCode, len(c.Callbacks()), f.RetryCount})
		})
	}
	t.Run("delay", func(t *testing.T) {
		c := faxClient{newEnv(t)}
		set(t, c, "delay")
		f := taken(t, c.sendJSON(t))
		c.AdvanceTime(t, 9*time.Minute)
		assert.Equal(t, "QUEUED", c.get(t, f.ID).Status)
		c.AdvanceTime(t, 2*time.Minute)
		assert.Equal(t, "COMPLETED", c.get(t, f.ID).Status)
	})
	t.Run("one carrier does not affect the other", func(t *testing.T) {
		c := faxClient{newEnv(t)}
		require.Equal(t, 303, c.Form(t, mailroom.PagePath, "behaviour", "fail", "carrier", "post").Code)
		taken(t, c.sendJSON(t))
	})
}

// The response to any input is one of the documented ones.
func FuzzSend(f *testing.F) {
	f.Add("application/json", []byte(`{"to":"+4930123456","files":[{"file":"JVBERi0=","fileType":"PDF"}]}`))
	f.Add("multipart/form-data; boundary=b", []byte("--b\r\nContent-Disposition: form-data; name=\"to\"\r\n\r\n+4930123456\r\n--b--\r\n"))
	allowed := map[int]bool{200: true, 400: true, 413: true, 415: true, 422: true}
	f.Fuzz(func(t *testing.T, contentType string, body []byte) {
		if strings.ContainsAny(contentType, "\r\n\x00") {
			return
		}
		rec := faxClient{newEnv(t)}.call(t, "POST", faxes, contentType, body)
		assert.True(t, allowed[rec.Code], rec.Code)
		assert.True(t, json.Valid(rec.Body.Bytes()))
	})
}
