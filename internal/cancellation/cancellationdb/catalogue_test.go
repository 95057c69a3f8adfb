package cancellationdb_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/aws/config"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/dynamo"
	"aviso/internal/observe"
	"aviso/internal/outcome"
	"aviso/localstack/tests/testenv"
)

// importing is a store into which a test imports.
type importing struct {
	*cancellationdb.Store
	t     *testing.T
	table dynamo.Table
}

func newCatalogue(t *testing.T) *importing {
	t.Helper()
	db := dynamodb.New(testenv.DynamoDB(t).Options(), func(o *dynamodb.Options) { o.APIOptions = append(o.APIOptions, config.CountCalls) })
	table := testenv.Table(t, "CancellationTable")
	return &importing{t: t, table: dynamo.NewTable(db, table), Store: cancellationdb.New(db, table, "no outbox", time.Now, uuid.NewString)}
}

type noSearch struct{}

func (noSearch) PutSnapshot(context.Context, string, []catalogue.SearchDocument) error { return nil }

func (c *importing) imported(entries ...catalogue.Entry) {
	c.t.Helper()
	ed := catalogue.Edition{Entries: entries, Categories: []catalogue.Category{
		{ID: catalogue.CategoryID("press"), Slug: "press", Names: map[string]string{"en": "Press", "de": "Presse"}},
		{ID: catalogue.CategoryID("energy"), Slug: "energy", Names: map[string]string{"en": "Energy"}},
	}}
	importer := &catalogue.Importer{Store: c.Store, Search: noSearch{}, Now: time.Now, NewID: uuid.NewString}
	_, err := importer.Import(c.t.Context(), ed, false, func(int, int) {})
	require.NoError(c.t, err)
}

func organization(slug, name, category string, locales ...cancellation.Locale) catalogue.Entry {
	return catalogue.Entry{
		Organization: catalogue.Organization{
			ID: catalogue.OrganizationID(slug), Slug: slug, CategoryID: catalogue.CategoryID(category), Name: name, Locales: locales,
		},
		Products: []catalogue.Product{product(slug, "abo", locales...)},
	}
}

func product(organization, slug string, locales ...cancellation.Locale) catalogue.Product {
	labels := map[cancellation.Locale]string{}
	for _, l := range locales {
		labels[l] = "Name " + string(l)
	}
	return catalogue.Product{
		ID: catalogue.ProductID(organization, slug), Slug: slug, OrganizationID: catalogue.OrganizationID(organization),
		Name: slug, Locales: locales, Form: catalogue.FormText,
		Channels: []cancellation.Channel{{Kind: cancellation.ChannelFax, Fax: "+4930123456"}},
		Fields:   []catalogue.Field{{Key: catalogue.FieldName, Labels: labels}},
	}
}

// names lists organizations page by page.
func (c *importing) names(f catalogue.SearchFilter, limit int, between ...func()) []string {
	c.t.Helper()
	names := []string{}
	for position := ""; ; {
		page, next, err := c.Organizations(c.t.Context(), f, limit, position)
		require.NoError(c.t, err)
		require.LessOrEqual(c.t, len(page), limit)
		for _, o := range page {
			names = append(names, o.Name)
		}
		if position = next; next == "" {
			return names
		}
		require.Len(c.t, page, limit, "a page that is not the last is full")
		for _, f := range between {
			f()
		}
	}
}

func TestAnEmptyCatalogue(t *testing.T) {
	t.Parallel()
	c := newCatalogue(t)
	categories, err := c.Categories(t.Context())
	require.NoError(t, err)
	assert.Empty(t, categories)
	assert.Empty(t, c.names(catalogue.SearchFilter{}, 10))
	_, err = c.Entry(t.Context(), catalogue.OrganizationID("a"))
	require.ErrorIs(t, err, outcome.ErrNotFound)
}

func TestEntry(t *testing.T) {
	t.Parallel()
	c := newCatalogue(t)
	e := organization("lampe", "Lampe & Söhne", "energy", "de-DE", "de-AT")
	e.Organization.ExtraConsent, e.Organization.URL = true, "https://lampe.example"
	for _, slug := range []string{"z", "m", "a", "q"} {
		e.Products = append(e.Products, product("lampe", slug, "de-AT"))
	}
	e.Products[1].Form = catalogue.FormWritten
	e.Products[1].Channels = []cancellation.Channel{
		{
			Kind: cancellation.ChannelRegisteredMail,
			Address: &cancellation.PostalAddress{
				Recipient: []string{"Lampe", "Service"}, Street: "Weg 1", PostalCode: "1010", City: "Wien",
				CountryCode: "AT",
			},
		},
		{Kind: cancellation.ChannelEmail, Email: "service@lampe.example"},
	}
	e.Products[2].Fields = append(
		e.Products[2].Fields,
		catalogue.Field{Key: "METER_NUMBER", Format: "^[0-9]{8}$", Labels: map[cancellation.Locale]string{"de-AT": "Zählernummer"}},
	)
	c.imported(e)

	t.Run("round-trips, with products in order", func(t *testing.T) {
		got, err := c.Entry(t.Context(), e.Organization.ID)
		require.NoError(t, err)
		assert.Equal(t, e, got)
	})
	t.Run("is missing under another ID", func(t *testing.T) {
		_, err := c.Entry(t.Context(), catalogue.ProductID("lampe", "a"))
		require.ErrorIs(t, err, outcome.ErrNotFound)
	})
}

func TestOrganizations(t *testing.T) {
	t.Parallel()
	c := newCatalogue(t)
	hidden := organization("hidden", "Alles", "press", "de-DE")
	hidden.Organization.Inactive = true
	unconfirmed := organization("e", "***", "energy", "de-DE")
	unconfirmed.Organization.Unconfirmed, unconfirmed.Organization.Source = true, "a register"
	c.imported(
		organization("a", "Zeitung", "press", "de-DE"), organization("b", "Ärmel", "energy", "de-DE", "fr-FR"),
		organization("c", "arm", "press", "fr-FR"), organization("d", "Éclair", "press", "fr-FR", "de-DE"), unconfirmed,
		organization("f", "éclair", "energy", "fr-FR"), hidden,
		organization("g", strings.Repeat("ﷺ", 200), "press", "nl-NL"),
	)
	press := catalogue.CategoryID("press")
	for _, tt := range []struct {
		name   string
		filter catalogue.SearchFilter
		want   []string
	}{
		{"all, by name without case and accents", catalogue.SearchFilter{}, []string{"***", "arm", "Ärmel", "Éclair", "éclair", "Zeitung", strings.Repeat("ﷺ", 200)}},
		{"of a category", catalogue.SearchFilter{CategoryID: press}, []string{"arm", "Éclair", "Zeitung", strings.Repeat("ﷺ", 200)}},
		{"of a locale", catalogue.SearchFilter{Locale: "fr-FR"}, []string{"arm", "Ärmel", "Éclair", "éclair"}},
		{"of both", catalogue.SearchFilter{CategoryID: press, Locale: "de-DE"}, []string{"Éclair", "Zeitung"}},
		{"confirmed", catalogue.SearchFilter{Confirmed: new(true)}, []string{"arm", "Ärmel", "Éclair", "éclair", "Zeitung", strings.Repeat("ﷺ", 200)}},
		{"not confirmed", catalogue.SearchFilter{Confirmed: new(false)}, []string{"***"}},
		{"of a category that there is not", catalogue.SearchFilter{CategoryID: uuid.NewString()}, []string{}},
		{"of a locale that nobody has", catalogue.SearchFilter{Locale: "sv-SE"}, []string{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for limit := 1; limit <= 8; limit++ {
				// Names that fold to the same text sort by ID.
				got := c.names(tt.filter, limit)
				assert.ElementsMatch(t, tt.want, got, "limit %d", limit)
				for i := range got {
					assert.True(t, strings.EqualFold(tt.want[i], got[i]), "limit %d: %v", limit, got)
				}
			}
		})
	}
}

func TestOrganizationsDuringAnImport(t *testing.T) {
	t.Parallel()
	for _, limit := range []int{1, 2, 3} {
		c := newCatalogue(t)
		var entries []catalogue.Entry
		for i := range 6 {
			entries = append(entries, organization(fmt.Sprintf("o%d", i), fmt.Sprintf("m%d", i), "press", "de-DE"))
		}
		c.imported(entries...)
		n := 0
		got := c.names(catalogue.SearchFilter{}, limit, func() {
			if n++; n < 4 { // one before and one after what has been returned
				entries = append(
					entries, organization(fmt.Sprintf("x%d", n), fmt.Sprintf("a%d", n), "press", "de-DE"),
					organization(fmt.Sprintf("y%d", n), fmt.Sprintf("z%d", n), "press", "de-DE"),
				)
				c.imported(entries...)
			}
		})
		seen := map[string]int{}
		for _, name := range got {
			seen[name]++
			assert.Equal(t, 1, seen[name], "limit %d: %s", limit, name)
		}
		for i := range 6 {
			assert.Contains(t, seen, fmt.Sprintf("m%d", i), "limit %d", limit)
		}
	}
}

// An organization with the maximum of products, locales and fields.
func TestReadsStayWithinTheirBudget(t *testing.T) {
	t.Parallel()
	c := newCatalogue(t)
	var locales []cancellation.Locale
	for i := range 30 {
		locales = append(locales, cancellation.Locale(fmt.Sprintf("d%c-D%c", 'a'+i%26, 'A'+i/26)))
	}
	large := organization("large", "Large", "press", locales...)
	large.Products = nil
	for i := range 50 {
		p := product("large", fmt.Sprint(i), locales...)
		for k := range 19 {
			labels := map[cancellation.Locale]string{}
			for _, l := range locales {
				labels[l] = "A label that is longer than most are, so."
			}
			p.Fields = append(p.Fields, catalogue.Field{Key: fmt.Sprintf("KEY_%d", k), Labels: labels})
		}
		large.Products = append(large.Products, p)
	}
	c.imported(large, organization("small", "Small", "press", "de-DE"))
	read := func(calls int64, f func(ctx context.Context) error) {
		t.Helper()
		ctx, counter := observe.CountCalls(t.Context())
		require.NoError(t, f(ctx))
		assert.Equal(t, calls, counter.Count())
	}
	read(1, func(ctx context.Context) error { _, err := c.Categories(ctx); return err })
	read(1, func(ctx context.Context) error {
		_, _, err := c.Organizations(ctx, catalogue.SearchFilter{Locale: "de-DE"}, 200, "")
		return err
	})
	read(1, func(ctx context.Context) error {
		_, err := c.Entry(ctx, catalogue.OrganizationID("small"))
		return err
	})
	read(2, func(ctx context.Context) error {
		got, err := c.Entry(ctx, large.Organization.ID)
		assert.Equal(t, large, got)
		return err
	})
}

func TestMalformedCatalogueRowsAreErrors(t *testing.T) {
	t.Parallel()
	c := newCatalogue(t)
	put := func(pk, sk, name string) {
		require.NoError(t, c.table.Put(t.Context(), dynamo.Key{PK: pk, SK: sk}, dynamo.Item{name: dynamo.S("x")}))
	}
	put("CATEGORIES", "CATEGORIES", "categories")
	put("ORGANIZATION#o", "ORGANIZATION", "inactive")
	put("ORGANIZATION#p", "PRODUCT#p", "channels")
	put("ORGANIZATIONS#*#*", "o#o", "inactive")
	_, err := c.Categories(t.Context())
	require.Error(t, err)
	for _, id := range []string{"o", "p"} {
		_, err = c.Entry(t.Context(), id)
		require.Error(t, err)
		require.NotErrorIs(t, err, outcome.ErrNotFound)
	}
	_, _, err = c.Organizations(t.Context(), catalogue.SearchFilter{}, 1, "")
	require.Error(t, err)
	for _, row := range [][2]string{{"VERSION", "at"}, {"ORGANIZATION#o", "placements"}} {
		put("CATALOGUE", row[0], row[1])
		_, err = c.StoredCatalogue(t.Context())
		require.Error(t, err)
		require.NoError(t, c.table.Delete(t.Context(), dynamo.Key{PK: "CATALOGUE", SK: row[0]}))
	}
}
