package app_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// make test runs these packages without the race detector, so they must stay
// without goroutines of their own. Their tests of several goroutines belong to the packages that
// call them, such as cancellationfn for the letters.
func TestComputingPackagesStartNoGoroutine(t *testing.T) {
	script, err := os.ReadFile(filepath.Join(root, ".ci", "test"))
	require.NoError(t, err)
	list := regexp.MustCompile(`(?m)^computing='(.+)'$`).FindSubmatch(script)
	require.NotNil(t, list)
	for pkg := range strings.FieldsSeq(string(list[1])) {
		files, err := filepath.Glob(filepath.Join(root, pkg, "*.go"))
		require.NoError(t, err)
		require.NotEmpty(t, files, pkg)
		for _, path := range files {
			source, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Empty(t, concurrency(t, string(source)), path)
		}
	}
}

func TestConcurrencyIsRecognised(t *testing.T) {
	for _, source := range []string{
		`import "sync"; var mu sync.Mutex`,
		`import "sync"; func f() { var all sync.WaitGroup; all.Go(f) }`,
		`import "sync/atomic"; var n atomic.Int64`,
		`import "golang.org/x/sync/errgroup"; var g errgroup.Group`,
		`import "aviso/internal/parallel"; var _ = parallel.Do`,
		`import "aviso/internal/together"; var _ = together.Do`,
		`func f() { go f() }`,
		`func f() { _ = make(chan int) }`,
	} {
		assert.NotEmpty(t, concurrency(t, "package p; "+source), source)
	}
	assert.Empty(t, concurrency(t, `package p; import "sync"; var once = sync.OnceValue(f); func f() int { return 1 }`))
}

// concurrency returns what a file has of goroutines, channels, locks and atomics. What is
// computed once, with sync.OnceValue, is safe by itself.
func concurrency(t *testing.T, source string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
	require.NoError(t, err)
	var found []string
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = append(found, "go")
		case *ast.ChanType:
			found = append(found, "chan")
		case *ast.ImportSpec:
			switch path := strings.Trim(n.Path.Value, `"`); path {
			case "sync/atomic", "golang.org/x/sync/errgroup", module + "/internal/parallel", module + "/internal/together":
				found = append(found, path)
			}
		case *ast.SelectorExpr:
			if pkg, ok := n.X.(*ast.Ident); ok && pkg.Name == "sync" && !strings.HasPrefix(n.Sel.Name, "OnceValue") {
				found = append(found, "sync."+n.Sel.Name)
			}
		}
		return true
	})
	return found
}
