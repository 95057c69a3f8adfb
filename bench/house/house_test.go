package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCount(t *testing.T) {
	wide := "var wide = `" + strings.Repeat("x", maxColumns-len("var wide = ``")+1) + "`"
	source := "// Package p is counted.\npackage p\n\n/* a\ncomment */ var a = `1\n\n2` // three lines\n" +
		wide + "\n\t\t// " + strings.Repeat("x", maxColumns) + "\n"
	f := count("internal/p/p.go", []byte(source))
	assert.Equal(t, 5, f.code)
	assert.Equal(t, []string{"internal/p/p.go:8"}, f.wide, "only code is held to the width")
}

func TestIsProduct(t *testing.T) {
	for path, want := range map[string]bool{
		"functions/pfm/main.go":                  true,
		"internal/pfm/pfmdb/sync.go":             true,
		"internal/pfm/pfmtest/store.go":          false,
		"internal/sandbox/bank/bank.go":          false,
		"localstack/main.go":                     false,
		"docs/examples/receiver-go/main.go":      false,
		"internal/notification/webhook/guard.go": true,
	} {
		assert.Equal(t, want, file{path: path}.isProduct(), path)
	}
}
