// Package aggregator is the sandbox's aggregator: an HTTP server that speaks the account
// information API of Enable Banking, so that outside production the service runs the same
// client code as in production. It is strict about what that API is strict about, and
// answers with what makes clients stumble: explicit nulls, pages of two to ten rows, an
// empty page in between, accounts that are closed, and limits for calls without the user.
//
// # Addresses
//
// The API is at /sandbox/aggregator. Applications are registered with
//
//	POST /sandbox/aggregator/applications {"certificate": "<PEM>", "redirect_urls": ["…"]}
//
// which answers {"app_id": "…"}; certificate is a certificate or a public key (RSA).
//
// # The user's page
//
// POST /auth answers the address of a page, /sandbox/aggregator/auth/{attempt}. Its forms
// are posted there as application/x-www-form-urlencoded, together or one after the other,
// and a program can post them without reading the page:
//
//	persona=anna        log in; returns 303 to the page again
//	decision=approve    returns 303 to the redirect URL with code and state
//	decision=refuse     returns 303 with error=access_denied and state
package aggregator
