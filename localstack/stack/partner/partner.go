// Package partner has shared parts of programs that act as partners, in addition to the Go client: the user at the
// bank, the terms, and letters with every field filled in.
package partner

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	aviso "aviso.example/client"
)

// CallWithin limits one call; the service's functions time out after 20 s.
const CallWithin = 25 * time.Second

// The credentials of the local stack's first partner are public.
const (
	ClientID     = "sandbox"
	ClientSecret = "sandbox-secret" // #nosec G101
)

// Approve acts as the user: it opens the link, logs in at the sandbox bank as a persona and shares the accounts. It
// returns the address to which the user is redirected, which begins with home.
func Approve(
	ctx context.Context, base http.RoundTripper, link, home, persona string, accounts ...string,
) (*url.URL, error) {
	cookies, _ := cookiejar.New(nil) // fails only with options
	browser := &http.Client{
		Transport: base, Timeout: CallWithin, Jar: cookies,
		CheckRedirect: func(next *http.Request, _ []*http.Request) error {
			if strings.HasPrefix(next.URL.String(), home) {
				return http.ErrUseLastResponse
			}
			return nil
		},
	}
	form := url.Values{"psuId": {persona}, "persona": {persona}, "account[]": accounts, "decision": {"approve"}}
	page, err := visit(ctx, browser, http.MethodGet, link, nil) //nolint:bodyclose // visit closes it
	for range 3 {                                               // some banks ask for an ID, or have a login page
		if err != nil {
			return nil, err
		}
		page, err = visit(ctx, browser, http.MethodPost, page.Request.URL.String(), form) //nolint:bodyclose // the same
		if err == nil && page.StatusCode != http.StatusOK {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	back, err := page.Location()
	if err != nil {
		return nil, fmt.Errorf("the user ends at %s with %s instead of at %s", page.Request.URL, page.Status, home)
	}
	return back, nil
}

func visit(ctx context.Context, browser *http.Client, method, address string, form url.Values) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	resp, err := browser.Do(req)
	if err != nil {
		return nil, err
	}
	_, _ = io.Copy(io.Discard, resp.Body) // lets the connection be reused
	return resp, resp.Body.Close()
}

// Signer is the user's name in letters.
const Signer = "Anna Sommer"

// Letter returns the request that cancels a product, with every field of its template.
func Letter(p *aviso.ProductDetail) aviso.CreateCancellationRequest {
	request := aviso.CreateCancellationRequest{
		OrganizationID: p.OrganizationID, ProductID: p.ProductID, Locale: "de-DE",
		Signature: aviso.Signature{Type: "TEXT", Data: Signer}, Parameters: []aviso.CancellationParameter{},
	}
	for _, f := range p.Template {
		filled := aviso.CancellationParameter{FieldKey: f.FieldKey, FieldValue: value(f)}
		request.Parameters = append(request.Parameters, filled)
	}
	return request
}

// value is the user's input for a field.
func value(f aviso.TemplateField) string {
	known := map[string]string{
		"NAME": Signer, "ADDRESS": "Lindenallee 12", "ZIP": "50667", "CITY": "Köln",
		"EMAIL": "anna.sommer@example.org", "PHONE_NUMBER": "+49 221 4710 123", "DATA_DELETE_REQUEST": "true",
	}
	if v, ok := known[f.FieldKey]; ok {
		return v
	}
	for _, v := range []string{"K-204817", "204817", "K204817", "1990-04-17", "89490200001234567890"} {
		if fits, err := regexp.MatchString(f.Format, v); err == nil && fits {
			return v
		}
	}
	return ""
}

// AcceptTerms accepts all terms for a user, or only those of the given types. It returns their names.
func AcceptTerms(ctx context.Context, c *aviso.Client, user string, types ...string) (names []string, err error) {
	terms, err := c.Terms.List(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range terms {
		if len(types) > 0 && !slices.Contains(types, t.TermsType) {
			continue
		}
		accepted := aviso.AcceptTermsRequest{TermsType: t.TermsType, Version: t.Version}
		if _, err := c.User(user).Terms.Accept(ctx, accepted); err != nil {
			return nil, err
		}
		names = append(names, t.TermsType+" "+t.Version)
	}
	return names, nil
}

// Find returns the best match of a search for an organization, and its first product.
func Find(ctx context.Context, c *aviso.Client, words string) (*aviso.Organization, *aviso.ProductDetail, error) {
	found, err := c.Search.Catalogue(ctx, &aviso.SearchCatalogueParams{SearchQuery: words})
	if err != nil {
		return nil, nil, err
	}
	if len(found.Data.Organizations) == 0 {
		return nil, nil, fmt.Errorf("the search for %q finds nothing", words)
	}
	best := found.Data.Organizations[0]
	products, err := c.Catalogue.ListProducts(ctx, best.ID, nil)
	if err != nil {
		return nil, nil, err
	}
	if len(products) == 0 {
		return nil, nil, fmt.Errorf("%s has no products", best.Name)
	}
	product, err := c.Catalogue.GetProduct(ctx, best.ID, products[0].ProductID, nil)
	return &best, product, err
}
