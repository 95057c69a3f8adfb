package app_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// root is the module's folder.
const root = "../.."

// place is a code span of a page that names a file or folder, and perhaps what the
// file declares: `internal/pfm/transaction/reading.go:Reading.Transactions`.
var place = regexp.MustCompile("`((?:\\.?[\\w-]+/)*[\\w.-]*(?:/|\\.go|\\.yaml|\\.yml))(?::([\\w.]+))?`")

// bareTest is a code span that names a test without its file.
var bareTest = regexp.MustCompile("`((?:Test|Fuzz)[A-Z]\\w*)`")

func TestPagesNameWhatExists(t *testing.T) {
	t.Parallel()
	tests := testsOfTheTree(t)
	for name, atLeast := range map[string]int{
		"architecture.md": 80, "threat-model.md": 150, "reliability.md": 80,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page, err := os.ReadFile(filepath.Join(root, "docs", name))
			require.NoError(t, err)
			places := place.FindAllStringSubmatch(string(page), -1)
			require.Greater(t, len(places), atLeast)
			for _, p := range places {
				path, symbol := p[1], p[2]
				if _, err := os.Stat(filepath.Join(root, path)); !assert.NoError(t, err) || symbol == "" {
					continue
				}
				assert.Contains(t, declarations(t, filepath.Join(root, path)), symbol, path)
			}
			for _, test := range bareTest.FindAllStringSubmatch(string(page), -1) {
				assert.Contains(t, tests, test[1])
			}
		})
	}
}

// testsOfTheTree returns the names of all tests and fuzz targets.
func testsOfTheTree(t *testing.T) map[string]bool {
	t.Helper()
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	names := map[string]bool{}
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".") && path != root):
			return filepath.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		source, err := os.ReadFile(path)
		for _, test := range declared.FindAllSubmatch(source, -1) {
			names[string(test[1])] = true
		}
		return err
	}))
	return names
}

// declarations returns the functions, methods (Type.Method), types, constants and
// variables of a Go file, or the names in a YAML file that are indented by two spaces,
// such as the resources of template.yaml.
func declarations(t *testing.T, path string) []string {
	t.Helper()
	var names []string
	if !strings.HasSuffix(path, ".go") {
		source, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, name := range regexp.MustCompile(`(?m)^  (\w+):`).FindAllSubmatch(source, -1) {
			names = append(names, string(name[1]))
		}
		return names
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			names = append(names, receiver(d)+d.Name.Name)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					names = append(names, spec.Name.Name)
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						names = append(names, name.Name)
					}
				}
			}
		}
	}
	return names
}

// receiver is the type of a method with a dot; empty for a function.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	name := f.Recv.List[0].Type
	if star, ok := name.(*ast.StarExpr); ok {
		name = star.X
	}
	if generic, ok := name.(*ast.IndexExpr); ok {
		name = generic.X
	}
	return strings.TrimPrefix(name.(*ast.Ident).Name, "*") + "."
}
