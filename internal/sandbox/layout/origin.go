package layout

import "net/http"

// Origin returns the public address of this environment without a trailing slash: the
// configured one or, if that is empty, the address of the request.
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
