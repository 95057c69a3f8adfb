package pfmapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/identity"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/pfmapi"
	"aviso/internal/pfm/pfmtest"
	"aviso/localstack/tests/apitest"
)

// getIn opens a page in a browser that prefers these languages.
func (s *service) getIn(languages, path string) apitest.Response {
	s.Helper()
	return s.send(http.MethodGet, path, map[string]string{"Accept-Language": languages}, "")
}

// requireLanguage checks that a page is in this language and says so.
func requireLanguage(t *testing.T, a apitest.Response, language, title string) {
	t.Helper()
	assert.Contains(t, a.Body, "<h1>"+title+"</h1>")
	assert.Contains(t, a.Body, `<html lang="`+language+`">`)
	assert.Equal(t, language, a.Header("Content-Language"))
	assert.Equal(t, "Accept-Language", a.Header("Vary"))
	requirePrivate(t, a)
}

func TestPagesAreInTheUsersLanguage(t *testing.T) {
	s := newService(t)
	_, link := s.link()
	s.clock.Advance(connection.LinkLifetime)
	for _, c := range []struct{ user, browser, page, title string }{
		{"de", "", "de", "Dieser Link ist abgelaufen"},
		{"de", "fr-FR,fr;q=0.9", "de", "Dieser Link ist abgelaufen"},
		{"no", "", "nb", "Lenken er utløpt"},
		{"ja", "ja, pl;q=0.8, de;q=0.7", "pl", "Ten link wygasł"},
		{"ja", "ja", "en", "This link has expired"},
		{"ja", "", "en", "This link has expired"},
		{"ja", ";;;,q=", "en", "This link has expired"},
	} {
		t.Run(c.user+" "+c.browser, func(t *testing.T) {
			require.NoError(t, s.edge.People.UpdateUser(t.Context(), pfmtest.User(), "DE", c.user))
			a := s.getIn(c.browser, link)
			require.Equal(t, http.StatusGone, a.StatusCode)
			requireLanguage(t, a, c.page, c.title)
		})
	}
	t.Run("the browser's where the user is unknown", func(t *testing.T) {
		require.NoError(t, s.edge.People.UpdateUser(t.Context(), pfmtest.User(), "DE", "de"))
		requireLanguage(t, s.getIn("sv", "/connect?connectionId=x"), "sv", "Vi känner inte igen länken")
	})
	t.Run("the lifetime of a link is right in every language", func(t *testing.T) {
		minutes := fmt.Sprintf(" %d ", int(connection.LinkLifetime.Minutes()))
		for _, language := range pfmapi.Languages() {
			text := strings.ReplaceAll(pfmapi.WordsIn(language).Expired.Text, "\u00a0", " ")
			assert.Contains(t, text, minutes, language)
		}
	})
}

func TestPagesNameThePartner(t *testing.T) {
	s := newService(t)
	_, link := s.link()
	s.clock.Advance(connection.LinkLifetime)
	partner := func(p identity.Partner) apitest.Response {
		p.ID, p.ReturnURLs = "sandbox", []string{"https://partner.example/"}
		require.NoError(t, s.edge.People.PutPartner(t.Context(), p))
		a := s.get(link)
		requirePage(t, a, http.StatusGone, "This link has expired")
		return a
	}
	named := partner(identity.Partner{Name: "Acme, test", DisplayName: "Acme <Budget> & Co"})
	assert.Contains(t, named.Body, "<strong>Acme &lt;Budget&gt; &amp; Co</strong>")
	assert.Contains(t, named.Body, ">Back to Acme &lt;Budget&gt; &amp; Co</a>")
	assert.Contains(t, named.Body, "Aviso")
	assert.NotContains(t, named.Body, "Acme, test", "the operator's own name for the partner")

	older := partner(identity.Partner{Name: "Acme"})
	assert.Contains(t, older.Body, ">Back to Acme</a>", "one without a display name")
	assert.NotContains(t, s.get("/connect?connectionId=x").Body, "Acme")

	require.Equal(t, http.StatusGone, s.get(link).StatusCode)
	assert.Equal(t, 3, s.calls(), "owner, connection, and the words of the page")
}

func TestRedirectsDoNotReadTheWordsOfPages(t *testing.T) {
	s := newService(t)
	_, link := s.link()
	require.Equal(t, http.StatusFound, s.get(link).StatusCode)
	require.Equal(t, http.StatusFound, s.get(link).StatusCode)
	assert.Equal(t, 2, s.calls())
}

func TestPageIsShownThoughItsWordsCannotBeChosen(t *testing.T) {
	s := newService(t)
	_, link := s.link()
	s.clock.Advance(connection.LinkLifetime)
	s.edge.LoseAnswersOf = "BatchGetItem"
	a := s.getIn("de", link)
	require.Equal(t, http.StatusGone, a.StatusCode)
	requireLanguage(t, a, "de", "Dieser Link ist abgelaufen")
	assert.Contains(t, a.Body, ">Zurück zu partner.example</a>")
	assert.Contains(t, s.edge.Log.String(), "InternalServerError")
}
