package pfmapi_test

import (
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/language"
	"pgregory.net/rapid"

	"aviso/internal/identity"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/pfmapi"
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
			s.speaks(c.user)
			a := s.getIn(c.browser, link)
			require.Equal(t, http.StatusGone, a.StatusCode)
			requireLanguage(t, a, c.page, c.title)
		})
	}
	t.Run("the browser's where the user is unknown", func(t *testing.T) {
		s.speaks("de")
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

func TestFor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ code, accept, want string }{
		{"", "", "en"},
		{"fr", "", "fr"},
		{"fr", "de", "fr"},
		{"", "fr", "fr"},
		{"", "fr-CH, fr;q=0.9, en;q=0.8", "fr"},
		{"", "ja, it;q=0.5, es;q=0.7", "es"},
		{"no", "", "nb"},
		{"nn", "", "nb"},
		{"ja", "de-AT", "de"},
		{"pt", "", "pt"},
		{"", "pt-BR", "pt"},
		{"", "*", "en"},
		{"", "de;q=0, nl;q=0.1", "nl"},
		{"xx", "yy", "en"},
		{"<b>", "<script>", "en"},
		{"", strings.Repeat("xx-", 100_000), "en"},
		{"", strings.Repeat("xx,", 3_000) + "de", "de"},
	} {
		assert.Equal(t, c.want, pfmapi.WordsFor(c.code, c.accept).Language, "%.20s, %.20s", c.code, c.accept)
	}
}

func TestForAgreesWithALibrary(t *testing.T) {
	t.Parallel()
	var ours []language.Tag
	for _, l := range pfmapi.Languages() {
		ours = append(ours, language.MustParse(l))
	}
	matcher := language.NewMatcher(ours)
	rapid.Check(t, func(t *rapid.T) {
		tag := rapid.SampledFrom([]string{"de", "de-AT", "de-Latn-CH", "fr-CA", "es-419", "pt-BR", "nb-NO", "no", "nn-NO",
			"en-GB", "cs-CZ", "sv", "DA", "fi-FI", "it-CH", "nl-BE", "pl", "ja", "zh-Hant-TW", "*"})
		weight := rapid.SampledFrom([]string{"", ";q=1", ";q=0.9", "; q=0.8", ";q=0.10", ";q=0.001", ";q=0"})
		var parts []string
		for range rapid.IntRange(0, 5).Draw(t, "tags") {
			parts = append(parts, tag.Draw(t, "tag")+weight.Draw(t, "weight"))
		}
		header := strings.Join(parts, rapid.SampledFrom([]string{",", ", "}).Draw(t, "separator"))
		wanted, _, err := language.ParseAcceptLanguage(header)
		require.NoError(t, err)
		want := "en"
		for _, w := range wanted { // one by one: the library would prefer an exact match further down
			if _, i, confidence := matcher.Match(w); confidence != language.No {
				want = pfmapi.Languages()[i]
				break
			}
		}
		assert.Equal(t, want, pfmapi.WordsFor("", header).Language, header)
	})
}

var placeholder = regexp.MustCompile(`\{\w+\}`)

func TestEveryLanguageHasAllWords(t *testing.T) {
	t.Parallel()
	english := texts(reflect.ValueOf(pfmapi.WordsIn("en")))
	for _, l := range pfmapi.Languages() {
		assert.Equal(t, l, language.MustParse(l).String(), "canonical")
		words := pfmapi.WordsIn(l)
		all := texts(reflect.ValueOf(words))
		for name, text := range all {
			assert.NotEmpty(t, text, "%s: %s", l, name)
			assert.Equal(t, strings.TrimSpace(text), text, "%s: %s", l, name)
			assert.Equal(t, placeholder.FindAllString(english[name], -1), placeholder.FindAllString(text, -1), "%s: %s", l, name)
			sentence := strings.HasSuffix(text, ".")
			assert.Equal(t, strings.HasSuffix(english[name], "."), sentence, "%s: %s ends like the English one", l, name)
			if l != "en" && sentence {
				assert.NotEqual(t, english[name], text, "%s: %s is translated", l, name)
			}
		}
	}
}

// texts returns all strings in a value by their path.
func texts(v reflect.Value) map[string]string {
	all := map[string]string{}
	for i := range v.NumField() {
		name, field := v.Type().Field(i).Name, v.Field(i)
		if field.Kind() == reflect.String {
			all[name] = field.String()
			continue
		}
		for inner, text := range texts(field) {
			all[name+"."+inner] = text
		}
	}
	return all
}
