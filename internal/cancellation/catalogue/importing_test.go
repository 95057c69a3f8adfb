package catalogue_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/dynamo"
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
		ID:             catalogue.ProductID(organization, slug),
		Slug:           slug,
		OrganizationID: catalogue.OrganizationID(organization),
		Name:           "Product " + slug,
		Locales:        []cancellation.Locale{"de-DE", "en-GB"},
		Form:           catalogue.FormText,
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
