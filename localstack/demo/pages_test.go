package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/sandbox"
	"aviso/internal/sandbox/persona"
)

// pages returns the pages of documentation, and those that more patterns match, by their path
// from the root.
func pages(t *testing.T, more ...string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, pattern := range append(more, "../../*.md", "../../docs/*.md", "../../docs/guides/*.md") {
		paths, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, path := range paths {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			texts[strings.TrimPrefix(path, "../../")] = string(text)
		}
	}
	return texts
}

func TestPagesLinkToWhatIsThere(t *testing.T) {
	t.Parallel()
	link := regexp.MustCompile(`\]\(([^)#]*)(?:#([^)]*))?\)`)
	all := pages(t, "../../clients/*/README.md")
	for path, text := range all {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			to := path
			if m[1] != "" {
				to = filepath.Join(filepath.Dir(path), m[1])
			}
			_, err := os.Stat("../../" + to)
			assert.NoError(t, err, "%s links to %s", path, m[0])
			if m[2] != "" {
				assert.Contains(t, anchors(all[to]), m[2], "%s links to %s", path, m[0])
			}
		}
	}
}

// anchors returns the anchors of a page's headings.
func anchors(text string) []string {
	var found []string
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(text, -1) {
		name := regexp.MustCompile(`[^a-z0-9 -]`).ReplaceAllString(strings.ToLower(m[1]), "")
		found = append(found, strings.ReplaceAll(name, " ", "-"))
	}
	return found
}

func TestPagesNameCommandsThatExist(t *testing.T) {
	t.Parallel()
	makefile, err := os.ReadFile("../../Makefile")
	require.NoError(t, err)
	command := regexp.MustCompile("(?m)(?:`|^|=[^ ]+ )make ([a-z0-9 -]+)")
	for path, text := range pages(t) {
		for _, m := range command.FindAllStringSubmatch(text, -1) {
			for target := range strings.FieldsSeq(m[1]) {
				assert.Regexp(t, `(?m)^`+target+`:`, string(makefile), "%s: %s", path, m[0])
			}
		}
	}
}

func TestDevelopmentPageListsThePersonas(t *testing.T) {
	t.Parallel()
	page := pages(t)["docs/development.md"]
	for _, p := range persona.All() {
		assert.Contains(t, page, "| `"+p.ID+"` | "+p.Name+" |")
	}
}

func TestDevelopmentPageListsTheTestOrganizations(t *testing.T) {
	t.Parallel()
	page, found := pages(t)["docs/development.md"], 0
	for line := range bytes.Lines(sandbox.Catalogue()) {
		var row struct {
			Organization struct{ Category, Name string }
		}
		require.NoError(t, json.Unmarshal(line, &row))
		if row.Organization.Category == "test-organizations" {
			found++
			assert.Regexp(t, `(?m)^\|.*\b`+regexp.QuoteMeta(row.Organization.Name)+`\b.* \|$`, page)
		}
	}
	assert.NotZero(t, found)
}
