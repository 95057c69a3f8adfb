package console_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/internal/console"
)

// TestWhoMayDoWhat says which role a route needs at least, so that none asks for less by mistake.
func TestWhoMayDoWhat(t *testing.T) {
	for _, route := range newWorld(t).console.Routes() {
		if route.Role == console.Anybody || strings.HasSuffix(route.Path, "/sign-out") {
			continue
		}
		want := console.Viewer
		if route.Method != http.MethodGet {
			want = console.Developer
		}
		// Secrets, and what a user has signed.
		if strings.HasPrefix(route.Path, console.Path+"/keys") || strings.HasSuffix(route.Path, "/letter") {
			want = console.Admin
		}
		assert.GreaterOrEqual(t, route.Role, want, route.Method+" "+route.Path)
	}
}

// TestAnybodyMayOnlySignIn lists what needs no session.
func TestAnybodyMayOnlySignIn(t *testing.T) {
	var open []string
	for _, route := range newWorld(t).console.Routes() {
		if route.Role == console.Anybody {
			open = append(open, route.Method+" "+strings.TrimPrefix(route.Path, console.Path))
		}
	}
	assert.ElementsMatch(t, []string{
		"GET /console.css", "GET /console.js", "GET /sign-in", "POST /sign-in", "GET /sign-in/provider", "GET /sign-in/callback",
	}, open)
}
