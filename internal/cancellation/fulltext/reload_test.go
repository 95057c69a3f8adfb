package fulltext_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/fulltext"
)

// versions is a catalogue that has a new version at each call. Every third version cannot
// be read.
type versions struct {
	documents []catalogue.SearchDocument
	looks     atomic.Int64
}

func (v *versions) CatalogueVersion(context.Context) (string, error) {
	return fmt.Sprint(v.looks.Add(1)), nil
}

// Snapshot names all documents after the version, so that the test notices an answer
// that mixes two versions.
func (v *versions) Snapshot(_ context.Context, version string) (catalogue.SearchIndex, error) {
	if version[len(version)-1]%3 == 0 {
		return nil, errors.New("it is broken")
	}
	documents := make([]catalogue.SearchDocument, len(v.documents))
	for i, d := range v.documents {
		d.URL = version
		documents[i] = d
	}
	return fulltext.New(documents), nil
}

func TestQueriesDuringReloads(t *testing.T) {
	t.Parallel()
	documents, made := randomCatalogue(seeded(11), 300)
	search := catalogue.NewSearch(catalogue.SearchDeps{
		Source: &versions{documents: documents}, Now: time.Now, Log: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, search.Load(t.Context()))
	var all sync.WaitGroup
	var ended atomic.Bool
	all.Go(func() {
		defer ended.Store(true)
		loaded := 0
		for range 30 {
			if search.Load(t.Context()) == nil {
				loaded++
			}
		}
		assert.Greater(t, loaded, 15, "most versions must load")
	})
	for worker := range 4 {
		all.Go(func() {
			for _, q := range misspellings(seeded(uint64(worker)), made, 2000) {
				twoPages(t, search, q.Text)
				if ended.Load() {
					return
				}
			}
		})
	}
	all.Wait()
}

// twoPages checks that each of two pages has documents of one version only. The pages may
// differ in version.
func twoPages(t *testing.T, search *catalogue.Search, query string) {
	position := ""
	for range 2 {
		page, err := search.Search(t.Context(), query, catalogue.SearchFilter{}, 2, position)
		if !assert.NoError(t, err) {
			return
		}
		for _, d := range page.Organizations {
			assert.Equal(t, page.Organizations[0].URL, d.URL)
		}
		if position = page.Next; position == "" {
			return
		}
	}
}
