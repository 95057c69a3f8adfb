package cancellationapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation/catalogue"
	"aviso/localstack/tests/apitest"
)

// deadlineFile has a gym, whose members can also write by post, and a club without terms.
const deadlineFile = `{"category":{"slug":"fitness","names":{"en":"Fitness"}}}
{"organization":{"slug":"gym","category":"fitness","name":"Gym","locales":["de-DE","en-GB"],"products":[{"slug":"card","name":"Card","locales":["de-DE","en-GB"],"form":"Text","channels":[{"kind":"Email","email":"service@gym.example"},{"kind":"Mail","address":{"recipient":["Gym"],"postalCode":"50667","city":"Köln","countryCode":"DE"}}],"fields":["NAME","ADDRESS","ZIP","CITY"],"terms":[{"sector":"Services","minimumTerm":"P12M","noticePeriod":"P3M","renewal":"Fixed","renewalTerm":"P12M","source":"AGB, Ziffer 4"}]},{"slug":"club","name":"Club","locales":["de-DE"],"form":"Text","channels":[{"kind":"Fax","fax":"+4922155500123"}],"fields":["NAME"]}]}}
`

func deadlinePath(product string) string {
	gym := catalogue.OrganizationID("gym")
	return "/organizations/" + gym + "/products/" + catalogue.ProductID("gym", product) + "/deadline"
}

func (s *service) calculate(path, body string) apitest.Response {
	s.Helper()
	return s.send(http.MethodPost, path, body, map[string]string{
		"Authorization": s.edge.Token("sandbox", "cancellation"), "Content-Type": "application/json",
	})
}

func TestDeadline(t *testing.T) {
	t.Parallel()
	s := newService(t) // it is Monday, 2 March 2026
	s.imported(deadlineFile)

	t.Run("has every member", func(t *testing.T) {
		a := s.ok(deadlinePath("card")+"?contractStart=2025-05-01").Member("data", "deadline").(map[string]any)
		// The first year ends on 30 April 2026. What arrives on 31 March, a Tuesday, is a month before: April has no
		// 31st. An e-mail takes a working day and a letter five.
		assert.Equal(t, "2026-04-30", a["earliestEnd"])
		assert.Equal(t, []any{
			map[string]any{"channel": "Email", "date": "2026-03-30"}, map[string]any{"channel": "Mail", "date": "2026-03-24"},
		}, a["sendBy"])
		assert.Equal(t, []any{"2026-04-30", false}, []any{a["earliestFreeEnd"], a["costs"]})
		assert.NotContains(t, a, "form", "any text will do")
		assert.Equal(t, []any{"customer"}, a["missing"])
		steps := a["steps"].([]any)
		require.NotEmpty(t, steps)
		for _, step := range steps {
			assert.Len(t, step, 3)
			assert.NotEmpty(t, step.(map[string]any)["rule"])
			assert.NotEmpty(t, step.(map[string]any)["text"])
		}
		assert.Equal(t, map[string]any{
			"rule": "statutory_notice", "source": "§ 309 Nr. 9 BGB, https://www.gesetze-im-internet.de/bgb/__309.html",
			"text": "Nach dem Gesetz beträgt die Kündigungsfrist höchstens: 1 Monat.",
		}, steps[0])
	})

	t.Run("counts for the channel, the day and the locale's law", func(t *testing.T) {
		for query, want := range map[string][3]string{
			// In Germany any day after the first year, a month after it arrives.
			"contractStart=2024-05-01":                        {"2026-04-03", "Email", "2026-03-02"},
			"contractStart=2024-05-01&cancelledOn=2026-03-06": {"2026-04-09", "Email", "2026-03-06"},
			"contractStart=2024-05-01&channel=Mail":           {"2026-04-09", "Mail", "2026-03-02"},
		} {
			a := s.ok(deadlinePath("card")+"?"+query).Member("data", "deadline").(map[string]any)
			first := a["sendBy"].([]any)[0].(map[string]any)
			assert.Equal(t, want, [3]string{a["earliestEnd"].(string), first["channel"].(string), first["date"].(string)}, query)
		}
	})

	t.Run("says what is missing", func(t *testing.T) {
		for path, want := range map[string][]any{
			deadlinePath("club") + "?contractStart=2024-05-01": {"terms"},
			deadlinePath("card"): {"contractStart"},
		} {
			a := s.ok(path).Member("data", "deadline").(map[string]any)
			assert.Equal(t, want, a["missing"])
			assert.Equal(t, []any{}, a["sendBy"])
			assert.NotContains(t, a, "earliestEnd")
			assert.NotContains(t, a, "nextChance")
			assert.Len(t, a["steps"], 1)
		}
	})

	t.Run("takes more facts", func(t *testing.T) {
		for body, want := range map[string]string{
			`{}`: "",
			`{"contractStart":"2024-05-01","customer":"Business"}`:                           "2027-04-30",
			`{"contractStart":"2024-05-01","customer":"SmallBusiness"}`:                      "2027-04-30",
			`{"contractStart":"2024-05-01","agreedTerms":{"sector":"Party"}}`:                "2026-03-03",
			`{"contractStart":"2024-05-01","agreedTerms":{"noticePeriod":"P2W"}}`:            "2026-03-17",
			`{"contractStart":"2022-03-15","concludedOn":"2022-02-15"}`:                      "2027-03-14",
			`{"contractStart":"2020-05-01","lastRenewal":"2025-08-01"}`:                      "2026-07-31",
			`{"contractStart":"2024-05-01","agreedTerms":{"renewal":"None"},"channel":null}`: "2025-04-30",
		} {
			a := s.calculate(deadlinePath("card"), body)
			require.Equal(t, http.StatusOK, a.StatusCode, a.Body)
			end, _ := a.Member("data", "deadline").(map[string]any)["earliestEnd"].(string)
			assert.Equal(t, want, end, body)
		}
		terms := `{"contractStart":"2026-01-01","agreedTerms":{"noticePeriod":"P0D","renewal":"Open","endOf":"Month"}}`
		a := s.calculate(deadlinePath("club"), terms)
		assert.Equal(t, "2026-03-31", a.Member("data", "deadline", "earliestEnd"), "although the product has no terms")
		assert.Equal(t, []any{"sector"}, a.Member("data", "deadline", "missing"), "no statute was applied")
	})

	t.Run("says in what form, and where no law is known", func(t *testing.T) {
		// A flat is given up on paper. The third working day of April is Saturday, the 4th, after Good Friday, so that a
		// letter must arrive on Thursday, which is five working days after 26 March.
		rent := `{"contractStart":"2024-05-01","agreedTerms":{"sector":"Rental","renewal":"Open","minimumTerm":"P0D","endOf":"Month"}}`
		a := s.calculate(deadlinePath("card"), rent).Member("data", "deadline").(map[string]any)
		assert.Equal(t, map[string]any{
			"requirement": "Written", "reason": "Nach dem Gesetz muss die Kündigung ein unterschriebener Brief sein.",
		}, a["form"])
		assert.Equal(t, []any{map[string]any{"channel": "Mail", "date": "2026-03-26"}}, a["sendBy"])
		assert.Equal(t, "2026-06-30", a["earliestEnd"])
		a = s.ok(deadlinePath("card")+"?contractStart=2025-05-01&locale=en-GB").Member("data", "deadline").(map[string]any)
		assert.Equal(t, []any{"law"}, a["missing"])
		assert.Equal(t, []any{"2027-04-30", "Latest"}, []any{a["earliestEnd"], a["certainty"]})
		assert.Empty(t, a["sendBy"], "no day that looks like the last chance")
		assert.NotContains(t, a, "nextChance")
		steps := a["steps"].([]any)
		assert.Contains(t, steps[len(steps)-1].(map[string]any)["text"], "Send the cancellation now.")
		energy := `{"contractStart":"2024-05-01","agreedTerms":{"sector":"Energy"}}`
		a = s.calculate(deadlinePath("card"), energy).Member("data", "deadline").(map[string]any)
		assert.Equal(t, "NewProvider", a["form"].(map[string]any)["requirement"], "an own letter can end the supply")
		assert.Equal(t, "Exact", a["certainty"])
	})

	t.Run("rejects what cannot be", func(t *testing.T) {
		for query, parameter := range map[string]string{
			"contractStart=2026-02-30": "contractStart", "contractStart=1899-12-31": "contractStart", "cancelledOn=x": "cancelledOn",
			"channel=Fax": "channel", "channel=Pigeon": "channel", "locale=fr-FR": "locale",
		} {
			a := s.get(deadlinePath("card")+"?"+query, "cancellation")
			assert.Equal(t, http.StatusUnprocessableEntity, a.StatusCode, a.Body)
			fault := a.Member("errors").([]any)[0].(map[string]any)
			assert.Equal(t, parameter, fault["parameter"], query)
		}
		for body, pointer := range map[string]string{
			`{"contractStart":"2026-02-30"}`:                            "/contractStart",
			`{"lastRenewal":"2026-01-01"}`:                              "/lastRenewal",
			`{"contractStart":"2026-01-01","lastRenewal":"2025-12-31"}`: "/lastRenewal",
			`{"concludedOn":"2026-02-02","cancelledOn":"2026-02-01"}`:   "/concludedOn",
			`{"agreedTerms":{"noticePeriod":"P1Y6M"}}`:                  "/agreedTerms/noticePeriod",
			`{"agreedTerms":{"minimumTerm":"P99Y"}}`:                    "/agreedTerms/minimumTerm",
			`{"channel":"Fax"}`:                                         "/channel",
			`{"contractStart":"2026-01-01","unknown":1}`:                "/unknown",
			`{"agreedTerms":{"renewal":"Sometimes"}}`:                   "/agreedTerms/renewal",
			`{"contractStart":"2199-12-31","cancelledOn":"2200-01-01"}`: "/cancelledOn",
		} {
			a := s.calculate(deadlinePath("card"), body)
			assert.Equal(t, http.StatusUnprocessableEntity, a.StatusCode, a.Body)
			fault := a.Member("errors").([]any)[0].(map[string]any)
			assert.Equal(t, pointer, fault["pointer"], body)
		}
	})

	t.Run("is not found for what is not there", func(t *testing.T) {
		for _, path := range []string{
			strings.Replace(deadlinePath("card"), catalogue.ProductID("gym", "card"), uuid.NewString(), 1),
			strings.Replace(deadlinePath("card"), catalogue.OrganizationID("gym"), uuid.NewString(), 1),
		} {
			assert.Equal(t, http.StatusNotFound, s.get(path, "cancellation").StatusCode)
			assert.Equal(t, http.StatusNotFound, s.calculate(path, `{}`).StatusCode)
		}
		assert.Equal(t, http.StatusForbidden, s.get(deadlinePath("card"), "pfm").StatusCode)
	})

	t.Run("costs one call", func(t *testing.T) {
		s.ok(deadlinePath("card") + "?contractStart=2025-05-01")
		assert.Equal(t, 1, s.calls())
	})
}
