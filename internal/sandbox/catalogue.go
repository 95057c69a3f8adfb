package sandbox

import (
	"embed"
	"strings"
)

//go:embed catalogue
var catalogue embed.FS

// Catalogue returns the sandbox's cancellation catalogue: the organizations whose contracts can be
// cancelled, their products, and what each of them requires. The order is always the same, with
// each category before its organizations.
//
// Every organization is invented. Domains end in .example (RFC 2606). Fax numbers are
// from the ranges that regulators reserve for fiction (Germany, France, Ireland, Sweden,
// the United Kingdom); elsewhere they begin with an unassigned area code. Towns and
// postal codes are real, streets are not.
//
// # Format
//
// The data is JSON Lines in UTF-8. Each line is an object with one member, "category" or
// "organization".
//
//   - A category has a slug and names by language, always including "en".
//   - An organization has a unique slug, the slug of its category, a name,
//     extraConsent, a url ("" if there is none), locales and products.
//   - A product has a slug that is unique in the organization, a name, some of the
//     organization's locales, a form (Text, Written or WetInk), channels in order of
//     preference, and fields.
//   - A product of some sectors has terms: what contracts say about their end, with the
//     period in which they were concluded where the terms changed.
//   - A channel has a kind and its target: email, fax (E.164) or address.
//   - A field is the key of a standard field, whose labels and format the service
//     knows, or an object with key, format ("" or a regular expression that is valid
//     in RE2, ECMAScript and Python) and labels by locale.
//   - The service leaves out an organization or product with inactive true.
//
// There is a file for each country, sorted by slug, and one for organizations with more
// than one locale. The latter also holds the sandbox's own brands, under the slugs that
// they have on statements, and organizations for tests that each do one thing: bounce,
// complain, accept only fax.
func Catalogue() []byte {
	var all []byte
	for name := range strings.FieldsSeq("categories international at ch de es fr gb ie it nl pl se") {
		part, err := catalogue.ReadFile("catalogue/" + name + ".jsonl")
		if err != nil {
			panic("sandbox: " + err.Error()) // the data is embedded
		}
		all = append(all, part...)
	}
	return all
}
