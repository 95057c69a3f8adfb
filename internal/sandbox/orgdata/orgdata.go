// Package orgdata is the sandbox's cancellation catalogue: the organizations
// that a contract can be cancelled with, their products, and what each asks for.
//
// Every organization is invented. Domains end in .example (RFC 2606). Where a
// regulator sets numbers aside for fiction (Germany, France, Ireland, Sweden,
// the United Kingdom), fax numbers are of those; elsewhere they begin with an
// area code that nobody has. Towns and postal codes are real, streets are not.
//
// The data is JSON Lines, as internal/cancellation/cataloguefile/catalogue.schema.json
// describes them. An organization or a product with inactive true is there to be left
// out.
//
// There is a file for each country, sorted by slug, and one for those that
// write in more than one locale. The sandbox's own brands are in that one, under
// the slugs that they have on statements. So are organizations that each do one
// thing for whoever tests: bounce, complain, take nothing but fax.
package orgdata

import _ "embed"

//go:embed data/categories.jsonl
var categories string

//go:embed data/international.jsonl
var international string

//go:embed data/at.jsonl
var austria string

//go:embed data/ch.jsonl
var switzerland string

//go:embed data/de.jsonl
var germany string

//go:embed data/es.jsonl
var spain string

//go:embed data/fr.jsonl
var france string

//go:embed data/gb.jsonl
var britain string

//go:embed data/ie.jsonl
var ireland string

//go:embed data/it.jsonl
var italy string

//go:embed data/nl.jsonl
var netherlands string

//go:embed data/pl.jsonl
var poland string

//go:embed data/se.jsonl
var sweden string

// Catalogue is all of the data as JSON Lines, always in the same order, and each
// category before the organizations in it.
func Catalogue() []byte {
	return []byte(categories + international + austria + switzerland + germany + spain + france + britain +
		ireland + italy + netherlands + poland + sweden)
}
