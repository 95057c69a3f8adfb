package carrier

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	testProject        = "3acb7ae1-cf3d-4112-ba5e-3a9d8c71cd47"
	testCallbackSecret = "secret-of-callbacks-with-32-characters"
	testNumber         = "+49301234567"
)

// faxGateway simulates Sinch's API and refuses everything undocumented.
type faxGateway struct {
	peer
	t   *testing.T
	url string
	now func() time.Time

	faxes     []*gatewayFax
	pageSize  int // the gateway's maximum
	firstPage int
	pageName  string
}

type gatewayFax struct {
	id, to, status string
	created        time.Time
	request        map[string]any
	labels         map[string]string
	pdf            []byte
	errorType      string
	errorCode      int
	completed      *time.Time
	fileGone       bool
}

func (g *gatewayFax) shown() map[string]any {
	shown := map[string]any{
		"id": g.id, "direction": "OUTBOUND", "to": g.to, "status": g.status, "labels": g.labels,
		"createTime": g.created.Format(time.RFC3339Nano), "projectId": testProject,
	}
	if g.errorType != "" {
		shown["errorType"], shown["errorCode"], shown["errorMessage"] = g.errorType, g.errorCode, "Erika Mustermann is busy"
	}
	if g.completed != nil {
		shown["completedTime"] = g.completed.Format(time.RFC3339)
	}
	return shown
}

func newFaxGateway(t *testing.T, now func() time.Time) *faxGateway {
	t.Helper()
	g := &faxGateway{t: t, now: now, pageSize: 1000, firstPage: 1, pageName: "page"}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { g.serve(w, r, g.work) }))
	t.Cleanup(server.Close)
	g.url = server.URL
	return g
}

func faxOptions(base string, now func() time.Time) FaxOptions {
	return FaxOptions{
		Common: Common{Now: now}, BaseURL: base + "/v3", ProjectID: testProject,
		KeyID: "key", KeySecret: "secret-of-key", CallbackBaseURL: "https://aviso.example", CallbackSecret: testCallbackSecret,
	}
}

func (g *faxGateway) carrier(edit ...func(*FaxOptions)) *Fax {
	o := faxOptions(g.url, g.now)
	o.Transport = g.transport()
	for _, e := range edit {
		e(&o)
	}
	f, err := NewFax(o)
	require.NoError(g.t, err)
	return f
}

func (g *faxGateway) add(status string, labels map[string]string) *gatewayFax {
	added := &gatewayFax{
		id: fmt.Sprintf("01HDF5S9P29WC29J578J8E%04d", len(g.faxes)), to: testNumber, status: status, created: g.now(), labels: labels,
	}
	g.faxes = append(g.faxes, added)
	return added
}

func (g *faxGateway) work(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if !assert.NoError(g.t, err) {
		return
	}
	if user, password, ok := r.BasicAuth(); !ok || user != "key" || password != "secret-of-key" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	path, ok := strings.CutPrefix(r.URL.Path, "/v3/projects/"+testProject+"/faxes")
	assert.True(g.t, ok, r.URL.Path)
	path = strings.TrimPrefix(path, "/")
	switch {
	case r.Method == http.MethodPost && path == "":
		g.send(w, r, body)
	case r.Method == http.MethodGet && path == "":
		g.list(w, r.URL.Query())
	case r.Method == http.MethodGet:
		for _, one := range g.faxes {
			if one.id == path {
				asJSON(w, "application/json", 200, one.shown())
				return
			}
		}
		w.WriteHeader(http.StatusNotFound)
	case r.Method == http.MethodDelete:
		for _, one := range g.faxes {
			if one.id+"/file" == path && !one.fileGone {
				one.fileGone = true
				w.WriteHeader(http.StatusNoContent)
				return
			}
		}
		w.WriteHeader(http.StatusNotFound)
	default:
		assert.Fail(g.t, "not documented", "%s %s", r.Method, r.URL)
	}
}

func (g *faxGateway) send(w http.ResponseWriter, r *http.Request, body []byte) {
	assert.Equal(g.t, "application/json", r.Header.Get("Content-Type"))
	var in struct {
		To    string `json:"to"`
		Files []struct{ File, FileType string }
	}
	labels := struct{ Labels map[string]string }{}
	requireJSON(g.t, body, &in)
	requireJSON(g.t, body, &labels)
	if !assert.Len(g.t, in.Files, 1) {
		return
	}
	assert.Equal(g.t, "PDF", in.Files[0].FileType)
	pdf, err := base64.StdEncoding.DecodeString(in.Files[0].File)
	assert.NoError(g.t, err)
	added := g.add("IN_PROGRESS", labels.Labels)
	added.to, added.pdf = in.To, pdf
	requireJSON(g.t, body, &added.request)
	asJSON(w, "application/json", 200, added.shown())
}

// list filters by day, direction and the start of the number, as documented.
func (g *faxGateway) list(w http.ResponseWriter, query url.Values) {
	day := query.Get("createTime")
	_, err := time.Parse(time.DateOnly, day)
	assert.NoError(g.t, err)
	assert.Equal(g.t, "OUTBOUND", query.Get("direction"))
	found := []any{}
	for _, one := range g.faxes {
		if one.created.UTC().Format(time.DateOnly) == day && strings.HasPrefix(one.to, query.Get("to")) {
			found = append(found, one.shown())
		}
	}
	page := g.firstPage
	if query.Has("page") {
		page, err = strconv.Atoi(query.Get("page"))
		assert.NoError(g.t, err)
	}
	from := min((page-g.firstPage)*g.pageSize, len(found))
	asJSON(w, "application/json", 200, map[string]any{
		"faxes": found[from:min(from+g.pageSize, len(found))], g.pageName: page, "pageSize": g.pageSize,
		"totalPages": (len(found) + g.pageSize - 1) / g.pageSize, "totalItems": len(found),
	})
}
