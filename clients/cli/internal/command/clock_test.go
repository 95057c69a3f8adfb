package command

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestClock(t *testing.T) {
	t.Parallel()
	const path = "/sandbox/v1/users/user-2/clock"
	clock := func(status string) string {
		return `{"data":{"clock":{"userId":"user-2","now":"2026-12-01T12:00:00Z","status":"` + status +
			`","advancedTo":"2027-01-01T12:00:00Z"}}}`
	}
	for name, c := range map[string]struct {
		args      []string
		sent      string // the body
		code      int
		out, said string
	}{
		"is shown":      {code: done, out: "Ready"},
		"goes a step":   {args: []string{"--by=P1M"}, sent: `{"advanceBy":"P1M"}`, out: "Ready", said: "on the way to"},
		"goes to a day": {args: []string{"--to=2027-01-01"}, sent: `{"advanceTo":"2027-01-01T00:00:00Z"}`, out: "Ready"},
		"goes to a time": {
			args: []string{"--to=2027-01-01T12:00:00+01:00"}, sent: `{"advanceTo":"2027-01-01T12:00:00+01:00"}`, out: "Ready",
		},
		"does not go both ways": {args: []string{"--to=2027-01-01", "--by=P1M"}, code: wrongUse, said: "by to"},
		"needs a time":          {args: []string{"--to=tomorrow"}, code: wrongUse, said: "--to"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			term := newTerminal(t, map[string]string{"GET " + path: clock("Ready"), "POST " + path: clock(advancing)})
			code, out, said := term.run(t, append([]string{"clock", "user-2"}, c.args...)...)
			assert.Equal(t, c.code, code, said)
			assert.Contains(t, out, c.out)
			assert.Contains(t, said, c.said)
			if c.sent != "" {
				assert.JSONEq(t, c.sent, term.sent["POST "+path])
			}
		})
	}
	t.Run("is that of AVISO_USER_ID", func(t *testing.T) {
		t.Parallel()
		term := newTerminal(t, map[string]string{"GET /sandbox/v1/users/user-1/clock": clock("Ready")})
		code, out, said := term.run(t, "clock")
		require.Equal(t, done, code, said)
		assert.Contains(t, out, "Ready")
		delete(term.env, "AVISO_USER_ID")
		code, _, said = term.run(t, "clock")
		assert.Equal(t, wrongUse, code)
		assert.Contains(t, said, "AVISO_USER_ID")
	})
	t.Run("may take too long", func(t *testing.T) {
		t.Parallel()
		term := newTerminal(t, map[string]string{"GET " + path: clock(advancing)})
		code, out, said := term.run(t, "clock", "user-2", "--timeout=1ms")
		require.Equal(t, failed, code)
		assert.Empty(t, out)
		assert.Contains(t, said, "still on its way")
	})
}
