package blackbox_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// userClock is the clock of a user.
type userClock struct {
	Now, AdvancedTo time.Time
	Status          string
}

func (p partner) clock(t *testing.T) userClock {
	t.Helper()
	var out struct{ Data struct{ Clock userClock } }
	p.send(t, http.MethodGet, "/sandbox/v1/users/"+p.user+"/clock", nil).decode(t, &out)
	return out.Data.Clock
}

// advance advances the user's clock, and waits until everything has happened.
func (p partner) advance(t *testing.T, by string) userClock {
	t.Helper()
	a := p.send(t, http.MethodPost, "/sandbox/v1/users/"+p.user+"/clock", map[string]any{"advanceBy": by})
	require.Equal(t, http.StatusAccepted, a.status, string(a.body))
	var c userClock
	eventually(t, func() bool { c = p.clock(t); return c.Status == "Ready" }, patience, 250*time.Millisecond, "still advancing")
	return c
}
