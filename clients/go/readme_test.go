package aviso

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestTheREADMEShowsCodeThatRuns compares its blocks with the program that the tests run, and
// with the examples that they compile.
func TestTheREADMEShowsCodeThatRuns(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	program := read("examples/quickstart/main.go")
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(read("README.md"), -1)
	equal(t, "quickstart", blocks[0][1], program)
	if lines := regexp.MustCompile(`(?m)^[^/\n]`).FindAllString(program, -1); len(lines) >= 30 {
		t.Errorf("the quickstart has %d lines", len(lines))
	}
	unindented := strings.ReplaceAll(read("example_test.go"), "\n\t", "\n")
	for _, block := range blocks[1:] {
		if !strings.Contains(unindented, block[1]) {
			t.Errorf("example_test.go does not have\n%s", block[1])
		}
	}
}
