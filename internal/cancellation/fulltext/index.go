package fulltext

import (
	"math"
	"slices"
	"strings"

	"aviso/internal/cancellation"
	"aviso/internal/textfold"
)

// Index finds documents of one version of the catalogue. It is read-only and safe for
// concurrent use.
type Index struct {
	// vocabulary has every word of names and categories once, in its long and in its short
	// form. frequencies has how many names have it.
	vocabulary  []string
	frequencies []uint32
	categories  []category
	// documents are first the organizations and then the products, both by order and ID. products
	// is the index of the first product.
	documents []document
	products  int
}

type category struct {
	words []wordInName
	names int // of documents
}

type document struct {
	*cancellation.SearchDocument // apart, because a query looks at few of them
	// words are those of its own name, in both forms. length is how many were written.
	words  []wordInName
	length uint8
	// organization is the index of a product's organization, or of the organization itself.
	organization, category uint32
}

// wordInName is the index of a word in the vocabulary, shifted left by one, and notFirst
// unless it is the first word of the name.
type wordInName uint32

const notFirst wordInName = 1

// builder builds an index.
type builder struct {
	*Index
	// numbers has the index of each word in the vocabulary, shorts that of its short form.
	numbers map[string]uint32
	shorts  []uint32
	// categoryNumbers and organizations have indexes by ID.
	categoryNumbers, organizations map[string]uint32
}

func newBuilder() *builder {
	return &builder{
		Index: &Index{}, numbers: map[string]uint32{}, categoryNumbers: map[string]uint32{}, organizations: map[string]uint32{},
	}
}

// add adds the next document. It leaves out products without their organization.
func (b *builder) add(d cancellation.SearchDocument) {
	i := uint32(len(b.documents))
	if d.Kind == cancellation.SearchOrganization {
		b.organizations[d.ID] = i
		b.products++
	}
	of, known := b.organizations[d.OrganizationID]
	if !known {
		return
	}
	c, known := b.categoryNumbers[d.CategoryID]
	if !known {
		c = uint32(len(b.categories))
		b.categoryNumbers[d.CategoryID] = c
		all := slices.DeleteFunc(words(strings.Join(d.CategoryNames, " ")), isStopWord)
		b.categories = append(b.categories, category{words: b.addWords(all)})
	}
	b.categories[c].names++
	d.CategoryNames = nil
	if d.Kind == cancellation.SearchProduct { // saves a third of the memory
		o := b.documents[of]
		d.OrganizationID, d.OrganizationName, d.CategoryID, d.URL, d.Source = o.ID, o.Name, o.CategoryID, o.URL, o.Source
	}
	written := words(d.Name)
	b.documents = append(b.documents, document{
		SearchDocument: &d, words: b.addWords(written, joinedWords(d.Name)), length: uint8(min(len(written), math.MaxUint8)),
		organization: of, category: c,
	})
}

// addWords adds the words of a name, in both forms, each once.
func (b *builder) addWords(lists ...[]string) (added []wordInName) {
	place := wordInName(0)
	for _, word := range slices.Concat(lists...) {
		long := b.number(word)
		for _, n := range [...]uint32{b.shorts[long], long} {
			if !slices.ContainsFunc(added, func(w wordInName) bool { return w>>1 == wordInName(n) }) {
				added = append(added, wordInName(n)<<1|place)
				b.frequencies[n]++
			}
		}
		place = notFirst
	}
	return added
}

// number returns the index of a word in the vocabulary, and adds it if it is new.
func (b *builder) number(word string) uint32 {
	n, known := b.numbers[word]
	if !known {
		n = uint32(len(b.vocabulary))
		b.numbers[word] = n
		b.vocabulary, b.frequencies, b.shorts = append(b.vocabulary, word), append(b.frequencies, 0), append(b.shorts, n)
		b.shorts[n] = b.number(textfold.Short(word))
	}
	return n
}
