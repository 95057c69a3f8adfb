package fulltext_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/fulltext"
	"aviso/internal/cancellation/fulltext/fulltexttest"
)

// The variables that turn the test's program into a child: what it is to do, and
// where the table is.
const (
	childRole     = "FULLTEXT_TEST_CHILD"
	childEndpoint = "FULLTEXT_TEST_ENDPOINT"
	childTable    = "FULLTEXT_TEST_TABLE"

	roleWriter = "writer"
	roleSearch = "search"
)

// organizations is how many the catalogue of the children has.
const organizations = 50_000

func TestMain(m *testing.M) {
	role := os.Getenv(childRole)
	if role == "" {
		os.Exit(m.Run())
	}
	if err := child(role); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func child(role string) error {
	start := time.Now()
	endpoint, ctx := os.Getenv(childEndpoint), context.Background()
	db := dynamodb.New(dynamodb.Options{
		Region: "eu-central-1", BaseEndpoint: &endpoint, Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "local", SecretAccessKey: "local"}, nil
		}),
	})
	store := cancellationdb.New(db, os.Getenv(childTable), "", time.Now, uuid.NewString)
	if role == roleWriter {
		return writeCatalogue(ctx, store)
	}
	return answer(ctx, store, start)
}

// writeCatalogue leaves the search documents in the table, and what to ask for
// on its output, a query a line.
func writeCatalogue(ctx context.Context, store *cancellationdb.Store) error {
	r := fulltexttest.Seeded(1)
	documents, made := fulltexttest.Catalogue(r, organizations)
	misspelt := fulltexttest.Misspelt(r, made, 1000)
	for _, q := range misspelt {
		fmt.Println(q.Text)
	}
	for _, q := range fulltexttest.Typing(r, misspelt) {
		fmt.Println(q)
	}
	return store.PutSnapshot(ctx, "v1", documents)
}

// figures are what the search has measured of itself.
type figures struct {
	// ReadyMilliseconds is from the first line of its own to the first answer.
	ReadyMilliseconds int
	// Resident and Peak are in kB, after all queries.
	Resident, Peak int
	// P50 and P99 are in microseconds.
	P50, P99 int
}

// answer reads the catalogue, answers the queries of its input, and writes its
// figures.
func answer(ctx context.Context, store *cancellationdb.Store, start time.Time) error {
	search := cancellation.NewSearch(cancellation.SearchDeps{
		Source: store, Build: func(d []cancellation.SearchDocument) cancellation.SearchIndex { return fulltext.New(d) }, Now: time.Now, Log: slog.Default(),
	})
	if err := search.Load(ctx); err != nil {
		return err
	}
	if _, err := search.Search(ctx, "stadtwerke", cancellation.SearchFilter{}, 50, ""); err != nil {
		return err
	}
	f := figures{ReadyMilliseconds: int(time.Since(start).Milliseconds())}
	queries, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	var times []time.Duration
	for q := range strings.Lines(string(queries)) {
		begin := time.Now()
		if _, err := search.Search(ctx, strings.TrimSuffix(q, "\n"), cancellation.SearchFilter{}, 50, ""); err != nil {
			return err
		}
		times = append(times, time.Since(begin))
	}
	slices.Sort(times)
	f.P50, f.P99 = int(times[len(times)/2].Microseconds()), int(times[len(times)*99/100].Microseconds())
	if f.Resident, f.Peak, err = memory(); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(f)
}

// memory is what the process holds and has held at most, in kB.
func memory() (resident, peak int, err error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		n, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(value), " kB"))
		switch name {
		case "VmRSS":
			resident = n
		case "VmHWM":
			peak = n
		}
	}
	return resident, peak, nil
}
