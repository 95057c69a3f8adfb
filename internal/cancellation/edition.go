package cancellation

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Edition is one complete state of the catalogue, as a file has it. Slugs are
// unique, and every category that an organization names is there.
type Edition struct {
	Categories []Category
	Entries    []Entry
}

// Entry is an organization with what can be cancelled there.
type Entry struct {
	Organization Organization
	Products     []Product
}

// entryLayout goes into every digest. A new one makes the next import write all
// organizations anew: for when stored rows take another shape.
const entryLayout = "1"

// digest stands for all that is stored of the entry.
func (e Entry) digest() (string, error) { return digestOf(entryLayout, e) }

func digestOf(parts ...any) (string, error) {
	text, err := json.Marshal(parts) // maps go in by sorted keys
	if err != nil {
		return "", fmt.Errorf("digest: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// SearchDocuments is what the search is to know: organizations and products
// that are on offer, by the organizations' slugs.
func (ed Edition) SearchDocuments() []SearchDocument {
	entries := slices.SortedFunc(slices.Values(ed.Entries), func(a, b Entry) int { return strings.Compare(a.Organization.Slug, b.Organization.Slug) })
	var docs []SearchDocument
	for _, e := range entries {
		o := e.Organization
		if o.Inactive {
			continue
		}
		d := SearchDocument{
			Kind: SearchOrganization, ID: o.ID, OrganizationID: o.ID, CategoryID: o.CategoryID, Name: o.Name, OrganizationName: o.Name,
			ExtraConsent: o.ExtraConsent, URL: o.URL, Locales: o.Locales,
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
