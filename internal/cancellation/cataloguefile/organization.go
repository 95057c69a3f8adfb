package cataloguefile

import (
	"slices"

	"aviso/internal/cancellation"
)

const (
	// Bounds that keep an organization with all its products readable within
	// two queries.
	maxLocales  = 30
	maxProducts = 50
	maxFields   = 30
)

func (f *file) readOrganization(at place, v node) {
	m, ok := at.object(v)
	if !ok {
		return
	}
	slug := m.slug("slug")
	f.unique(at.member("slug"), f.organizationLines, slug)
	category := m.slug("category")
	if category != "" {
		f.categoryUses = append(f.categoryUses, categoryUse{at.member("category"), category})
	}
	o := cancellation.Organization{
		ID: cancellation.OrganizationID(slug), Slug: slug, CategoryID: cancellation.CategoryID(category),
		Name: m.printed("name", maxName), ExtraConsent: m.truth("extraConsent"), URL: m.url("url"),
		Locales: m.locales("locales"), Inactive: m.truth("inactive"),
	}
	products := m.products("products", o)
	m.done()
	f.entries = append(f.entries, cancellation.Entry{Organization: o, Products: products})
}

// url is empty where the member is not there, or is.
func (m members) url(name string) string {
	v, there := m.take(name)
	at := m.member(name)
	if !there || !at.is(v, kindString) || v.text == "" {
		return ""
	}
	if problem := urlProblem(v.text); problem != "" {
		at.fail(problem)
		return ""
	}
	return v.text
}

// locales requires a list of locales, none twice, in each of which letters can
// be written.
func (m members) locales(name string) []cancellation.Locale {
	var list []cancellation.Locale
	for i, v := range m.list(name, maxLocales) {
		at := m.member(name).element(i)
		if !at.is(v, kindString) {
			continue
		}
		l, ok := at.locale(v.text)
		if !ok {
			continue
		}
		if slices.Contains(list, l) {
			at.fail("the locale is there twice")
			continue
		}
		if !slices.Contains(at.file.locales, l) {
			at.fail("no letter can be written in this locale")
		}
		list = append(list, l)
	}
	return list
}

func (m members) products(name string, o cancellation.Organization) []cancellation.Product {
	var list []cancellation.Product
	slugs := map[string]bool{}
	for i, v := range m.list(name, maxProducts) {
		at := m.member(name).element(i)
		product, ok := at.object(v)
		if !ok {
			continue
		}
		p := product.product(o)
		if p.Slug != "" && slugs[p.Slug] {
			at.member("slug").fail("another product of the organization has this slug")
		}
		slugs[p.Slug] = true
		list = append(list, p)
	}
	return list
}
