package main

import (
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// browser is a user's browser without scripts. It keeps cookies itself, because a browser
// sends Secure cookies to http://localhost, and Go's cookie jar does not.
type browser struct {
	http    *http.Client
	cookies map[string]string
}

func newBrowser(transport http.RoundTripper) *browser {
	return &browser{cookies: map[string]string{}, http: &http.Client{
		Transport: transport, Timeout: 25e9,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// page is what the browser shows.
type page struct {
	address  string
	status   int
	location string
	text     string
}

var (
	formAction = regexp.MustCompile(`<form[^>]* action="([^"]*)"`)
	accountBox = regexp.MustCompile(`name="account\[\]" value="([^"]*)"`)
)

// visit opens the link, logs in at the bank as a persona and approves. It returns where
// the user is sent at the end, without going there.
func (b *browser) visit(ctx context.Context, link, persona, customer string) (string, error) {
	p, err := b.follow(ctx, page{location: link, address: link})
	if err != nil {
		return "", err
	}
	p, err = b.submit(ctx, p, url.Values{"persona": {persona}, "customer": {customer}})
	if err != nil {
		return "", err
	}
	form := url.Values{"decision": {"approve"}}
	for _, m := range accountBox.FindAllStringSubmatch(p.text, -1) {
		form.Add("account[]", html.UnescapeString(m[1]))
	}
	p, err = b.submit(ctx, p, form)
	if err != nil {
		return "", err
	}
	if p.location == "" {
		return "", fmt.Errorf("the visit ends at %s with %d", p.address, p.status)
	}
	return p.location, nil
}

// submit sends the page's form and follows redirects.
func (b *browser) submit(ctx context.Context, p page, fields url.Values) (page, error) {
	action := formAction.FindStringSubmatch(p.text)
	if action == nil {
		return page{}, fmt.Errorf("%s (%d) has no form", p.address, p.status)
	}
	address, err := resolve(p.address, html.UnescapeString(action[1]))
	if err != nil {
		return page{}, err
	}
	p, err = b.fetch(ctx, http.MethodPost, address, fields)
	if err != nil {
		return page{}, err
	}
	return b.follow(ctx, p)
}

const maxHops = 8

// follow follows redirects until the partner's return URL, where location stays set.
func (b *browser) follow(ctx context.Context, p page) (page, error) {
	for range maxHops {
		if p.location == "" || strings.HasPrefix(p.location, returnURL) {
			return p, nil
		}
		address, err := resolve(p.address, p.location)
		if err != nil {
			return page{}, err
		}
		if p, err = b.fetch(ctx, http.MethodGet, address, nil); err != nil {
			return page{}, err
		}
	}
	return page{}, errors.New("too many redirects")
}

func (b *browser) fetch(ctx context.Context, method, address string, form url.Values) (page, error) {
	req, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(form.Encode()))
	if err != nil {
		return page{}, err
	}
	req.Header.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64), like a browser")
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for name, value := range b.cookies {
		req.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	response, err := b.http.Do(req)
	if err != nil {
		return page{}, err
	}
	text, err := io.ReadAll(response.Body)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		return page{}, err
	}
	for _, cookie := range response.Cookies() {
		if b.cookies[cookie.Name] = cookie.Value; cookie.MaxAge < 0 {
			delete(b.cookies, cookie.Name)
		}
	}
	return page{
		address: address, status: response.StatusCode, text: string(text), location: response.Header.Get("Location"),
	}, nil
}

func resolve(base, reference string) (string, error) {
	b, err := url.Parse(base)
	if err != nil {
		return "", err
	}
	r, err := b.Parse(reference)
	if err != nil {
		return "", err
	}
	return r.String(), nil
}
