package layout

import "net/http"

// Origin returns the public address of this environment, without a slash at the end: the
// configured one or, where that is empty, the one under which the request came.
func Origin(configured string, r *http.Request) string {
	if configured != "" {
		return configured
	}
	scheme := "https"
	if r.TLS == nil && r.Header.Get("X-Forwarded-Proto") != "https" {
		scheme = "http"
	}
	return scheme + "://" + r.Host
}
