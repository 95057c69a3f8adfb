package fulltext_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/fulltext"
	"aviso/internal/dynamo"
	"aviso/localstack/template"
	"aviso/localstack/testenv"
)

// The search as a process of its own, as the function is one: it reads the
// catalogue from DynamoDB, answers, and tells what it took. TestMain starts it in
// place of the tests when childEndpoint is set.
const (
	childEndpoint = "FULLTEXT_TEST_ENDPOINT"
	childTable    = "FULLTEXT_TEST_TABLE"
	childQueries  = "FULLTEXT_TEST_QUERIES"
	organizations = 50_000
)

func TestMain(m *testing.M) {
	if endpoint := os.Getenv(childEndpoint); endpoint != "" {
		if err := child(endpoint, os.Getenv(childTable)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// figures are what the process has measured of itself.
type figures struct {
	// ReadyMilliseconds is from the first line of its own to the first answer.
	ReadyMilliseconds int
	// Resident and Peak are in kB, after all queries.
	Resident, Peak int
	// P50 and P99 are in microseconds.
	P50, P99 int
}

func child(endpoint, table string) error {
	start := time.Now()
	ctx := context.Background()
	db := dynamodb.New(dynamodb.Options{
		Region: "eu-central-1", BaseEndpoint: &endpoint, Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "local", SecretAccessKey: "local"}, nil
		}),
	})
	store := cancellationdb.New(db, table, "", time.Now, uuid.NewString)
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
	var times []time.Duration
	for _, q := range strings.Split(os.Getenv(childQueries), "\n") {
		begin := time.Now()
		if _, err := search.Search(ctx, q, cancellation.SearchFilter{}, 50, ""); err != nil {
			return err
		}
		times = append(times, time.Since(begin))
	}
	slices.Sort(times)
	f.P50, f.P99 = int(times[len(times)/2].Microseconds()), int(times[len(times)*99/100].Microseconds())
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		n, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(value), " kB"))
		switch name {
		case "VmRSS":
			f.Resident = n
		case "VmHWM":
			f.Peak = n
		}
	}
	return json.NewEncoder(os.Stdout).Encode(f)
}

// measure runs the process on a catalogue of 50,000 organizations, with the
// settings of the collector that template.yaml has.
func measure(t testing.TB) figures {
	t.Helper()
	r := seeded(1)
	documents, made := catalogue(r, organizations)
	db, table := testenv.DynamoDB(t), testenv.Table(t, "CancellationTable")
	require.NoError(t, cancellationdb.New(db, table, "", time.Now, uuid.NewString).PutSnapshot(t.Context(), "v1", documents))
	item := dynamo.Key("CATALOGUE", "VERSION")
	item["version"] = dynamo.S("v1")
	_, err := db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: item})
	require.NoError(t, err)
	queries := make([]string, 0, 2000)
	for _, q := range misspelt(r, made, 1000) {
		letters := []rune(q.text)
		queries = append(queries, q.text, string(letters[:1+r.IntN(len(letters))]))
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childEndpoint+"="+*db.Options().BaseEndpoint, childTable+"="+table, childQueries+"="+strings.Join(queries, "\n"))
	cmd.Env = append(cmd.Env, collector(t)...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	var f figures
	require.NoError(t, json.Unmarshal(out, &f))
	return f
}

// collector is how template.yaml sets the garbage collector of the function.
func collector(t testing.TB) []string {
	t.Helper()
	tpl, err := template.Load("../../../template.yaml", func(name string) (string, bool) { return "local", name == "Environment" })
	require.NoError(t, err)
	for _, f := range tpl.Functions {
		if f.Name == "search" {
			gogc, limit := f.Environment["GOGC"], f.Environment["GOMEMLIMIT"]
			require.Len(t, gogc, 1)
			require.Len(t, limit, 1)
			return []string{"GOGC=" + gogc[0].Text, "GOMEMLIMIT=" + limit[0].Text}
		}
	}
	require.Fail(t, "template.yaml has no function search")
	return nil
}

// TestProcess holds the process to its memory, and to its times with room for a
// machine that is busy; BenchmarkProcess tells the true ones.
func TestProcess(t *testing.T) {
	f := measure(t)
	resident := 80_000
	if raceDetector {
		resident *= 6
	}
	assert.Less(t, f.Resident, resident, "kB")
	assert.Less(t, f.ReadyMilliseconds, 20_000)
	assert.Less(t, f.P99, 500_000, "µs")
}

func BenchmarkProcess(b *testing.B) {
	var f figures
	for b.Loop() {
		f = measure(b)
	}
	b.ReportMetric(float64(f.ReadyMilliseconds), "ready-ms")
	b.ReportMetric(float64(f.Resident)/1000, "resident-MB")
	b.ReportMetric(float64(f.Peak)/1000, "peak-MB")
	b.ReportMetric(float64(f.P50), "p50-µs")
	b.ReportMetric(float64(f.P99), "p99-µs")
}
