package catalogue

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/evidence"
)

// Edition is one complete state of the catalogue, as read from a file. Slugs are
// unique, and every category that an organization names exists.
type Edition struct {
	Categories []Category
	Entries    []Entry
}

// Entry is an organization with its products. Its digest is stored, so renaming a
// field makes the next import rewrite all organizations.
type Entry struct {
	Organization Organization
	Products     []Product
}

// entryLayout is part of every digest. Change it when the layout of stored rows
// changes: the next import then rewrites all organizations.
const entryLayout = "1"

// snapshotLayout is part of the digest of an edition. Change it when search documents get
// more data or their snapshot another format: the next import then writes the snapshot again,
// even if the catalogue is the same.
const snapshotLayout = "text 3"

// digest returns a digest of everything stored for the entry.
func (e Entry) digest() (string, error) { return digestOf(entryLayout, e) }

func digestOf(parts ...any) (string, error) {
	text, err := json.Marshal(parts) // sorts the keys of maps
	if err != nil {
		return "", fmt.Errorf("digest: %w", err)
	}
	return evidence.Of(text).String(), nil
}

func compareSlugs(a, b Entry) int { return strings.Compare(a.Organization.Slug, b.Organization.Slug) }

// SearchDocuments returns the search documents of all active organizations and
// products, sorted by the organizations' slugs.
func (ed Edition) SearchDocuments() []SearchDocument {
	names := map[string][]string{}
	for _, c := range ed.Categories {
		names[c.ID] = slices.Compact(slices.Sorted(maps.Values(c.Names)))
	}
	entries := slices.SortedFunc(slices.Values(ed.Entries), compareSlugs)
	var docs []SearchDocument
	for _, e := range entries {
		o := e.Organization
		if o.Inactive {
			continue
		}
		d := SearchDocument{
			Kind: SearchOrganization, ID: o.ID, OrganizationID: o.ID,
			CategoryID: o.CategoryID, CategoryNames: names[o.CategoryID], Name: o.Name, OrganizationName: o.Name,
			ExtraConsent: o.ExtraConsent, Unconfirmed: o.Unconfirmed, URL: o.URL, Source: o.Source, Locales: o.Locales,
		}
		docs = append(docs, d)
		for _, p := range e.Products {
			if p.Inactive {
				continue
			}
			d.Kind, d.ID, d.Name, d.Locales = SearchProduct, p.ID, p.Name, p.Locales
			docs = append(docs, d)
		}
	}
	return docs
}

func (ed Edition) unanswerable() (slugs []string) {
	for _, e := range ed.Entries {
		for _, p := range e.Products {
			byOther := func(c cancellation.Channel) bool { return c.Kind != cancellation.ChannelEmail }
			asks := func(f Field) bool { return f.Key == FieldEmail }
			if !slices.ContainsFunc(p.Channels, byOther) && !slices.ContainsFunc(p.Fields, asks) {
				slugs = append(slugs, e.Organization.Slug+"/"+p.Slug)
			}
		}
	}
	return slugs
}
