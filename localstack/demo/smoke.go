package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/tidwall/gjson"

	"aviso/localstack/contract"
	"aviso/localstack/partner"
)

// deployed returns the options for a stack on AWS, where everything takes longer.
func deployed(o options, getenv func(string) string) options {
	o.id, o.secret = cmp.Or(getenv("CLIENT_ID"), o.id), cmp.Or(getenv("CLIENT_SECRET"), o.secret)
	o.returnURL = cmp.Or(getenv("RETURN_URL"), o.returnURL)
	o.inbox = ""
	o.syncWithin, o.lettersWithin, o.askEvery = 3*time.Minute, 5*time.Minute, time.Second
	return o
}

// smokeTest walks through a deployed stack. Where there is a sandbox, it takes every step
// that the service can take without calling this machine. Elsewhere it only reads what
// belongs to no user.
func smokeTest(ctx context.Context, o options, rules *contract.Contract, s *screen) error {
	s.brief = true
	w, err := newWalker(ctx, o, rules, s)
	if err != nil {
		return err
	}
	w.partner.HTTP.Jar = w.browser.http.Jar // so that the sandbox knows who reads its letters
	sandbox, err := w.hasSandbox(ctx)
	switch {
	case err != nil:
		return err
	case !sandbox:
		s.line("%s has no sandbox, so this test changes nothing.", o.baseURL)
		return w.take(ctx, harmless())
	default:
		return errors.Join(w.take(ctx, inSandbox()), w.eraseUser(context.WithoutCancel(ctx)))
	}
}

// hasSandbox reports whether the stack has a sandbox; production has none.
func (w *walker) hasSandbox(ctx context.Context) (bool, error) {
	_, err := w.partner.Do(ctx, partner.Call{Method: http.MethodGet, Path: "/sandbox/banks", Anonymous: true, Accept: "text/html"})
	if refused, ok := errors.AsType[*partner.Unexpected](err); ok && refused.Code == "not_found" {
		return false, nil
	}
	return err == nil, err
}

// inSandbox returns the steps of the journey that need no server on this machine.
func inSandbox() []step {
	signIn := step{"The tester signs in to the sandbox",
		"Its pages show only the letters of the partner that is signed in.", (*walker).signIn, false}
	return append([]step{signIn}, slices.DeleteFunc(journey(), func(s step) bool { return s.local })...)
}

// harmless returns steps that create nothing.
func harmless() []step {
	all := journey()
	isFor := func(title string) step {
		return all[slices.IndexFunc(all, func(s step) bool { return s.title == title })]
	}
	return []step{
		isFor("The partner gets an access token"),
		{"The partner reads the terms", "The versions that are in force.", (*walker).readTerms, false},
		{"The partner lists the banks", "By country.", (*walker).countBanks, false},
		{"The partner finds an organization and what its letter needs",
			"The first one in the catalogue.", (*walker).readTemplate, false},
		{"The partner lists the types of events", "Those that a subscription may name.", (*walker).readEventTypes, false},
	}
}

func (w *walker) signIn(ctx context.Context) string {
	check(w.browser.open(ctx, w.baseURL+"/sandbox/letters"))
	i := slices.IndexFunc(w.browser.page.forms, func(f form) bool { return f.fields.Has("clientSecret") })
	if i < 0 {
		return "not necessary here"
	}
	f := w.browser.page.forms[i]
	f.fields.Set("clientId", w.id)
	f.fields.Set("clientSecret", w.secret)
	check(w.browser.submit(ctx, f))
	return "signed in as " + w.id
}

// eraseUser deletes what the test has created.
func (w *walker) eraseUser(ctx context.Context) error {
	if w.partner.Vars["USER_ID"] == "" {
		return nil
	}
	_, err := w.partner.Do(ctx, partner.Call{Method: http.MethodDelete, Path: "/identity/v1/users/$USER_ID"})
	if err != nil {
		return fmt.Errorf("erase the user: %w", err)
	}
	return nil
}

func (w *walker) readTerms(ctx context.Context) string {
	terms := w.call(ctx, partner.Get("/identity/v1/terms")).Get("data.terms").Array()
	want(len(terms) > 0, "there are no terms; publish them with the operator's publish-terms")
	return fmt.Sprintf("%d kinds of terms", len(terms))
}

func (w *walker) countBanks(ctx context.Context) string {
	countries := w.call(ctx, partner.Get("/openbanking/v1/providers/countries")).Get("data.countries").Array()
	want(len(countries) > 0, "there are no banks; import them with the operator's import-providers")
	return fmt.Sprintf("banks in %d countries", len(countries))
}

func (w *walker) readTemplate(ctx context.Context) string {
	list := w.call(ctx, partner.Get("/cancellations/v1/organizations?limit=1")).Get("data.organizations")
	want(list.Get("#").Int() > 0, "there are no organizations; import them with the operator's import-catalogue")
	found := w.call(ctx, searchFor(list.Get("0.name").Str)).Get("data.organizations.#.id")
	want(slices.ContainsFunc(found.Array(), func(id gjson.Result) bool { return id.Str == list.Get("0.id").Str }),
		"the search for %q does not find it", list.Get("0.name"))
	products := w.call(ctx, partner.Get("/cancellations/v1/organizations/"+url.PathEscape(list.Get("0.id").Str)+"/products"))
	want(products.Get("data.products.#").Int() > 0, "%s has no products", list.Get("0.name"))
	path := "/cancellations/v1/organizations/" + list.Get("0.id").Str + "/products/" + products.Get("data.products.0.productId").Str
	template := w.call(ctx, partner.Get(path)).Get("data.product.template")
	return fmt.Sprintf("%s: %d fields", list.Get("0.name"), len(template.Array()))
}

func (w *walker) readEventTypes(ctx context.Context) string {
	types := w.call(ctx, partner.Get("/webhooks/v1/event-types")).Get("data.eventTypes").Array()
	want(len(types) > 0, "there are no types of events")
	return fmt.Sprintf("%d types", len(types))
}
