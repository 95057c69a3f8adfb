package collection_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/app"
	"aviso/localstack/collection"
)

const file = "../../docs/aviso.postman_collection.json"

func stored(t *testing.T) (collection.Collection, string) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var c collection.Collection
	require.NoError(t, json.Unmarshal(text, &c))
	return c, string(text)
}

func TestStoredCollectionIsThatOfTheCode(t *testing.T) {
	t.Parallel()
	_, text := stored(t)
	for range 3 { // maps have another order each time
		c, err := collection.New(app.Document())
		require.NoError(t, err)
		made, err := c.JSON()
		require.NoError(t, err)
		require.Equal(t, text, string(made), "run make openapi")
	}
}

func TestEachOperationIsInItOnce(t *testing.T) {
	t.Parallel()
	c, _ := stored(t)
	var documented, requested, names []string
	for _, path := range app.Document().Paths {
		for _, o := range []*huma.Operation{path.Get, path.Post, path.Put, path.Patch, path.Delete} {
			if o != nil {
				documented = append(documented, o.OperationID)
			}
		}
	}
	for _, folder := range c.Item {
		assert.NotEmpty(t, folder.Description, folder.Name)
		for _, item := range folder.Item {
			names = append(names, item.Name)
			if slices.Contains(documented, item.ID) {
				requested = append(requested, item.ID)
			}
		}
	}
	assert.ElementsMatch(t, documented, requested)
	slices.Sort(names)
	assert.Equal(t, slices.Compact(slices.Clone(names)), names, "a request repeats itself by its name")
}

var (
	used    = regexp.MustCompile(`\{\{([$\w]+)\}\}|(?:pm\.collectionVariables\.get|\bvalue)\(\\"([^"\\]+)\\"\)`)
	written = regexp.MustCompile(`pm\.collectionVariables\.set\(\\"([^"\\]+)\\"`)
)

func TestEachVariableIsDefinedAndUsed(t *testing.T) {
	t.Parallel()
	c, text := stored(t)
	var defined, preset, read, set []string
	for _, v := range c.Variable {
		defined = append(defined, v.Key)
		if v.Value != "" {
			preset = append(preset, v.Key)
		}
	}
	for _, found := range used.FindAllStringSubmatch(text, -1) {
		if name := found[1] + found[2]; !strings.HasPrefix(name, "$") {
			read = append(read, name)
		}
	}
	for _, found := range written.FindAllStringSubmatch(text, -1) {
		set = append(set, found[1])
	}
	assert.ElementsMatch(t, defined, unique(read), "the variables that are defined, and those that are used")
	assert.Empty(t, intersection(preset, set), "set by the partner and by a request")
	assert.ElementsMatch(t, defined, unique(append(preset, set...)), "nothing sets it")
}

// A request that needs another one's result comes after it.
func TestVariablesAreSetBeforeTheyAreUsed(t *testing.T) {
	t.Parallel()
	c, _ := stored(t)
	known := []string{"accessToken", "accessTokenExpiresAt", "accessTokenOwner", "tries"}
	for _, v := range c.Variable {
		if v.Value != "" {
			known = append(known, v.Key)
		}
	}
	for _, folder := range c.Item {
		for _, item := range folder.Item {
			text, err := json.Marshal(item)
			require.NoError(t, err)
			for _, found := range written.FindAllStringSubmatch(string(text), -1) {
				known = append(known, found[1])
			}
			for _, found := range used.FindAllStringSubmatch(string(text), -1) {
				if name := found[1] + found[2]; !strings.HasPrefix(name, "$") {
					assert.Contains(t, known, name, item.Name)
				}
			}
		}
	}
}

func unique(names []string) []string {
	names = slices.Clone(names)
	slices.Sort(names)
	return slices.Compact(names)
}

func intersection(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(name string) bool { return !slices.Contains(b, name) })
}
