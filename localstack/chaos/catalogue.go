package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"

	"github.com/tidwall/gjson"
)

// product is one that users cancel, with its template filled in.
type product struct {
	id, name string
	request  map[string]any
	fallback bool
}

// letter returns a new request to cancel it.
func (p product) letter() map[string]any { return maps.Clone(p.request) }

// organizations are the test organizations whose letters are sent. Those with a fallback
// fail on purpose.
func organizations() map[string]bool {
	return map[string]bool{
		"Success Society": false, "Nur E-Mail": false, "Nur Post": false, "Nur Einschreiben": false, "Nur Fax": false,
		"Alle Kanäle": false, "Complaint Club": false, "Bounce GmbH": true, "Suppressed Ltd": true, "Sackgasse GmbH": true,
	}
}

// browse reads the products of the test organizations, the banks and the terms.
func (r *run) browse(ctx context.Context) error {
	c := r.clients[0]
	for name, fallback := range organizations() {
		found, err := c.read(ctx, "", "/cancellations/v1/search?locale=en-GB&searchQuery="+url.QueryEscape(name))
		if err != nil {
			return err
		}
		organization := found.body.Get(`data.organizations.#(name=="` + name + `").id`).String()
		if organization == "" {
			return fmt.Errorf("the search does not find %s", name)
		}
		at := "/cancellations/v1/organizations/" + organization + "/products"
		list, err := c.read(ctx, "", at+"?locale=en-GB")
		if err != nil {
			return err
		}
		id := list.body.Get("data.products.0.productId").String()
		one, err := c.read(ctx, "", at+"/"+id+"?locale=en-GB")
		if err != nil {
			return err
		}
		r.products = append(r.products, product{
			id: id, name: name, fallback: fallback, request: filled(organization, id, one.body.Get("data.product.template")),
		})
	}
	sortBy(r.products, func(p product) string { return p.name }) // the same seed, the same order
	providers, err := c.pages(ctx, "", "/openbanking/v1/providers?limit=200", "providers")
	if err != nil {
		return err
	}
	for _, p := range providers {
		if p.Get("status").String() == "Active" {
			r.banks = append(r.banks, p.Get("id").String())
		}
	}
	sortBy(r.banks, func(id string) string { return id })
	terms, err := c.read(ctx, "", "/identity/v1/terms")
	if err != nil {
		return err
	}
	for _, t := range terms.body.Get("data.terms").Array() {
		r.terms = append(r.terms, map[string]string{
			"termsType": t.Get("termsType").String(), "version": t.Get("version").String(),
		})
	}
	if len(r.banks) == 0 || len(r.terms) == 0 {
		return errors.New("the stack has no banks or no terms")
	}
	return nil
}

// filled returns a request to cancel with the template filled in.
func filled(organization, id string, template gjson.Result) map[string]any {
	values := map[string]string{
		"NAME": "Anna Sommer", "ADDRESS": "Lindenallee 12", "ZIP": "50667", "CITY": "Köln",
		"EMAIL": "anna.sommer@example.org", "DATA_DELETE_REQUEST": "true",
	}
	parameters := []any{}
	for _, f := range template.Array() {
		key := f.Get("fieldKey").String()
		value, known := values[key]
		if !known {
			value = "K-204817"
		}
		parameters = append(parameters, map[string]any{"fieldKey": key, "fieldValue": value})
	}
	return map[string]any{
		"organizationId": organization, "productId": id, "locale": "en-GB", "parameters": parameters,
		"signature": map[string]any{"type": "TEXT", "data": "Anna Sommer"},
	}
}
