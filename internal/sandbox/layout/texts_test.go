package layout_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	g "maragu.dev/gomponents"

	"aviso/internal/sandbox/layout"
)

func TestCustomersReadTheirOwnLanguage(t *testing.T) {
	t.Parallel()
	shown := func(s layout.Site, wanted string) string {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.Header.Set("Accept-Language", wanted)
		w := httptest.NewRecorder()
		s.Write(w, r, func(w http.ResponseWriter, r *http.Request) error {
			site := s.For(r)
			return site.Show(w, http.StatusOK, site.T("Share your accounts?"), "", g.Text(site.T("Until %s", "4 May")))
		})
		return w.Body.String()
	}
	customers := layout.Site{Customers: true}
	for wanted, parts := range map[string][]string{
		"de-AT,en;q=0.5": {`lang="de"`, "Ihre Konten teilen?", "Bis 4 May"},
		"cs":             {`lang="cs"`, "Sdílet vaše účty?"},
		"ja,pl;q=0.1":    {`lang="pl"`, "Udostępnić rachunki?"},
		"":               {`lang="en"`, "Share your accounts?"},
		";;;":            {`lang="en"`},
		"ar-EG":          {`lang="en"`, `lang="ar" dir="rtl"`, "Share your accounts?"},
	} {
		for _, part := range parts {
			assert.Contains(t, shown(customers, wanted), part, wanted)
		}
	}
	assert.Contains(t, shown(layout.Site{}, "de"), "Share your accounts?", "developers read English")
}

func TestTextsAreComplete(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("texts.json")
	require.NoError(t, err)
	languages := layout.Parse[map[string]map[string]string](data)
	delete(languages, "ar")
	assert.Len(t, languages, 10)
	for tag, texts := range languages {
		require.Len(t, texts, len(languages["de"]), tag)
		for text, translated := range texts {
			assert.Equal(t, strings.Count(text, "%"), strings.Count(translated, "%"), translated)
			assert.NotEmpty(t, translated, "%s in %s", text, tag)
		}
	}
}
