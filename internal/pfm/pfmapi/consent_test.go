package pfmapi_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/identity"
	"aviso/internal/outcome"
	"aviso/internal/pfm/pfmapi"
)

func asksConsent(s *pfmapi.Services) {
	s.Connections.ConsentDays = 400
	s.Entity = func(context.Context) (pfmapi.Entity, error) {
		return pfmapi.Entity{
			Name: `Licht <b>& Co</b> Ltd`, Register: "FCA 987654", PrivacyNotice: "https://licht.example/privacy?a=1&b=2",
		}, nil
	}
}

var seen = regexp.MustCompile(`name="seen" value="([0-9a-f]{64})"`)

// open opens the link and returns the consent page with its path.
func (s *service) open() (id, step, page string) {
	s.Helper()
	id, link := s.link()
	a := s.get(link)
	require.Equal(s, http.StatusFound, a.StatusCode, a.Body)
	step = strings.TrimPrefix(a.Header("Location"), base)
	a = s.get(step)
	require.Equal(s, http.StatusOK, a.StatusCode)
	requirePrivate(s.T, a)
	assert.Contains(s, a.Header("Content-Security-Policy"), "frame-ancestors 'none'", "RFC 9700, section 4.16")
	return id, step, a.Body
}

func TestConsentPage(t *testing.T) {
	s := newService(t, asksConsent)
	require.NoError(t, s.edge.People.PutPartner(t.Context(), identity.Partner{
		ID: "sandbox", DisplayName: `Acme "Budget"`, ReturnURLs: []string{"https://partner.example/"},
	}))
	id, step, page := s.open()

	t.Run("says who, for whom, what, how long, how to end it, and where the notice is", func(t *testing.T) {
		for _, says := range []string{
			"Licht &lt;b&gt;&amp; Co&lt;/b&gt; Ltd", "FCA 987654", "Acme &#34;Budget&#34;", "IBAN", "days back",
			"Until 28 August 2026", "remove the bank in Acme", "end the access at your bank", "transactions",
			`href="https://licht.example/privacy?a=1&amp;b=2"`, `value="yes"`, `value="no"`, "Nobody can make payments",
		} {
			assert.Contains(t, page, says)
		}
		assert.NotContains(t, page, "<b>")
		assert.NotContains(t, page, "checked", "nothing is decided beforehand")
		assert.NotContains(t, strings.ToLower(page), "terms and conditions", "nothing else is agreed to (GDPR, article 7(2))")
	})
	t.Run("in the user's language", func(t *testing.T) {
		s.speaks("fr")
		french := s.get(step).Body
		assert.Contains(t, french, `<html lang="fr">`)
		assert.Contains(t, french, "28/08/2026")
		s.speaks("en")
	})
	t.Run("is asked again if it said something else", func(t *testing.T) {
		a := s.browser.send(http.MethodPost, step, "consent=yes&seen="+strings.Repeat("0", 64))
		assert.Equal(t, http.StatusOK, a.StatusCode)
		assert.Contains(t, a.Body, `value="yes"`)
		assert.Empty(t, s.bank.Requested)
	})
	t.Run("takes no answer from another site, which has no cookie", func(t *testing.T) {
		a := s.newBrowser().send(http.MethodPost, step, "consent=yes&seen="+seen.FindStringSubmatch(page)[1])
		assert.Equal(t, http.StatusForbidden, a.StatusCode)
	})
	t.Run("leads to the bank, and the record has what was read", func(t *testing.T) {
		digest := seen.FindStringSubmatch(page)[1]
		a := s.browser.send(http.MethodPost, step, "consent=yes&seen="+digest)
		require.Equal(t, http.StatusSeeOther, a.StatusCode, a.Body)
		assert.Equal(t, "https://bank.example/authorise/consent-1", a.Header("Location"))
		consents, _ := s.ok("/connections/"+id+"/consents").Member("data", "consents").([]any)
		require.Len(t, consents, 1)
		record, _ := consents[0].(map[string]any)
		text, _ := record["text"].(string)
		sum := sha256.Sum256([]byte(text))
		assert.Equal(t, digest, hex.EncodeToString(sum[:]))
		assert.Equal(t, digest, record["textSha256"])
		assert.Equal(t, "Given", record["consentStatus"])
		assert.Equal(t, "en", record["languageCode"])
		assert.Equal(t, []any{}, record["accountIds"])
		assert.NotContains(t, record, "endedAt")
		for line := range strings.SplitSeq(strings.NewReplacer("[", "", "]", "").Replace(text), "\n") {
			part := strings.TrimSpace(line[strings.Index(line, ": ")+1:])
			assert.Contains(t, html.UnescapeString(page), strings.TrimPrefix(part, "Agree and continue to the bank "))
		}
	})
}

func TestConsentPageLeaves(t *testing.T) {
	s := newService(t, asksConsent)
	id, step, page := s.open()
	a := s.browser.send(http.MethodPost, step, "consent=no&seen="+seen.FindStringSubmatch(page)[1])
	require.Equal(t, http.StatusSeeOther, a.StatusCode)
	assert.Equal(t, "https://partner.example/back?order=4711&connectionId="+id+"&status=cancelled", a.Header("Location"))
	assert.Contains(t, page, "partner.example", "names the partner by its site if it has no name")
}

func TestConsentPageNamesNobodyItDoesNotKnow(t *testing.T) {
	s := newService(t, asksConsent, func(s *pfmapi.Services) {
		s.Entity = func(context.Context) (pfmapi.Entity, error) { return pfmapi.Entity{}, outcome.ErrNotFound }
	})
	id, link := s.link()
	require.Equal(t, http.StatusFound, s.get(link).StatusCode)
	step := "/connect/step?connectionId=" + id
	requirePage(t, s.get(step), http.StatusInternalServerError, "Something went wrong on our side")
	none := sha256.Sum256(nil)
	a := s.browser.send(http.MethodPost, step, "consent=yes&seen="+hex.EncodeToString(none[:]))
	assert.Equal(t, http.StatusInternalServerError, a.StatusCode)
	assert.Empty(t, s.bank.Requested)
	assert.Contains(t, s.edge.Log.String(), "licensed entity")
}

func TestNoConsentsWithoutThePage(t *testing.T) {
	s := newService(t)
	id, link := s.link()
	require.Equal(t, http.StatusFound, s.get(link).StatusCode)
	require.Len(t, s.bank.Requested, 1)
	assert.Equal(t, []any{}, s.ok("/connections/"+id+"/consents").Member("data", "consents"))
	a := s.call(http.MethodGet, "/connections/7c1b5c2e-0000-4000-8000-000000000000/consents", "")
	assert.Equal(t, http.StatusNotFound, a.StatusCode)
}

// The words of a version stay as they are, because records name the version.
func TestConsentVersion(t *testing.T) {
	words := ""
	for _, language := range pfmapi.Languages() {
		words += fmt.Sprintf("%q", pfmapi.WordsIn(language).Consent)
	}
	sum := sha256.Sum256([]byte(words))
	assert.Equal(t, "956bf9d8", hex.EncodeToString(sum[:4]), "raise consentVersion with this digest")
}
