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
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/fulltext"
	"aviso/internal/dynamo"
)

// The environment variables that run the test binary as a child process: its role and
// the address of the table.
const (
	childRole     = "FULLTEXT_TEST_CHILD"
	childEndpoint = "FULLTEXT_TEST_ENDPOINT"
	childTable    = "FULLTEXT_TEST_TABLE"

	roleWriter = "writer"
	roleSearch = "search"
)

// organizations is the number of organizations in the child processes' catalogue.
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
		Region: "eu-central-1", BaseEndpoint: &endpoint,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "local", SecretAccessKey: "local"}, nil
		}),
	})
	c := catalogueTable{fulltext.NewStore(db, os.Getenv(childTable), time.Now), db, os.Getenv(childTable)}
	if role == roleWriter {
		return c.write(ctx)
	}
	return c.answer(ctx, start)
}

// catalogueTable is a table with two versions of a large catalogue.
type catalogueTable struct {
	*fulltext.Store
	db   *dynamodb.Client
	name string
}

// publish makes a version the current one.
func (c catalogueTable) publish(ctx context.Context, version string) error {
	row := dynamo.Item{"version": dynamo.S(version)}
	return dynamo.NewTable(c.db, c.name).Put(ctx, dynamo.Key{PK: "CATALOGUE", SK: "VERSION"}, row)
}

// write stores both versions, publishes the first, and prints the queries to run, one
// per line.
func (c catalogueTable) write(ctx context.Context) error {
	r := seeded(1)
	documents, made := randomCatalogue(r, organizations)
	misspelt := misspellings(r, made, 1000)
	for _, q := range misspelt {
		fmt.Println(q.Text)
	}
	for _, q := range halfTyped(r, misspelt) {
		fmt.Println(q)
	}
	for _, version := range []string{"v1", "v2"} {
		if err := c.PutSnapshot(ctx, version, documents); err != nil {
			return err
		}
	}
	return c.publish(ctx, "v1")
}

// figures are what the search process measures.
type figures struct {
	// ReadyMilliseconds is the time from the start of its code to the first answer, most
	// of which is the table's. ReadyCPU is the process's own, in microseconds.
	ReadyMilliseconds, ReadyCPU int
	// Resident is the memory in kB after all queries. Peak is the maximum until the
	// second version has replaced the first.
	Resident, Peak int
	// P50 and P99 are in microseconds.
	P50, P99 int
}

// answer loads the catalogue, answers the queries on its input, loads the second version
// and prints its figures.
func (c catalogueTable) answer(ctx context.Context, start time.Time) error {
	search := catalogue.NewSearch(catalogue.SearchDeps{Source: c, Now: time.Now, Log: slog.Default()})
	if err := search.Load(ctx); err != nil {
		return err
	}
	if _, err := search.Search(ctx, "stadtwerke", catalogue.SearchFilter{}, 50, ""); err != nil {
		return err
	}
	f := figures{ReadyMilliseconds: int(time.Since(start).Milliseconds())}
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return err
	}
	f.ReadyCPU = int(time.Duration(used.Utime.Nano() + used.Stime.Nano()).Microseconds())
	queries, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	var times []time.Duration
	for q := range strings.Lines(string(queries)) {
		begin := time.Now()
		if _, err := search.Search(ctx, strings.TrimSuffix(q, "\n"), catalogue.SearchFilter{}, 50, ""); err != nil {
			return err
		}
		times = append(times, time.Since(begin))
	}
	slices.Sort(times)
	f.P50, f.P99 = int(times[len(times)/2].Microseconds()), int(times[len(times)*99/100].Microseconds())
	if f.Resident, err = memory("VmRSS"); err != nil {
		return err
	}
	if err := c.publish(ctx, "v2"); err != nil {
		return err
	}
	if err := search.Load(ctx); err != nil {
		return err
	}
	if f.Peak, err = memory("VmHWM"); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(f)
}

// memory returns a value of /proc/self/status in kB.
func memory(name string) (int, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(status), "\n"+name+":")
	kilobytes, _, _ := strings.Cut(rest, " kB")
	return strconv.Atoi(strings.TrimSpace(kilobytes))
}
