package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// listed is a package as go list describes it.
type listed struct {
	ImportPath, Name, Dir, Export string

	GoFiles, TestGoFiles, XTestGoFiles []string
	Imports, TestImports, XTestImports []string

	Module *struct{ Path string }
}

func (p listed) isInternal() bool { return strings.HasPrefix(p.ImportPath, p.Module.Path+"/internal/") }

// folder returns the package's folder, relative to the module's root.
func (p listed) folder() string {
	return strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, p.Module.Path), "/")
}

func goList(args ...string) ([]listed, error) {
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var packages []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
}

// module holds the module's packages, type-checked from source. They and their tests share
// one set of types, so that a test's fake can be checked against an interface. All packages
// are first checked without their tests, which are added afterwards.
type module struct {
	packages  []listed
	byPath    map[string]listed
	files     *token.FileSet
	libraries types.Importer
	checked   map[string]*types.Package
	checkers  map[string]*types.Checker
	defs      map[*ast.Ident]types.Object
}

func listModule() (*module, error) {
	packages, err := goList("-json", "./...")
	if err != nil {
		return nil, err
	}
	m := &module{
		packages: packages,
		byPath:   map[string]listed{},
		files:    token.NewFileSet(),
		checked:  map[string]*types.Package{},
		checkers: map[string]*types.Checker{},
		defs:     map[*ast.Ident]types.Object{},
	}
	for _, p := range packages {
		m.byPath[p.ImportPath] = p
	}
	return m, nil
}

// Import implements types.Importer. The module's packages come from source, all others
// from the compiler's export data.
func (m *module) Import(path string) (*types.Package, error) {
	p, ours := m.byPath[path]
	if !ours {
		return m.libraries.Import(path)
	}
	if done := m.checked[path]; done != nil {
		return done, nil
	}
	pkg := types.NewPackage(path, p.Name)
	checker := m.checker(pkg)
	if err := m.add(checker, p, p.GoFiles); err != nil {
		return nil, err
	}
	m.checked[path], m.checkers[path] = pkg, checker
	return pkg, nil
}

func (m *module) checker(pkg *types.Package) *types.Checker {
	return types.NewChecker(&types.Config{Importer: m}, m.files, pkg, &types.Info{Defs: m.defs})
}

func (m *module) add(checker *types.Checker, p listed, names []string) error {
	var parsed []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(m.files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		parsed = append(parsed, f)
	}
	return checker.Files(parsed)
}

func (m *module) check() error {
	if err := m.listLibraries(); err != nil {
		return err
	}
	for _, p := range m.packages {
		if _, err := m.Import(p.ImportPath); err != nil {
			return err
		}
	}
	for _, p := range m.packages {
		if err := m.add(m.checkers[p.ImportPath], p, p.TestGoFiles); err != nil {
			return err
		}
	}
	for _, p := range m.packages {
		external := types.NewPackage(p.ImportPath+"_test", p.Name+"_test")
		if err := m.add(m.checker(external), p, p.XTestGoFiles); err != nil {
			return err
		}
	}
	return nil
}

// listLibraries finds the export data of everything that the module imports.
func (m *module) listLibraries() error {
	var paths []string
	for _, p := range m.packages {
		for _, path := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			if _, ours := m.byPath[path]; !ours && path != "C" {
				paths = append(paths, path)
			}
		}
	}
	slices.Sort(paths)
	args := []string{"-export", "-deps", "-json=ImportPath,Export"}
	libraries, err := goList(append(args, slices.Compact(paths)...)...)
	if err != nil {
		return err
	}
	exports := map[string]string{}
	for _, l := range libraries {
		exports[l.ImportPath] = l.Export
	}
	m.libraries = importer.ForCompiler(m.files, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})
	return nil
}

// implemented is an interface and the module's types that implement it: those in the code
// and the fakes in tests.
type implemented struct {
	name  string
	code  []string
	fakes []string
}

// interfaces returns the named interfaces with methods in internal, without those in test
// files.
func (m *module) interfaces() ([]implemented, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	var declared, concrete []*types.TypeName
	for _, obj := range m.defs {
		name, ok := obj.(*types.TypeName)
		if !ok || name.IsAlias() {
			continue
		}
		if _, parameter := name.Type().(*types.TypeParam); parameter {
			continue
		}
		if i := methods(name); i == nil {
			concrete = append(concrete, name)
		} else if i.IsMethodSet() && i.NumMethods() > 0 && m.isInternal(name) && !m.inTestFile(name) {
			declared = append(declared, name)
		}
	}
	var all []implemented
	for _, d := range declared {
		i := implemented{name: title(d)}
		for _, c := range concrete {
			switch {
			case !types.Implements(types.NewPointer(c.Type()), methods(d)):
			case m.inTest(c):
				i.fakes = append(i.fakes, title(c))
			default:
				i.code = append(i.code, title(c))
			}
		}
		all = append(all, i)
	}
	slices.SortFunc(all, func(a, b implemented) int { return strings.Compare(a.name, b.name) })
	return all, nil
}

func methods(name *types.TypeName) *types.Interface {
	i, _ := name.Type().Underlying().(*types.Interface)
	return i
}

func (m *module) isInternal(name *types.TypeName) bool {
	p, ok := m.byPath[name.Pkg().Path()]
	return ok && p.isInternal()
}

// inTest reports whether the type is in a test, or in a package for tests.
func (m *module) inTest(name *types.TypeName) bool {
	return m.inTestFile(name) || strings.HasSuffix(name.Pkg().Path(), "test")
}

func (m *module) inTestFile(name *types.TypeName) bool {
	return strings.HasSuffix(m.files.Position(name.Pos()).Filename, "_test.go")
}

func title(name *types.TypeName) string { return name.Pkg().Path() + "." + name.Name() }
