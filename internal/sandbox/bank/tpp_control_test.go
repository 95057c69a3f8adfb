package bank_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// Controlled is a consent as the control page returns it in JSON.
type Controlled struct {
	ID, Href, Bank, Persona, Customer, ConnectionID, Status, Trouble string
	SCADue                                                           bool
}

// JSON gets a control page as JSON.
func (p *TPP) JSON(t testing.TB, path string, into any) {
	t.Helper()
	req := httptest.NewRequestWithContext(t.Context(), "GET", Base+path, nil)
	req.Header.Set("Accept", "application/json")
	rec := httptest.NewRecorder()
	p.Handler.ServeHTTP(rec, req)
	require.Equal(t, http.StatusOK, rec.Code)
	Decode(t, rec.Result(), into)
}

// Newest returns the consent that was approved last.
func (p *TPP) Newest(t testing.TB) Controlled {
	t.Helper()
	var list struct{ Consents []Controlled }
	p.JSON(t, "/sandbox/control", &list)
	require.NotEmpty(t, list.Consents)
	return list.Consents[0]
}

// Tell posts an action for the consent that was approved last, with further fields as
// pairs of name and value.
func (p *TPP) Tell(t testing.TB, action string, fields ...string) {
	t.Helper()
	form := url.Values{"action": {action}}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	path := p.Newest(t).Href
	res := p.Post(t, Base+path, form)
	require.Equal(t, http.StatusSeeOther, res.StatusCode)
	require.Equal(t, path+"?done="+action, res.Header.Get("Location"))
}
