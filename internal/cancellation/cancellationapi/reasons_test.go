package cancellationapi_test

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/tests/cancellationtest"
)

func reason(kind string, date ...string) map[string]any {
	r := map[string]any{"kind": kind}
	if len(date) > 0 {
		r["date"] = date[0]
	}
	return map[string]any{"reason": r}
}

func facts(text string) map[string]any {
	return map[string]any{"reason": map[string]any{"kind": "Special", "text": text}}
}

// The gym is a service in Germany, whose law knows good cause and a missing button.
func TestReasons(t *testing.T) {
	s := newService(t)

	t.Run("are answered, and said in letter, history and evidence", func(t *testing.T) {
		want := map[string]any{"kind": "Special", "date": "2026-02-20", "text": "The sauna has been closed since May."}
		a := s.post("", with(body("gym"), map[string]any{"reason": map[string]any{
			"kind": "Special", "date": "2026-02-20", "text": "The sauna\r\nhas been  closed since May.",
		}}))
		require.Equal(t, http.StatusCreated, a.StatusCode, a.Body)
		id, _ := a.Member("data", "cancellation", "cancellationId").(string)
		record, _ := s.read("/cancellations/"+id).Member("data", "cancellation").(map[string]any)
		assert.Equal(t, want, record["reason"])
		assert.Nil(t, record["endDate"], "the ordinary end is not what the letter asks for")
		history, _ := record["history"].([]any)
		first, _ := history[0].(map[string]any)
		assert.Equal(t, want, first["reason"])
		c, err := s.store.Cancellation(t.Context(), cancellationtest.User(), id)
		require.NoError(t, err)
		letter, err := s.store.Letter(t.Context(), c.Owner, id)
		require.NoError(t, err)
		assert.Contains(t, string(letter.PDF), "Reason:{Kind:Special Date:2026-02-20 Text:The sauna has been closed since May. "+
			"Article:§ 314 Abs. 1 BGB Immediate:true}")
		s.authority, _ = authority(t)
		files := members(t, s.evidence(id))
		assert.Contains(t, files["evidence.json"], `"reason":{"article":"§ 314 Abs. 1 BGB","date":"2026-02-20",`+
			`"kind":"Special","text":"The sauna has been closed since May."}`)
		assert.Contains(t, files["evidence.json"], `"reason":"Special","status":"Created"`)
	})

	t.Run("may be left out, or be ordinary", func(t *testing.T) {
		ordinary := map[string]any{"kind": "Ordinary"}
		b := with(body("streaming"), map[string]any{"externalCancellationRequestIdentifier": "plain"})
		a := s.post("", b)
		require.Equal(t, http.StatusCreated, a.StatusCode, a.Body)
		assert.Equal(t, ordinary, a.Member("data", "cancellation", "reason"))
		again := s.post("", with(b, reason("Ordinary")))
		assert.Equal(t, http.StatusOK, again.StatusCode, "the same content")
		assert.Equal(t, a.Member("data", "cancellation", "cancellationId"), again.Member("data", "cancellation", "cancellationId"))
		assert.Equal(t, http.StatusConflict, s.post("", with(b, reason("Special"))).StatusCode, "other content")
	})

	t.Run("let the user choose a day that the term does not allow", func(t *testing.T) {
		b := with(body("gym"), map[string]any{"endDate": "2026-03-04"})
		assert.Equal(t, http.StatusUnprocessableEntity, s.post("?dryRun=true", b).StatusCode)
		a := s.post("?dryRun=true", with(b, reason("NoCancellationButton")))
		require.Equal(t, http.StatusOK, a.StatusCode, a.Body)
		assert.Equal(t, "2026-03-04", a.Member("data", "letter", "endDate"))
		pdf, err := base64.StdEncoding.DecodeString(a.Member("data", "letter", "pdf").(string))
		require.NoError(t, err)
		assert.NotEmpty(t, pdf)
	})

	t.Run("that cannot be are rejected", func(t *testing.T) {
		for name, c := range map[string]struct {
			body    map[string]any
			pointer string
			code    string
		}{
			"unknown to the law":       {with(body("gym"), reason("NotReminded")), "/reason/kind", "unknown_to_law"},
			"of an unknown sector":     {with(body("streaming"), reason("PriceRise", "2026-03-01")), "/reason/kind", "unknown_to_law"},
			"not a kind":               {with(body("gym"), reason("Weather")), "/reason/kind", ""},
			"not a date":               {with(body("gym"), reason("Special", "soon")), "/reason/date", ""},
			"a day that is invalid":    {with(body("gym"), reason("Special", "2026-02-30")), "/reason/date", ""},
			"a day of another century": {with(body("gym"), reason("Special", "1066-10-14")), "/reason/date", "out_of_range"},
			"without its date":         {with(body("phone"), reason("PriceRise")), "/reason/date", "required"},
			"too long":                 {with(body("gym"), facts(strings.Repeat("x", 501))), "/reason/text", ""},
			"unprintable":              {with(body("gym"), facts("a ❤")), "/reason/text", "unprintable"},
			"withdrawn without a date": {with(body("gym"), reason("Withdrawal")), "/reason/date", "required"},
			"withdrawn from tomorrow":  {with(body("gym"), reason("Withdrawal", "2026-03-03")), "/reason/date", "future"},
			"withdrawn too late":       {with(body("gym"), reason("Withdrawal", "2026-02-13")), "/reason/date", "over"},
			"withdrawn for a day": {
				with(with(body("gym"), reason("Withdrawal", "2026-03-01")), map[string]any{"endDate": "2026-03-05"}),
				"/endDate", "not_possible",
			},
		} {
			a := s.post("", c.body)
			assert.Equal(t, http.StatusUnprocessableEntity, a.StatusCode, "%s: %s", name, a.Body)
			if c.code == "unknown_to_law" || c.code == "over" {
				assert.Equal(t, "reason_not_available", a.Member("code"), name)
			}
			faults, _ := a.Member("errors").([]any)
			require.Len(t, faults, 1, "%s: %s", name, a.Body)
			fault, _ := faults[0].(map[string]any)
			assert.Equal(t, c.pointer, fault["pointer"], name)
			if c.code != "" {
				assert.Equal(t, c.code, fault["code"], name)
			}
		}
	})

	t.Run("are named by the deadline", func(t *testing.T) {
		s := newService(t)
		s.imported(deadlineFile)
		a := s.ok(deadlinePath("card"))
		assert.Equal(t, []any{
			map[string]any{
				"kind": "NoCancellationButton", "needsDate": false, "needsText": false, "confirmed": true,
				"source": "§ 312k Abs. 6 BGB, https://www.gesetze-im-internet.de/bgb/__312k.html",
			},
			map[string]any{
				"kind": "Special", "needsDate": false, "needsText": false, "confirmed": true,
				"source": "§ 314 Abs. 1 BGB, https://www.gesetze-im-internet.de/bgb/__314.html",
			},
			map[string]any{
				"kind": "Withdrawal", "needsDate": true, "needsText": false, "confirmed": true,
				"source": "§§ 312g, 355 BGB, https://www.gesetze-im-internet.de/bgb/__355.html",
			},
		}, a.Member("data", "deadline", "reasons"))
		assert.Nil(t, a.Member("data", "deadline", "reason"))
	})
}

// Monday, 2 March 2026 is the last day to withdraw from a contract of Monday, 16 February.
func TestWithdrawal(t *testing.T) {
	s := newService(t)
	s.imported(deadlineFile)

	t.Run("is what the deadline begins with", func(t *testing.T) {
		a := s.calculate(deadlinePath("card"), `{"concludedOn":"2026-02-16","agreedTerms":{"concludedAt":"Distance"}}`)
		d := a.Member("data", "deadline").(map[string]any)
		assert.Equal(t, map[string]any{
			"until": "2026-03-02", "source": "§§ 312g, 355 BGB, https://www.gesetze-im-internet.de/bgb/__355.html",
		}, d["withdrawal"])
		assert.Equal(t, "withdrawal", d["steps"].([]any)[0].(map[string]any)["rule"])
		assert.Equal(t, map[string]any{"kind": "Withdrawal", "date": "2026-02-16"}, d["reason"], "to send as it is")
	})

	t.Run("is over, or depends on the place", func(t *testing.T) {
		for body, missing := range map[string][]any{
			`{"concludedOn":"2026-02-13","agreedTerms":{"concludedAt":"Distance"}}`:                       {"contractStart"},
			`{"concludedOn":"2026-02-16","agreedTerms":{"concludedAt":"Shop"}}`:                           {"contractStart"},
			`{"concludedOn":"2026-02-16","customer":"Business","agreedTerms":{"concludedAt":"Distance"}}`: {"contractStart"},
			`{"concludedOn":"2026-02-16"}`: {"contractStart", "concludedAt"},
		} {
			d := s.calculate(deadlinePath("card"), body).Member("data", "deadline").(map[string]any)
			assert.NotContains(t, d, "withdrawal", body)
			assert.Equal(t, missing, d["missing"], body)
		}
	})

	t.Run("goes by e-mail, whatever form a cancellation has", func(t *testing.T) {
		a := s.post("", with(body("gym"), reason("Withdrawal", "2026-02-16")))
		require.Equal(t, http.StatusCreated, a.StatusCode, a.Body)
		assert.Equal(t, "2026-03-02", a.Member("data", "cancellation", "endDate"), "it counts at once")
		a = s.post("?dryRun=true", with(body("ink"), reason("Withdrawal", "2026-02-16")))
		require.Equal(t, http.StatusOK, a.StatusCode, a.Body)
		a = s.post("", with(body("ink"), reason("Withdrawal", "2026-02-16")))
		assert.Equal(t, http.StatusCreated, a.StatusCode, "no original signature: %s", a.Body)
	})
}
