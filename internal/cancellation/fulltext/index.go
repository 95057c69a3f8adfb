package fulltext

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"aviso/internal/cancellation/catalogue"
	"aviso/internal/textfold"
)

// A snapshot is a text. Its first line is header. All other lines have fields separated by tabs: first the
// categories, then organizations, then products, both by order and ID. If the fields or the result of words change,
// change header and cancellation.snapshotLayout too.
const header = "aviso search 3\n"

// The fields of a document's line. A category's line has its ID and the words of its names.
const (
	fieldLocales = iota
	fieldID
	fieldOf // the index of an organization's category or of a product's organization
	fieldWords
	fieldJoinedWords
	fieldName
	// Organizations have further fields.
	fieldURL
	fieldExtraConsent
	fieldUnconfirmed
	fieldSource
	organizationFields

	productFields, categoryFields = fieldURL, 2
)

var (
	// ErrFormat is returned for a snapshot of another release.
	ErrFormat  = errors.New("the search's snapshot has another format")
	errDamaged = errors.New("the search's snapshot is damaged")
)

// Encode returns a snapshot of documents. It leaves out products without their organization.
func Encode(documents []catalogue.SearchDocument) []byte {
	text, clean := []byte(header), strings.NewReplacer("\t", " ", "\n", " ").Replace
	write := func(fields ...string) { text = fmt.Appendln(text, strings.Join(fields, "\t")) }
	categories, orders := map[string]int{}, map[string]string{}
	for _, d := range documents {
		orders[d.Name] = orderOf(d.Name)
		if _, known := categories[d.CategoryID]; !known {
			categories[d.CategoryID] = len(categories)
			names := slices.DeleteFunc(words(strings.Join(d.CategoryNames, " ")), isStopWord)
			write(d.CategoryID, strings.Join(names, " "))
		}
	}
	sorted := slices.SortedFunc(slices.Values(documents), func(a, b catalogue.SearchDocument) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(orders[a.Name], orders[b.Name]), cmp.Compare(a.ID, b.ID))
	})
	organizations := map[string]int{}
	for _, d := range sorted {
		f := []string{
			fieldLocales: strings.Trim(fmt.Sprint(d.Locales), "[]"), fieldID: d.ID, fieldName: clean(d.Name),
			fieldWords: strings.Join(words(d.Name), " "), fieldJoinedWords: strings.Join(joinedWords(d.Name), " "),
			fieldOf: strconv.Itoa(categories[d.CategoryID]),
		}
		if d.Kind == catalogue.SearchOrganization {
			organizations[d.ID] = len(organizations)
			f = append(f, clean(d.URL), strconv.FormatBool(d.ExtraConsent), strconv.FormatBool(d.Unconfirmed), clean(d.Source))
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

// orderOf returns the form of a name that orders equally good hits; the ID breaks ties. It is cut off to keep page
// positions short.
func orderOf(name string) string {
	const longest = 120
	order := textfold.Short(strings.Join(words(name), " "))
	return strings.ToValidUTF8(order[:min(len(order), longest)], "")
}

// Index finds documents of one version of the catalogue. It is read-only and safe for
// concurrent use.
type Index struct {
	// vocabulary has every word of names and categories once, in its long and in its short form. frequencies has the
	// number of names with each word.
	vocabulary  []string
	frequencies []uint32
	// numbers has the index of each word in the vocabulary.
	numbers    map[string]uint32
	categories []category
	// documents are in the order of the snapshot. products is the index of the first product.
	documents []document
	products  int
	// words has the words of all names, in both forms.
	words []wordInName
}

// span is a part of Index.words.
type span struct{ from, to uint32 }

func (x *Index) in(s span) []wordInName { return x.words[s.from:s.to] }

type category struct {
	id    string
	words span
	names int // of documents
}

type document struct {
	line string
	// words are those of its own name. length is how many were written, without stop words.
	words span
	// organization is the index of a product's organization, or the organization's own index.
	length, organization, category uint32
}

// wordInName is the index of a word in the vocabulary, shifted left by one, and notFirst
// unless it is the first word of the name.
type wordInName uint32

const notFirst wordInName = 1

// Open returns the index of a snapshot. The index refers to text.
func Open(text string) (*Index, error) {
	lines, known := strings.CutPrefix(text, header)
	if !known {
		return nil, ErrFormat
	}
	r := reader{Index: &Index{documents: make([]document, 0, strings.Count(lines, "\n")), numbers: map[string]uint32{}}}
	for line := range strings.Lines(lines) {
		if !r.add(strings.TrimSuffix(line, "\n")) {
			return nil, errDamaged
		}
	}
	return r.Index, nil
}

// reader builds an index.
type reader struct {
	*Index
	// shorts has the index of each word's short form in the vocabulary.
	shorts []uint32
}

// add adds a line of a snapshot. It returns false for a malformed line.
func (r *reader) add(line string) bool {
	f := strings.Split(line, "\t")
	if len(f) == categoryFields {
		r.categories = append(r.categories, category{id: f[0], words: r.addWords(f[1], "")})
		return true
	}
	if len(f) < productFields {
		return false
	}
	d := document{line: line, words: r.addWords(f[fieldWords], f[fieldJoinedWords])}
	for word := range strings.FieldsSeq(f[fieldWords]) {
		if len(word) == 1 || !isStopWord(word) { // one letter often tells names apart
			d.length++
		}
	}
	switch of, err := strconv.Atoi(f[fieldOf]); {
	case err != nil || of < 0 || len(r.documents) == maxDocuments:
		return false
	case len(f) == organizationFields && of < len(r.categories) && r.products == len(r.documents):
		d.organization, d.category = uint32(len(r.documents)), uint32(of)
		r.products++
	case len(f) == productFields && of < r.products:
		d.organization, d.category = uint32(of), r.documents[of].category
	default:
		return false
	}
	r.categories[d.category].names++
	r.documents = append(r.documents, d)
	return true
}

// addWords adds the words of a name, in both forms, each once.
func (r *reader) addWords(written, joined string) span {
	start, place := len(r.words), wordInName(0)
	for _, list := range [...]string{written, joined} {
		for word := range strings.FieldsSeq(list) {
			long := r.number(word)
			for _, n := range [...]uint32{r.shorts[long], long} {
				known := func(w wordInName) bool { return w>>1 == wordInName(n) }
				if !slices.ContainsFunc(r.words[start:], known) {
					r.words = append(r.words, wordInName(n)<<1|place)
					r.frequencies[n]++
				}
			}
			place = notFirst
		}
	}
	return span{uint32(start), uint32(len(r.words))}
}

// number returns the index of a word in the vocabulary, and adds a new word.
func (r *reader) number(word string) uint32 {
	n, known := r.numbers[word]
	if !known {
		n = uint32(len(r.vocabulary))
		r.numbers[word] = n
		r.vocabulary, r.frequencies, r.shorts = append(r.vocabulary, word), append(r.frequencies, 0), append(r.shorts, n)
		r.shorts[n] = r.number(textfold.Short(word))
	}
	return n
}
