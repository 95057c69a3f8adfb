package fulltext

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"aviso/internal/cancellation"
	"aviso/internal/textfold"
)

// A snapshot is a text. Its first line is header. Each further line has fields separated by
// tabs: first the categories, then organizations, then products, both by order and ID.
// Change header and cancellation.snapshotLayout with the fields, and with what words returns.
const header = "aviso search 3\n"

// The fields of a document's line. Those of a category's are its ID and its names' words.
const (
	fieldLocales = iota
	fieldID
	fieldOf // the index of an organization's category or of a product's organization
	fieldWords
	fieldJoinedWords
	fieldName
	productFields
)

// The further fields of an organization's line.
const (
	fieldURL = iota + productFields
	fieldExtraConsent
	fieldUnconfirmed
	fieldSource
	organizationFields

	categoryFields = 2
)

var (
	// ErrFormat is returned for a snapshot that another release has written.
	ErrFormat  = errors.New("the search's snapshot has another format")
	errDamaged = errors.New("the search's snapshot is damaged")
)

// Encode returns a snapshot of documents. It leaves out products whose organization is not
// among them.
func Encode(documents []cancellation.SearchDocument) []byte {
	text, clean := []byte(header), strings.NewReplacer("\t", " ", "\n", " ")
	write := func(fields ...string) {
		for i := range fields {
			fields[i] = clean.Replace(fields[i])
		}
		text = append(append(text, strings.Join(fields, "\t")...), '\n')
	}
	categories, orders := map[string]int{}, map[string]string{}
	for _, d := range documents {
		orders[d.Name] = orderOf(d.Name)
		if _, known := categories[d.CategoryID]; !known {
			categories[d.CategoryID] = len(categories)
			write(d.CategoryID, categoryWords(d.CategoryNames))
		}
	}
	sorted := slices.SortedFunc(slices.Values(documents), func(a, b cancellation.SearchDocument) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(orders[a.Name], orders[b.Name]), cmp.Compare(a.ID, b.ID))
	})
	organizations := map[string]int{}
	for _, d := range sorted {
		f := []string{
			fieldLocales: strings.Trim(fmt.Sprint(d.Locales), "[]"), fieldID: d.ID, fieldName: d.Name,
			fieldWords: strings.Join(words(d.Name), " "), fieldJoinedWords: strings.Join(joinedWords(d.Name), " "),
			fieldOf: strconv.Itoa(categories[d.CategoryID]),
		}
		if d.Kind == cancellation.SearchOrganization {
			organizations[d.ID] = len(organizations)
			f = append(f, d.URL, strconv.FormatBool(d.ExtraConsent), strconv.FormatBool(d.Unconfirmed), d.Source)
		} else {
			of, known := organizations[d.OrganizationID]
			if !known {
				continue
			}
			f[fieldOf] = strconv.Itoa(of)
		}
		write(f...)
	}
	return text
}

// categoryWords returns the words of a category's names, without stop words.
func categoryWords(names []string) string {
	all := words(strings.Join(names, " "))
	return strings.Join(slices.DeleteFunc(all, func(w string) bool { return stopWords()[textfold.Short(w)] }), " ")
}

// orderOf returns the form of a name by which equally good hits are sorted; the ID breaks
// ties. It is cut off so that page positions stay short.
func orderOf(name string) string {
	const longest = 120
	order := textfold.Short(strings.Join(words(name), " "))
	return strings.ToValidUTF8(order[:min(len(order), longest)], "")
}
