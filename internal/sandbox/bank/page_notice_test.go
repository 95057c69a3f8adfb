package bank_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/sandbox/bank"
	"aviso/internal/sandbox/persona"
)

// The interface rejects such addresses, but the page must be safe with whatever is stored.
func TestNoticeLinksOnlyToWebAddresses(t *testing.T) {
	links := func(t *testing.T, returnAddress string) []element {
		t.Helper()
		store := newStore(t, func() time.Time { return noon })
		consent := bank.Consent{Bank: "lindenmark", ID: uuid.NewString(), State: bank.Valid, ValidUntil: persona.DayOf(noon)}
		decided := bank.Authorisation{
			Bank:        "lindenmark",
			ID:          uuid.NewString(),
			ConsentID:   consent.ID,
			Status:      bank.SCAFinalised,
			RedirectURI: returnAddress,
			ExpiresAt:   noon,
		}
		require.NoError(t, store.Save(t.Context(), consent, decided))
		p := &TPP{Bank: "lindenmark", Handler: bank.New(bank.Options{
			Store: store, BaseURL: Base, Now: func() time.Time { return noon }, NewID: uuid.NewString, Log: slog.New(slog.DiscardHandler),
		})}
		res := p.Get(t, Base+"/sandbox/banks/lindenmark/authorise/"+decided.ID)
		require.Equal(t, 409, res.StatusCode)
		_, elements := fit(t, res)
		return find(elements, "a")
	}
	for name, hostile := range map[string]string{
		"script":                    "javascript:alert(1)",
		"script in mixed case":      "JavaScript:alert(1)",
		"script after a space":      " javascript:alert(1)",
		"script with a line break":  "java\nscript:alert(1)",
		"script that looks like us": "javascript://tpp.test/%0aalert(1)",
		"data":                      "data:text/html,<script>alert(1)</script>",
		"other host without scheme": "//tpp.test/callback",
		"scheme without host":       "https:callback",
		"attribute of its own":      `" onmouseover="alert(1)`,
		"nothing":                   "",
	} {
		t.Run(name, func(t *testing.T) {
			found := links(t, hostile)
			require.Len(t, found, 1)
			assert.Equal(t, map[string]string{"href": "/sandbox/banks"}, found[0].attrs)
		})
	}
	t.Run("web address with markup characters", func(t *testing.T) {
		found := links(t, `http://localhost:8123/callback?a=1&b="><script>`)
		require.Len(t, found, 1)
		assert.Equal(
			t,
			map[string]string{"class": "button", "href": "http://localhost:8123/callback?a=1&amp;b=&#34;&gt;&lt;script&gt;"},
			found[0].attrs,
		)
	})
	t.Run("web address unchanged", func(t *testing.T) {
		assert.Equal(
			t,
			"http://localhost:8080/callback?state=%27x%27",
			links(t, "http://localhost:8080/callback?state=%27x%27")[0].attrs["href"],
		)
	})
}
