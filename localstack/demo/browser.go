package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// maxHops is how many redirects in a row a browser follows.
const maxHops = 10

// browser is the user's: it follows redirects and fills in forms, until it is
// sent to the partner.
type browser struct {
	http *http.Client
	// home is the partner's return URL, which is recognised and not fetched.
	home string

	at   *url.URL
	page page
	// returned is the partner's URL once it has been reached.
	returned *url.URL
}

// open goes to an address; submit sends a form of the page shown.
func (b *browser) open(ctx context.Context, address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	return b.visit(ctx, http.MethodGet, u, nil)
}

func (b *browser) submit(ctx context.Context, f form) error {
	u, err := b.at.Parse(f.action)
	if err != nil {
		return err
	}
	return b.visit(ctx, http.MethodPost, u, f.fields)
}

func (b *browser) visit(ctx context.Context, method string, u *url.URL, form url.Values) error {
	for range maxHops {
		next, err := b.fetch(ctx, method, u, form)
		if err != nil {
			return err
		}
		if next == nil {
			return nil
		}
		if strings.HasPrefix(next.String(), b.home) {
			b.returned = next
			return nil
		}
		method, u, form = http.MethodGet, next, nil // as browsers do after 302 and 303
	}
	return fmt.Errorf("%s: sent on more than %d times", u, maxHops)
}

// fetch shows a page, or tells where the user is sent on to.
func (b *browser) fetch(ctx context.Context, method string, u *url.URL, form url.Values) (*url.URL, error) {
	req, err := http.NewRequestWithContext(ctx, method, u.String(), strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	req.Header.Set("User-Agent", "aviso-demo")
	resp, err := b.http.Do(req)
	if err != nil {
		return nil, err
	}
	text, err := readAll(resp)
	if err != nil {
		return nil, err
	}
	switch resp.StatusCode {
	case http.StatusFound, http.StatusSeeOther:
		return u.Parse(resp.Header.Get("Location"))
	case http.StatusOK:
		b.at = u
		b.page, err = readPage(text)
		return nil, err
	default:
		shown, _ := readPage(text)
		return nil, fmt.Errorf("%s %s answered %d with the page %q", method, u, resp.StatusCode, shown.heading)
	}
}
