package command

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRequests(t *testing.T) {
	t.Parallel()
	const one = `{"at":"2026-03-02T12:00:00Z","traceId":"t-1","operation":"createX","route":"POST /x","status":422,` +
		`"problem":"template_mismatch","faults":["EMAIL format"],"tookMs":1.5}`
	signedIn := func(t *testing.T, list string) *terminal {
		t.Helper()
		term := newTerminal(t, map[string]string{"POST /console/sign-in": "", "GET /console/requests.json": list})
		term.status["POST /console/sign-in"] = http.StatusSeeOther
		return term
	}

	t.Run("are listed with what failed", func(t *testing.T) {
		t.Parallel()
		term := signedIn(t, `{"requests":[`+one+`]}`)
		code, out, said := term.run(t, "requests", "--status", "4xx", "--user", "customer-1")
		require.Equal(t, 0, code, said)
		for _, want := range []string{"422", "template_mismatch", "createX", "2 ms", "t-1", "EMAIL format"} {
			assert.Contains(t, out, want)
		}
		assert.Equal(t, "clientId=id&clientSecret=right", term.sent["POST /console/sign-in"])
	})
	t.Run("are JSON for programs, and end at the limit", func(t *testing.T) {
		t.Parallel()
		term := signedIn(t, `{"requests":[`+one+`,`+one+`],"before":"x"}`)
		code, out, said := term.run(t, "requests", "--json", "--limit", "1")
		require.Equal(t, 0, code, said)
		assert.Contains(t, said, "There are more")
		var got []request
		require.NoError(t, json.Unmarshal([]byte(out), &got))
		assert.Equal(t, []string{"EMAIL format"}, got[0].Faults)
		assert.Len(t, got, 1)
		code, out, _ = signedIn(t, `{"requests":[]}`).run(t, "requests", "--json")
		assert.Equal(t, "0 []\n", string(rune('0'+code))+" "+out)
	})
	t.Run("say where people sign in themselves", func(t *testing.T) {
		t.Parallel()
		term := newTerminal(t, nil)
		code, _, said := term.run(t, "requests")
		assert.Equal(t, 3, code)
		assert.Contains(t, said, "/console/requests")
	})
	t.Run("say what is wrong in the command, or at the console", func(t *testing.T) {
		t.Parallel()
		term := signedIn(t, "<html>")
		for status, want := range map[int]int{http.StatusUnprocessableEntity: 2, http.StatusInternalServerError: 1, http.StatusOK: 1} {
			term.status["GET /console/requests.json"] = status
			code, _, said := term.run(t, "requests", "--status", "abc")
			assert.Equal(t, want, code, said)
			assert.NotContains(t, said, "right")
		}
		term.status["POST /console/sign-in"] = http.StatusUnauthorized
		code, _, _ := term.run(t, "requests")
		assert.Equal(t, 3, code)
	})
}
