package fulltext_test

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/fulltext"
	"aviso/internal/cancellation/fulltext/fulltexttest"
)

// encoded returns a small index with categories.
func encoded() []byte {
	documents, _ := fulltexttest.Catalogue(fulltexttest.Seeded(13), 30)
	for i := range documents {
		documents[i].CategoryNames = []string{"Strom und Gas", "Luce e gas"}
	}
	return fulltext.Encode(documents)
}

func TestOpenRefusesWhatIsNoIndex(t *testing.T) {
	t.Parallel()
	whole, format := encoded(), len("aviso search index")
	with := func(number uint32) string {
		other := slices.Clone(whole)
		binary.LittleEndian.PutUint32(other[format:], number)
		return string(other)
	}
	for name, test := range map[string]struct{ data, fault string }{
		"nothing":         {"", "not a search index"},
		"something else":  {strings.Repeat("x", 500), "not a search index"},
		"an older format": {with(0), "format 0; this program reads format 1"},
		"a newer format":  {with(2), "format 2; this program reads format 1"},
		"a byte too many": {string(whole) + "x", "damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := fulltext.Open(test.data)
			assert.ErrorContains(t, err, test.fault)
		})
	}
	t.Run("any beginning", func(t *testing.T) {
		t.Parallel()
		for length := range whole {
			_, err := fulltext.Open(string(whole[:length]))
			require.Error(t, err, length)
		}
	})
}

func TestTheSameDocumentsGiveTheSameBytes(t *testing.T) {
	t.Parallel()
	first, second := encoded(), encoded()
	assert.Equal(t, first, second)
}

// Whatever the bytes are, the search answers or refuses them.
func FuzzOpen(f *testing.F) {
	f.Add(string(encoded()))
	f.Add(string(fulltext.Encode(nil)))
	f.Fuzz(func(t *testing.T, data string) {
		x, err := fulltext.Open(data)
		if err != nil {
			return
		}
		for _, q := range []string{"s", "strom", "stadtwerke energie gas", "xtrom"} {
			page, err := x.Search(q, cancellation.SearchFilter{}, 3, "")
			require.NoError(t, err)
			_, err = x.Search(q, cancellation.SearchFilter{Locale: "de-DE", CategoryID: "c"}, 3, page.Next)
			require.NoError(t, err)
		}
	})
}
