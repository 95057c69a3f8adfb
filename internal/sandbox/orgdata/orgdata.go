// Package orgdata is the sandbox's cancellation catalogue: the organizations
// that a contract can be cancelled with, their products, and what each asks for.
//
// Every organization is invented. Domains end in .example (RFC 2606). Where a
// regulator sets numbers aside for fiction (Germany, France, Ireland, Sweden,
// the United Kingdom), fax numbers are of those; elsewhere they begin with an
// area code that nobody has. Towns and postal codes are real, streets are not.
//
// # Format
//
// The data is JSON Lines: one object a line in UTF-8, with one member,
// "category" or "organization". A line is complete in itself.
//
//   - A category has a slug and names by language; "en" is always there.
//   - An organization has a slug, which no other has, a category by its slug, a
//     name, extraConsent, a url ("" where there is none), locales and products.
//   - A product has a slug, which no other of the organization has, a name, some
//     of the organization's locales, a form (Text, Written or WetInk), channels
//     in order of preference, and fields.
//   - A channel has a kind and what goes with it: email, fax (E.164) or address.
//   - A field is the key of a standard field, whose labels and format the reader
//     knows, or an object with key, format (a regular expression that RE2,
//     ECMAScript and Python share, or "") and labels by locale.
//   - An organization or a product with inactive true is there to be left out.
//
// There is a file for each country, sorted by slug, and one for those that
// write in more than one locale. The sandbox's own brands are in that one, under
// the slugs that they have on statements. So are organizations that each do one
// thing for whoever tests: bounce, complain, take nothing but fax.
package orgdata

import (
	"embed"
	"strings"
)

//go:embed data
var data embed.FS

// Catalogue is all of the data as JSON Lines, always in the same order, and each
// category before the organizations in it.
func Catalogue() []byte {
	var all []byte
	for name := range strings.FieldsSeq("categories international at ch de es fr gb ie it nl pl se") {
		part, err := data.ReadFile("data/" + name + ".jsonl")
		if err != nil {
			panic("orgdata: " + err.Error()) // the data are part of the program
		}
		all = append(all, part...)
	}
	return all
}
