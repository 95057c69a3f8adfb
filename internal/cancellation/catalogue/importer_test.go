package catalogue_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/localstack/tests/testenv"
)

// tb is implemented by tests and property checks.
type tb interface {
	require.TestingT
	Helper()
	Context() context.Context
}

var errCrash = errors.New("the process has ended")

// importing is an importer with the real store, a clock that the test sets and a
// search that records its snapshots.
type importing struct {
	*cancellationdb.Store
	db       *dynamodb.Client
	table    string
	at       time.Time
	importer *catalogue.Importer
	search   *search
	// crash is the number of the first DynamoDB call that fails, as do all after it;
	// 0 means none. With late set, that call succeeds but its response is lost.
	crash, calls atomic.Int64
	late         bool
}

type search struct {
	snapshots map[string][]catalogue.SearchDocument
	err       error
}

func (s *search) PutSnapshot(_ context.Context, version string, docs []catalogue.SearchDocument) error {
	if s.err != nil {
		return s.err
	}
	s.snapshots[version] = docs
	return nil
}

func newImporting(t *testing.T) *importing {
	t.Helper()
	w := &importing{
		table: testenv.Table(t, "CancellationTable"), at: time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC),
		search: &search{snapshots: map[string][]catalogue.SearchDocument{}},
	}
	w.db = dynamodb.New(testenv.DynamoDB(t).Options(), w.install)
	now := func() time.Time { return w.at }
	w.Store = cancellationdb.New(w.db, w.table, "no outbox", now, uuid.NewString)
	w.importer = &catalogue.Importer{Store: w.Store, Search: w.search, Now: now, NewID: uuid.NewString}
	return w
}

// install makes calls fail from crash on.
func (w *importing) install(o *dynamodb.Options) {
	o.APIOptions = append(o.APIOptions, func(stack *middleware.Stack) error {
		return stack.Initialize.Add(middleware.InitializeMiddlewareFunc(
			"Crash",
			func(ctx context.Context, in middleware.InitializeInput,
				next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
				n, crash := w.calls.Add(1), w.crash.Load()
				if crash == 0 || n < crash || (n == crash && w.late) {
					out, metadata, err := next.HandleInitialize(ctx, in)
					if n == crash {
						return middleware.InitializeOutput{}, middleware.Metadata{}, errCrash
					}
					return out, metadata, err
				}
				return middleware.InitializeOutput{}, middleware.Metadata{}, errCrash
			},
		), middleware.Before)
	})
}

// crashAt makes the nth call from now crash.
func (w *importing) crashAt(n int, late bool) {
	w.calls.Store(0)
	w.crash.Store(int64(n))
	w.late = late
}

// imported imports an edition and requires success.
func (w *importing) imported(t tb, ed catalogue.Edition) catalogue.ImportResult {
	t.Helper()
	r, err := w.importer.Import(t.Context(), ed, false, func(int, int) {})
	require.NoError(t, err)
	return r
}

// rows returns all rows of the table except the version, by key.
func (w *importing) rows(t tb) map[string]map[string]types.AttributeValue {
	t.Helper()
	rows := map[string]map[string]types.AttributeValue{}
	consistent := true
	pages := dynamodb.NewScanPaginator(w.db, &dynamodb.ScanInput{TableName: &w.table, ConsistentRead: &consistent})
	for pages.HasMorePages() {
		out, err := pages.NextPage(t.Context())
		require.NoError(t, err)
		for _, item := range out.Items {
			pk, _ := item["pk"].(*types.AttributeValueMemberS)
			sk, _ := item["sk"].(*types.AttributeValueMemberS)
			if key := pk.Value + " " + sk.Value; key != "CATALOGUE VERSION" {
				rows[key] = item
			}
		}
	}
	return rows
}

// wipe empties the table.
func (w *importing) wipe(t tb) {
	t.Helper()
	keys := []dynamo.Key{{PK: "CATALOGUE", SK: "VERSION"}}
	for _, item := range w.rows(t) {
		keys = append(keys, dynamo.KeyOf(item))
	}
	require.NoError(t, dynamo.NewTable(w.db, w.table).DeleteAll(t.Context(), keys...))
}

// entry returns an organization with some products.
func entry(slug, name string, change ...func(*catalogue.Entry)) catalogue.Entry {
	e := catalogue.Entry{
		Organization: catalogue.Organization{
			ID: catalogue.OrganizationID(slug), Slug: slug, CategoryID: catalogue.CategoryID("streaming"), Name: name,
			URL: "https://" + slug + ".example", Locales: []cancellation.Locale{"de-DE", "en-GB"},
		},
	}
	e.Products = []catalogue.Product{product(slug, "abo"), product(slug, "premium")}
	for _, f := range change {
		f(&e)
	}
	return e
}

func product(organization, slug string) catalogue.Product {
	return catalogue.Product{
		ID: catalogue.ProductID(organization, slug), Slug: slug, OrganizationID: catalogue.OrganizationID(organization),
		Name: "Product " + slug, Locales: []cancellation.Locale{"de-DE", "en-GB"}, Form: catalogue.FormText,
		Channels: []cancellation.Channel{
			{Kind: cancellation.ChannelEmail, Email: "cancel@" + organization + ".example"},
			{
				Kind:    cancellation.ChannelMail,
				Address: &cancellation.PostalAddress{Recipient: []string{"Service"}, PostalCode: "50667", City: "Köln", CountryCode: "DE"},
			},
		},
		Fields: []catalogue.Field{
			{Key: catalogue.FieldName, Labels: map[cancellation.Locale]string{"de-DE": "Name", "en-GB": "Name"}},
			{
				Key: catalogue.FieldZIP, Format: "^[a-zA-Z0-9 ]{1,20}$",
				Labels: map[cancellation.Locale]string{"de-DE": "Postleitzahl", "en-GB": "Postcode"},
			},
		},
	}
}

func edition(entries ...catalogue.Entry) catalogue.Edition {
	var ed catalogue.Edition
	for _, slug := range []string{"streaming", "fitness", "press"} {
		ed.Categories = append(
			ed.Categories,
			catalogue.Category{
				ID: catalogue.CategoryID(slug), Slug: slug, Names: map[string]string{"en": slug, "de": slug + " (de)"},
			},
		)
	}
	ed.Entries = entries
	return ed
}

// huge returns an organization with more rows than fit into one transaction.
func huge(slug, name string) catalogue.Entry {
	return entry(slug, name, func(e *catalogue.Entry) {
		e.Organization.Locales, e.Products = nil, nil
		for i := range 26 {
			e.Organization.Locales = append(e.Organization.Locales, cancellation.Locale(fmt.Sprintf("d%c-DE", 'a'+i)))
		}
		for i := range 50 {
			e.Products = append(e.Products, product(slug, fmt.Sprintf("%s-%d", name, i)))
		}
	})
}

func TestImport(t *testing.T) {
	t.Parallel()

	t.Run("writes only what is new, changed or removed", func(t *testing.T) {
		w := newImporting(t)
		r := w.imported(t, edition(entry("a", "A"), entry("b", "B"), entry("c", "C")))
		assert.Equal(t, catalogue.ImportResult{New: []string{"a", "b", "c"}, Version: r.Version}, r)
		before := w.rows(t)

		renamed := entry("b", "Bee", func(e *catalogue.Entry) { e.Products = e.Products[1:] })
		second := w.imported(t, edition(entry("d", "D"), entry("a", "A"), renamed))
		assert.Equal(t, catalogue.ImportResult{
			Unchanged: 1, New: []string{"d"}, Changed: []string{"b"}, Removed: []string{"c"}, Version: second.Version,
		}, second)
		assert.NotEqual(t, r.Version, second.Version)
		after := w.rows(t)
		assert.Len(t, after, len(before)-1, "d for c, and one product fewer")
		for key := range after {
			assert.NotContains(t, key, catalogue.OrganizationID("c"))
			assert.NotContains(t, key, catalogue.ProductID("b", "abo"))
		}
	})

	t.Run("of the same edition changes nothing, not even the version", func(t *testing.T) {
		w := newImporting(t)
		first := w.imported(t, edition(entry("b", "B"), entry("a", "A")))
		before := w.rows(t)
		second := w.imported(t, edition(entry("a", "A"), entry("b", "B")))
		assert.Equal(t, catalogue.ImportResult{Unchanged: 2, Version: first.Version}, second)
		assert.Equal(t, before, w.rows(t))
		assert.Len(t, w.search.snapshots, 1)
	})

	t.Run("of other categories publishes a new version", func(t *testing.T) {
		w := newImporting(t)
		first := w.imported(t, edition(entry("a", "A")))
		ed := edition(entry("a", "A"))
		ed.Categories[0].Names["de"] = "Streamingdienste"
		second := w.imported(t, ed)
		assert.Equal(t, catalogue.ImportResult{Unchanged: 1, Version: second.Version}, second)
		assert.NotEqual(t, first.Version, second.Version)
		got, err := w.Categories(t.Context())
		require.NoError(t, err)
		assert.Equal(t, ed.Categories, got)
	})

	t.Run("as a dry run returns the changes and writes nothing", func(t *testing.T) {
		w := newImporting(t)
		first := w.imported(t, edition(entry("a", "A"), entry("b", "B")))
		before := w.rows(t)
		r, err := w.importer.Import(t.Context(), edition(entry("b", "Bee"), entry("c", "C")), true, nil)
		require.NoError(t, err)
		assert.Equal(t, catalogue.ImportResult{
			New: []string{"c"}, Changed: []string{"b"}, Removed: []string{"a"}, Version: first.Version,
		}, r)
		assert.Equal(t, before, w.rows(t))
	})

	t.Run("reports its progress", func(t *testing.T) {
		w := newImporting(t)
		var entries []catalogue.Entry
		for i := range 120 {
			entries = append(entries, entry(fmt.Sprintf("o%03d", i), "O", func(e *catalogue.Entry) { e.Products = e.Products[:1] }))
		}
		var heard [][2]int
		_, err := w.importer.Import(
			t.Context(),
			edition(entries...),
			false,
			func(done, total int) { heard = append(heard, [2]int{done, total}) },
		)
		require.NoError(t, err)
		assert.Equal(t, [][2]int{{0, 120}, {50, 120}, {100, 120}, {120, 120}}, heard)
	})

	t.Run("records the counts in the version", func(t *testing.T) {
		w := newImporting(t)
		w.imported(t, edition(entry("a", "A"), entry("b", "B")))
		w.at = w.at.Add(time.Hour)
		r := w.imported(t, edition(entry("a", "A"), huge("c", "c")))
		stored, err := w.StoredCatalogue(t.Context())
		require.NoError(t, err)
		assert.NotEmpty(t, stored.Version.Digest)
		stored.Version.Digest = ""
		assert.Equal(
			t,
			catalogue.Version{ID: r.Version, At: w.at, Categories: 3, Organizations: 2, Products: 52, New: 1, Removed: 1},
			stored.Version,
		)
	})

	t.Run("writes the search snapshot before anything else", func(t *testing.T) {
		w := newImporting(t)
		w.search.err = errors.New("no search")
		ed := edition(entry("a", "A"))
		_, err := w.importer.Import(t.Context(), ed, false, func(int, int) {})
		require.ErrorIs(t, err, w.search.err)
		assert.Empty(t, w.rows(t))
		stored, err := w.StoredCatalogue(t.Context())
		require.NoError(t, err)
		assert.Empty(t, stored.Version)
		dry, err := w.importer.Import(t.Context(), ed, true, nil)
		require.NoError(t, err)
		assert.Equal(t, catalogue.ImportResult{New: []string{"a"}}, dry)
		w.search.err = nil
		r := w.imported(t, ed)
		assert.Equal(t, catalogue.ImportResult{New: []string{"a"}, Version: r.Version}, r)
		assert.NotEmpty(t, r.Version)
		assert.Equal(t, ed.SearchDocuments(), w.search.snapshots[r.Version])
	})
}

func TestOnlyOneImportRuns(t *testing.T) {
	t.Parallel()
	ctx := t.Context()

	t.Run("a second import is refused while the first is running", func(t *testing.T) {
		w := newImporting(t)
		require.NoError(t, w.AcquireImport(ctx, catalogue.ImportLease{Token: "other", Until: w.at.Add(time.Minute)}, w.at))
		_, err := w.importer.Import(ctx, edition(entry("a", "A")), false, func(int, int) {})
		require.ErrorIs(t, err, catalogue.ErrImportRunning)
		_, err = w.importer.Import(ctx, edition(entry("a", "A")), true, nil)
		require.NoError(t, err, "a dry run is not refused")
		w.at = w.at.Add(time.Minute)
		w.imported(t, edition(entry("a", "A")))
	})

	t.Run("a failed import lets the next one start at once", func(t *testing.T) {
		w := newImporting(t)
		w.search.err = errors.New("no search")
		_, err := w.importer.Import(ctx, edition(entry("a", "A")), false, func(int, int) {})
		require.Error(t, err)
		w.search.err = nil
		w.imported(t, edition(entry("b", "B")))
	})

	t.Run("an import that has lost its lease writes nothing more", func(t *testing.T) {
		w := newImporting(t)
		slow := edition(entry("a", "A"), entry("b", "B"))
		var version string
		_, err := w.importer.Import(ctx, slow, false, func(done, _ int) {
			if done == 0 { // this import pauses while another does all its work
				w.at = w.at.Add(time.Hour)
				version = w.imported(t, edition(entry("b", "Bee"))).Version
			}
		})
		require.ErrorIs(t, err, catalogue.ErrImportRunning)
		want := newImporting(t)
		want.imported(t, edition(entry("b", "Bee")))
		assert.Equal(t, want.rows(t), w.rows(t))
		stored, err := w.StoredCatalogue(ctx)
		require.NoError(t, err)
		assert.Equal(t, version, stored.Version.ID)
	})

	t.Run("an import that has lost its lease publishes no version", func(t *testing.T) {
		w := newImporting(t)
		_, err := w.importer.Import(ctx, edition(entry("a", "A")), false, func(done, total int) {
			if done < total {
				w.at = w.at.Add(time.Hour)
				require.NoError(t, w.AcquireImport(ctx, catalogue.ImportLease{Token: "other", Until: w.at.Add(time.Minute)}, w.at))
			}
		})
		require.ErrorIs(t, err, catalogue.ErrImportRunning)
		stored, err := w.StoredCatalogue(ctx)
		require.NoError(t, err)
		assert.Empty(t, stored.Version)
		_, err = w.importer.Import(ctx, edition(entry("a", "A")), false, func(int, int) {})
		require.ErrorIs(t, err, catalogue.ErrImportRunning, "the other import keeps its lease")
	})
}

// Wherever an import breaks off: what it changes is there as a whole, or nothing is. A dry run says which, and a
// second import does the rest.
func TestABrokenImportChangesNothing(t *testing.T) {
	t.Parallel()
	before := edition(entry("a", "A"), entry("b", "B"))
	after := edition(entry("b", "Bee"), entry("c", "C"))
	changes := catalogue.ImportResult{New: []string{"c"}, Changed: []string{"b"}, Removed: []string{"a"}}
	want := newImporting(t)
	want.imported(t, after)
	for _, late := range []bool{false, true} {
		for call, broken := 1, true; broken; call++ {
			w := newImporting(t)
			changes.Version = w.imported(t, before).Version
			w.crashAt(call, late)
			_, err := w.importer.Import(t.Context(), after, false, func(int, int) {})
			w.crashAt(0, false)
			w.at = w.at.Add(3 * time.Minute) // the lease has not been released
			dry, dryErr := w.importer.Import(t.Context(), after, true, nil)
			require.NoError(t, dryErr)
			if broken = err != nil; dry.Version == changes.Version {
				require.ErrorIs(t, err, errCrash)
				w.holds(t, before)
				assert.Equal(t, changes, dry, "call %d", call)
			} else {
				w.holds(t, after)
				assert.Equal(t, catalogue.ImportResult{Unchanged: 2, Version: dry.Version}, dry, "call %d", call)
			}
			w.imported(t, after)
			assert.Equal(t, want.rows(t), w.rows(t), "call %d", call)
		}
	}
}

// What does not fit into one transaction is there in part, but a dry run never says that nothing is left to do.
func TestABrokenLargeImportIsSeen(t *testing.T) {
	t.Parallel()
	var before, after []catalogue.Entry
	for i := range 12 {
		before = append(before, entry(fmt.Sprintf("o%d", i), "O"), entry(fmt.Sprintf("p%d", i), "P"))
		after = append(after, entry(fmt.Sprintf("o%d", i), "Oh"))
	}
	for call, broken := 1, true; broken; call++ {
		w := newImporting(t)
		first := w.imported(t, edition(before...))
		w.crashAt(call, false)
		_, err := w.importer.Import(t.Context(), edition(after...), false, func(int, int) {})
		w.crashAt(0, false)
		w.at = w.at.Add(3 * time.Minute)
		dry, dryErr := w.importer.Import(t.Context(), edition(after...), true, nil)
		require.NoError(t, dryErr)
		broken = err != nil
		assert.Equal(t, broken, dry.Version == first.Version, "call %d", call)
		assert.Equal(t, broken, len(dry.Changed)+len(dry.Removed) > 0, "call %d: %+v", call, dry)
	}
}

// editions are random editions of a few organizations, so that two of them have
// organizations in common.
func editions() *rapid.Generator[catalogue.Edition] {
	return rapid.Custom(func(t *rapid.T) catalogue.Edition {
		var entries []catalogue.Entry
		for _, slug := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c", "d", "e"}), 1, 4, rapid.ID).Draw(t, "slugs") {
			name := rapid.SampledFrom([]string{"Alpha", "Ärger", "beta", "***"}).Draw(t, "name")
			if slug == "e" && rapid.IntRange(0, 3).Draw(t, "huge") == 0 {
				entries = append(entries, huge(slug, map[string]string{"Alpha": "a", "Ärger": "a", "beta": "b", "***": "b"}[name]))
				continue
			}
			entries = append(entries, entry(slug, name, func(e *catalogue.Entry) {
				e.Organization.CategoryID = catalogue.CategoryID(rapid.SampledFrom([]string{"streaming", "press"}).Draw(t, "category"))
				e.Organization.Locales = e.Organization.Locales[:rapid.IntRange(1, 2).Draw(t, "locales")]
				e.Organization.Inactive = rapid.IntRange(0, 3).Draw(t, "inactive") == 0
				e.Products = e.Products[rapid.IntRange(0, 1).Draw(t, "from"):]
				e.Products[0].Inactive = rapid.IntRange(0, 3).Draw(t, "product inactive") == 0
			}))
		}
		return edition(entries...)
	})
}

// Whatever was stored and wherever imports are interrupted, the last one that
// finishes leaves its edition and nothing else.
func TestImportStoresExactlyItsEdition(t *testing.T) {
	t.Parallel()
	w := newImporting(t)     // never emptied: each check starts with what the previous one left
	clean := newImporting(t) // one import into an empty table each time
	rapid.Check(t, func(t *rapid.T) {
		ed := editions().Draw(t, "edition")
		for range rapid.IntRange(0, 2).Draw(t, "crashes") {
			w.crashAt(rapid.IntRange(1, 25).Draw(t, "call"), rapid.Bool().Draw(t, "late"))
			broken := rapid.OneOf(editions(), rapid.Just(ed)).Draw(t, "broken off")
			if _, err := w.importer.Import(t.Context(), broken, false, func(int, int) {}); err != nil {
				require.ErrorIs(t, err, errCrash)
			}
			w.crashAt(0, false)
			w.at = w.at.Add(3 * time.Minute) // the lease has not been released
		}
		r := w.imported(t, ed)
		clean.wipe(t)
		clean.imported(t, ed)
		require.Equal(t, clean.rows(t), w.rows(t))

		again := w.imported(t, ed)
		assert.Equal(t, catalogue.ImportResult{Unchanged: len(ed.Entries), Version: r.Version}, again)
		assert.Equal(t, ed.SearchDocuments(), w.search.snapshots[r.Version])
		w.holds(t, ed)
	})
}

// holds compares what partners can read with an edition.
func (w *importing) holds(t tb, ed catalogue.Edition) {
	t.Helper()
	type place struct{ category, locale string }
	lists := map[place][]string{}
	for _, e := range ed.Entries {
		o := e.Organization
		got, err := w.Entry(t.Context(), o.ID)
		if o.Inactive {
			require.ErrorIs(t, err, outcome.ErrNotFound)
			continue
		}
		require.NoError(t, err)
		want := catalogue.Entry{Organization: o}
		for _, p := range e.Products {
			if !p.Inactive {
				want.Products = append(want.Products, p)
			}
		}
		require.Equal(t, want, got)
		for _, l := range append([]cancellation.Locale{""}, o.Locales...) {
			for _, category := range []string{"", o.CategoryID} {
				lists[place{category, string(l)}] = append(lists[place{category, string(l)}], o.ID)
			}
		}
	}
	for _, category := range []string{"", "streaming", "fitness", "press"} {
		for _, l := range []string{"", "de-DE", "en-GB", "fr-FR", "da-DE"} {
			id := ""
			if category != "" {
				id = catalogue.CategoryID(category)
			}
			page, next, err := w.Organizations(
				t.Context(), catalogue.SearchFilter{CategoryID: id, Locale: cancellation.Locale(l)}, 200, "",
			)
			require.NoError(t, err)
			require.Empty(t, next)
			var ids []string
			for _, o := range page {
				ids = append(ids, o.ID)
			}
			want := slices.Clone(lists[place{id, l}])
			slices.Sort(want)
			slices.Sort(ids)
			require.Equal(t, want, ids)
		}
	}
}
