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

// root is the module's folder.
const root = "../.."

// place is a code span of a page that names a file or folder, and perhaps what the
// file declares: `internal/pfm/reading.go:Reading.Transactions`.
var place = regexp.MustCompile("`((?:\\.?[\\w-]+/)*[\\w.-]*(?:/|\\.go|\\.yaml|\\.yml))(?::([\\w.]+))?`")

func TestArchitecturePageNamesWhatExists(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	require.NoError(t, err)
	places := place.FindAllStringSubmatch(string(page), -1)
	require.Greater(t, len(places), 80)
	for _, p := range places {
		path, symbol := p[1], p[2]
		if _, err := os.Stat(filepath.Join(root, path)); !assert.NoError(t, err) || symbol == "" {
			continue
		}
		assert.Contains(t, declarations(t, filepath.Join(root, path)), symbol, path)
	}
}

// declarations are the functions, methods (Type.Method) and types of a file.
func declarations(t *testing.T, path string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	var names []string
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			names = append(names, receiver(d)+d.Name.Name)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if s, ok := spec.(*ast.TypeSpec); ok {
					names = append(names, s.Name.Name)
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
