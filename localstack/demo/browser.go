package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"aviso/localstack/partner"
)

// maxHops is how many redirects in a row the browser follows.
const maxHops = 10

// browser is the user's browser. It keeps cookies, follows redirects and fills in forms
// until it is sent back to the partner.
type browser struct {
	http *http.Client
	// address is where the browser is, or goes next.
	address string
	page    page
	// returned is the return URL, once the browser has been sent there.
	returned *url.URL
}

// newBrowser returns a browser that stops at the partner's return URL, home, without
// fetching it.
func newBrowser(transport http.RoundTripper, home string) *browser {
	cookies, err := cookiejar.New(nil)
	check(err)
	return &browser{http: &http.Client{
		Transport: transport, Timeout: partner.CallWithin, Jar: cookies,
		CheckRedirect: func(next *http.Request, via []*http.Request) error {
			if strings.HasPrefix(next.URL.String(), home) {
				return http.ErrUseLastResponse
			}
			if len(via) > maxHops {
				return fmt.Errorf("%s: more than %d redirects", next.URL, maxHops)
			}
			return nil
		},
	}}
}

// open goes to an address.
func (b *browser) open(ctx context.Context, address string) error {
	return b.visit(ctx, http.MethodGet, address, nil)
}

// submit sends a form of the current page.
func (b *browser) submit(ctx context.Context, f form) error {
	at, err := url.Parse(b.address)
	if err != nil {
		return err
	}
	action, err := at.Parse(f.action)
	if err != nil {
		return err
	}
	return b.visit(ctx, http.MethodPost, action.String(), f.fields)
}

func (b *browser) visit(ctx context.Context, method, address string, fields url.Values) error {
	req, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(fields.Encode()))
	if err != nil {
		return err
	}
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	req.Header.Set("User-Agent", "aviso-demo")
	resp, err := b.http.Do(req)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(resp.Body)
	if err := errors.Join(err, resp.Body.Close()); err != nil {
		return err
	}
	b.address = resp.Request.URL.String()
	if b.returned, err = resp.Location(); err == nil {
		return nil
	}
	b.page, err = readPage(text)
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s answered %d with the page %q", method, b.address, resp.StatusCode, b.page.heading)
	}
	return err
}

// page is an HTML page, as far as this browser understands it.
type page struct {
	heading string
	// text is the whole page as it was sent.
	text  string
	forms []form
}

// form is a form with the fields it would send if nothing changed.
type form struct {
	action string
	fields url.Values
	// choices are the values to choose from, by name.
	choices url.Values
}

// readPage reads the heading and the forms.
func readPage(text []byte) (page, error) {
	document, err := html.Parse(bytes.NewReader(text))
	if err != nil {
		return page{}, fmt.Errorf("read the page: %w", err)
	}
	p := page{text: string(text)}
	for n := range document.Descendants() {
		switch n.DataAtom {
		case atom.H1:
			for inner := range n.Descendants() {
				if inner.Type == html.TextNode {
					p.heading += inner.Data
				}
			}
		case atom.Form:
			p.forms = append(p.forms, readForm(n))
		}
	}
	if p.heading == "" {
		return page{}, errors.New("read the page: it has no heading")
	}
	return p, nil
}

func readForm(n *html.Node) form {
	f := form{action: attributes(n)["action"], fields: url.Values{}, choices: url.Values{}}
	for field := range n.Descendants() {
		a := attributes(field)
		_, checked := a["checked"]
		choice := field.DataAtom == atom.Button || a["type"] == "radio" || a["type"] == "checkbox"
		if a["name"] == "" || !choice && field.DataAtom != atom.Input {
			continue
		}
		if choice {
			f.choices.Add(a["name"], a["value"])
		}
		if !choice || checked {
			f.fields.Add(a["name"], a["value"])
		}
	}
	return f
}

func attributes(n *html.Node) map[string]string {
	a := map[string]string{}
	for _, attr := range n.Attr {
		a[attr.Key] = attr.Val
	}
	return a
}

// offers reports whether a form offers this choice. A login page has a button to refuse,
// too, so it offers both.
func (p page) offers(name string) bool {
	return slices.ContainsFunc(p.forms, func(f form) bool { return len(f.choices[name]) > 0 })
}

// pick returns the form that offers this choice, with the choice made.
func (p page) pick(name, value string) (form, error) {
	for _, f := range p.forms {
		if slices.Contains(f.choices[name], value) {
			f.fields.Set(name, value)
			return f, nil
		}
	}
	return form{}, fmt.Errorf("the page %q has no choice %s=%s", p.heading, name, value)
}
