package fulltext_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/template"
	"aviso/localstack/tests/testenv"
)

// measure runs the search in its own process, like the deployed function. The process
// loads a catalogue of 50,000 organizations from DynamoDB, answers queries and reports
// what that took. It is built without the race detector, which needs several times the
// memory.
func measure(t testing.TB) figures {
	t.Helper()
	program := filepath.Join(t.TempDir(), "child")
	build := exec.CommandContext(t.Context(), "go", "test", "-c", "-race=false", "-ldflags", "-s -w", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	run(t, build)

	db, table := testenv.DynamoDB(t), testenv.Table(t, "CancellationTable")
	child := func(role string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), program)
		cmd.Env = append(os.Environ(), childRole+"="+role, childEndpoint+"="+*db.Options().BaseEndpoint, childTable+"="+table)
		return cmd
	}
	queries := run(t, child(roleWriter))
	search := child(roleSearch)
	search.Env = append(search.Env, collector(t)...)
	search.Stdin = bytes.NewReader(queries)
	var f figures
	require.NoError(t, json.Unmarshal(run(t, search), &f))
	return f
}

// run returns the output of a command.
func run(t testing.TB, cmd *exec.Cmd) []byte {
	t.Helper()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	return out
}

// collector returns the garbage collector settings of the function in template.yaml.
func collector(t testing.TB) []string {
	t.Helper()
	tpl, err := template.Load("../../../template.yaml", func(name string) (string, bool) { return "local", name == "Environment" })
	require.NoError(t, err)
	for _, f := range tpl.Functions {
		if f.Name == "search" {
			gogc, limit := f.Environment["GOGC"], f.Environment["GOMEMLIMIT"]
			require.NotEmpty(t, gogc)
			require.NotEmpty(t, limit)
			return []string{"GOGC=" + string(gogc), "GOMEMLIMIT=" + string(limit)}
		}
	}
	require.Fail(t, "template.yaml has no function search")
	return nil
}

// TestProcess checks the memory limit strictly and the times with a margin for a busy
// machine. BenchmarkProcess reports the actual times.
func TestProcess(t *testing.T) {
	if os.Getenv("NIGHTLY") == "" {
		t.Skip("takes half a minute: make nightly")
	}
	f := measure(t)
	assert.Less(t, f.Resident, 48_000, "kB")
	assert.Less(t, f.Peak, 64_000, "kB; two versions, one of them as it is read")
	assert.Less(t, f.ReadyCPU, 250_000, "µs")
	assert.Less(t, f.ReadyMilliseconds, 10_000)
	assert.Less(t, f.P99, 100_000, "µs")
}

func BenchmarkProcess(b *testing.B) {
	var f figures
	for b.Loop() {
		f = measure(b)
	}
	b.ReportMetric(float64(f.ReadyMilliseconds), "ready-ms")
	b.ReportMetric(float64(f.ReadyCPU)/1000, "ready-cpu-ms")
	b.ReportMetric(float64(f.Resident)/1000, "resident-MB")
	b.ReportMetric(float64(f.Peak)/1000, "peak-MB")
	b.ReportMetric(float64(f.P50), "p50-µs")
	b.ReportMetric(float64(f.P99), "p99-µs")
}
