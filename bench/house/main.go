// Command house prints the size and structure of the code base (make house). With -v it
// also lists what it counted.
//
// Lines of code are lines with at least one token other than a comment.
// The product is functions and internal, without internal/sandbox and without
// packages whose name ends in "test"; every other Go file is the workbench. An
// interface's implementations are the named types of this module whose values or
// pointers implement it; a struct that embeds the interface is one of them. In a
// line's columns a tab counts as four, and struct tags count as well. Tokens measure
// code however it is wrapped; comments are none. A journey's hops are the declarations
// that its section of docs/architecture.md names.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxColumns   = 120
	tabColumns   = 4
	smallPackage = 80
)

func main() {
	verbose := flag.Bool("v", false, "list what is counted")
	flag.Parse()
	if err := run(*verbose); err != nil {
		fmt.Fprintln(os.Stderr, "house:", err)
		os.Exit(1)
	}
}

func run(verbose bool) error {
	files, err := readFiles(".")
	if err != nil {
		return err
	}
	m, err := listModule()
	if err != nil {
		return err
	}
	interfaces, err := m.interfaces()
	if err != nil {
		return err
	}
	t := table{verbose: verbose}
	t.addLines(files)
	t.addPackages(m, files)
	t.addInterfaces(interfaces)
	return t.addJourneys("docs/architecture.md")
}

// table prints a row for each figure and, if verbose, its parts.
type table struct{ verbose bool }

func (t table) row(name string, figure any, parts ...string) {
	fmt.Printf("%-52s %8v\n", name, figure)
	if t.verbose {
		for _, p := range parts {
			fmt.Println("    " + p)
		}
	}
}

func (t table) list(name string, parts []string) { t.row(name, len(parts), parts...) }

func (t table) addLines(files []file) {
	var product, workbench, tests, internal, productTokens, workbenchTokens int
	var wide []string
	for _, f := range files {
		switch {
		case f.isTest():
			tests += f.code
			continue
		case f.isProduct():
			product, productTokens = product+f.code, productTokens+f.tokens
		default:
			workbench, workbenchTokens = workbench+f.code, workbenchTokens+f.tokens
		}
		if strings.HasPrefix(f.path, "internal/") {
			internal += f.code
			wide = append(wide, f.wide...)
		}
	}
	t.row("product, lines of code", product)
	t.row("  tokens", productTokens)
	t.row("workbench, lines of code", workbench)
	t.row("  tokens", workbenchTokens)
	t.row("tests, lines of code", tests)
	t.list(fmt.Sprintf("lines over %d columns in internal, without tests", maxColumns), wide)
	t.row("  share of its lines of code", fmt.Sprintf("%.1f %%", 100*float64(len(wide))/float64(internal)))
}

func (t table) addPackages(m *module, files []file) {
	lines := map[string]int{}
	for _, f := range files {
		if !f.isTest() {
			lines[filepath.Dir(f.path)] += f.code
		}
	}
	importers := map[string][]string{}
	for _, p := range m.packages {
		for _, path := range p.Imports {
			importers[path] = append(importers[path], p.ImportPath)
		}
	}
	var all, oneFile, small, oneImporter []string
	for _, p := range m.packages {
		if !p.isInternal() {
			continue
		}
		all = append(all, p.ImportPath)
		if len(p.GoFiles) == 1 {
			oneFile = append(oneFile, p.ImportPath)
		}
		if n := lines[p.folder()]; n < smallPackage {
			small = append(small, fmt.Sprintf("%s (%d)", p.ImportPath, n))
		}
		if by := importers[p.ImportPath]; len(by) == 1 {
			oneImporter = append(oneImporter, p.ImportPath+" by "+by[0])
		}
	}
	t.row("packages in internal", len(all))
	t.list("  of one file", oneFile)
	t.list(fmt.Sprintf("  under %d lines of code", smallPackage), small)
	t.list("  with one importer", oneImporter)
}

func (t table) addInterfaces(interfaces []implemented) {
	var none, one, oneInCode []string
	for _, i := range interfaces {
		switch all := slices.Concat(i.code, i.fakes); len(all) {
		case 0:
			none = append(none, i.name)
		case 1:
			one = append(one, i.name+" by "+all[0])
		}
		if len(i.code) == 1 {
			oneInCode = append(oneInCode, i.name+" by "+i.code[0])
		}
	}
	t.row("interfaces in internal", len(interfaces))
	t.list("  with one implementation outside tests", oneInCode)
	t.list("  with one implementation, tests' fakes included", one)
	t.list("  with none in this module", none)
}

// file holds the counts of a Go file.
type file struct {
	path   string
	code   int
	tokens int
	wide   []string // where code lines exceed maxColumns
}

func (f file) isTest() bool { return strings.HasSuffix(f.path, "_test.go") }

func (f file) isProduct() bool {
	return (strings.HasPrefix(f.path, "functions/") || strings.HasPrefix(f.path, "internal/")) &&
		!strings.HasPrefix(f.path, "internal/sandbox/") && !strings.HasSuffix(filepath.Dir(f.path), "test")
}

// readFiles reads every Go file below root, including nested modules.
func readFiles(root string) ([]file, error) {
	var files []file
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			if name := e.Name(); name == "node_modules" || (path != root && strings.HasPrefix(name, ".")) {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files = append(files, count(path, source))
		return nil
	})
	return files, err
}

func count(path string, source []byte) file {
	f := file{path: filepath.ToSlash(path)}
	lines := bytes.Split(source, []byte("\n"))
	isCode, tokens := codeLines(source, len(lines))
	f.tokens = tokens
	for i, line := range lines {
		if !isCode[i] {
			continue
		}
		f.code++
		if utf8.RuneCount(line)+(tabColumns-1)*bytes.Count(line, []byte("\t")) > maxColumns {
			f.wide = append(f.wide, fmt.Sprintf("%s:%d", f.path, i+1))
		}
	}
	return f
}

// codeLines reports for each line whether a token other than a comment is on it, and
// counts these tokens.
func codeLines(source []byte, lines int) (isCode []bool, tokens int) {
	isCode = make([]bool, lines)
	positions := token.NewFileSet().AddFile("", -1, len(source))
	var s scanner.Scanner
	s.Init(positions, source, nil, 0)
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return isCode, tokens
		}
		if tok == token.SEMICOLON && text == "\n" {
			continue // the scanner's own, at the end of a line
		}
		tokens++
		first := positions.Line(pos) - 1
		for i := range strings.Count(text, "\n") + 1 {
			isCode[first+i] = true
		}
	}
}
