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

// make test watches every package that starts goroutines with the race detector: in its own tests,
// or in those of what uses it, such as the crash points, which run the whole service.
func TestTheRaceDetectorSeesEveryGoroutine(t *testing.T) {
	script, err := os.ReadFile(filepath.Join(root, ".ci", "test"))
	require.NoError(t, err)
	list := regexp.MustCompile(`(?ms)^raced='(.+?)'$`).FindSubmatch(script)
	require.NotNil(t, list)
	deps := []string{"list", "-deps", "-test", "-f", "{{.ImportPath}}"}
	for pkg := range strings.FieldsSeq(string(list[1])) {
		deps = append(deps, module+strings.TrimPrefix(pkg, "."))
	}
	raced := importsOf(t, deps...)
	require.Contains(t, raced, module+"/localstack/tests/crashpoints")
	raced[module+"/internal/app"] = nil // it starts some for the local stack's seed only
	for pkg := range importsOf(t, "list", "-f", "{{.ImportPath}}", module+"/internal/...") {
		files, err := filepath.Glob(filepath.Join(root, strings.TrimPrefix(pkg, module), "*.go"))
		require.NoError(t, err)
		for _, path := range files {
			if strings.HasSuffix(path, "_test.go") || strings.Contains(pkg, "/sandbox") {
				continue
			}
			source, err := os.ReadFile(path)
			require.NoError(t, err)
			if found := concurrency(t, string(source)); len(found) > 0 {
				_, ok := raced[pkg]
				assert.True(t, ok, "%s has %v: list its package in .ci/test", path, found)
			}
		}
	}
}

func TestConcurrencyIsRecognised(t *testing.T) {
	for _, source := range []string{
		`import "sync"; func f() { var all sync.WaitGroup; all.Go(f) }`,
		`import "golang.org/x/sync/errgroup"; var g errgroup.Group`,
		`func f() { go f() }`,
	} {
		assert.NotEmpty(t, concurrency(t, "package p; "+source), source)
	}
	assert.Empty(t, concurrency(t, `package p; import "sync"; var mu sync.Mutex; var once = sync.OnceValue(f); func f() int { return 1 }`))
}

// concurrency returns what starts goroutines in a file.
func concurrency(t *testing.T, source string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
	require.NoError(t, err)
	var found []string
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			found = append(found, "go")
		case *ast.ImportSpec:
			if path := strings.Trim(n.Path.Value, `"`); path == "golang.org/x/sync/errgroup" {
				found = append(found, path)
			}
		case *ast.SelectorExpr:
			if pkg, ok := n.X.(*ast.Ident); ok && pkg.Name == "sync" && n.Sel.Name == "WaitGroup" {
				found = append(found, "sync."+n.Sel.Name)
			}
		}
		return true
	})
	return found
}
