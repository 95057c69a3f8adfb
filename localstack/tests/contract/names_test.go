package contract

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/document"
)

func TestSchemasAreNamedForPartners(t *testing.T) {
	t.Parallel()
	named := regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)
	schemas := document.Partners().Components.Schemas.Map()
	for name := range schemas {
		assert.Regexp(t, named, name)
		assert.NotRegexp(t, `^(Wire|Envelope)|InputBody$`, name)
	}
	for _, name := range []string{
		"Provider", "Account", "Transaction", "Connection", "CategoryInsight", "MerchantInsight", "RecurringContract",
		"Cancellation", "WebhookSubscription", "DeliveryAttempt", "Problem", "CreateUserRequest",
		"CreateConnectionRequest", "UpdateWebhookSubscriptionRequest", "AccountListResponse", "ConnectionResponse",
	} {
		assert.Contains(t, schemas, name)
	}
}

// Generators need a name for the class of each object.
func TestEveryObjectHasAName(t *testing.T) {
	t.Parallel()
	for _, text := range [][]byte{documentText(t), internalText(t)} {
		doc, err := tree(text)
		require.NoError(t, err)
		walkObjects(nil, doc, func(steps []string) {
			isComponent := len(steps) == 3 && steps[0] == "components" && steps[1] == "schemas"
			assert.True(t, isComponent, "the object at %v has no name", steps)
		})
	}
}

// walkObjects finds every schema that lists members.
func walkObjects(at []string, node any, see func(schema []string)) {
	switch n := node.(type) {
	case []any:
		for _, element := range n {
			walkObjects(append(slices.Clip(at), "[]"), element, see)
		}
	case map[string]any:
		if _, lists := n["properties"].(map[string]any); lists && at[len(at)-1] != "properties" {
			see(at)
		}
		for key, child := range n {
			if key != "example" && key != "examples" {
				walkObjects(append(slices.Clip(at), key), child, see)
			}
		}
	}
}

func TestOperationsAreVerbsWithNouns(t *testing.T) {
	t.Parallel()
	verbs := regexp.MustCompile(
		`^(get|find|list|search|calculate|create|update|delete|accept|reconnect|refresh|withdraw|simulate|advance|open|finish|send|show|answer|receive)` +
			`[A-Z][A-Za-z]+$`)
	seen := map[string]bool{}
	for id := range operationIDs(t) {
		assert.Regexp(t, verbs, id)
		assert.False(t, seen[id], "two operations have the name %s", id)
		seen[id] = true
	}
	for _, id := range []string{
		"listRecurringContracts", "createWebhookSubscription", "listWebhookSubscriptions", "listDeliveryAttempts",
		"createWebhookSecret",
	} {
		assert.Contains(t, seen, id)
	}
}

func operationIDs(t *testing.T) func(yield func(string) bool) {
	t.Helper()
	doc, err := tree(documentText(t))
	require.NoError(t, err)
	internal, err := tree(internalText(t))
	require.NoError(t, err)
	paths, _ := doc["paths"].(map[string]any)
	others, _ := internal["paths"].(map[string]any)
	maps.Copy(paths, others)
	return func(yield func(string) bool) {
		for _, path := range paths {
			methods, _ := path.(map[string]any)
			for _, spec := range methods {
				o, _ := spec.(map[string]any)
				if id, ok := o["operationId"].(string); ok && !yield(id) {
					return
				}
			}
		}
	}
}

// Members and values may be added to answers. Requests are closed: the service refuses what
// it does not know.
func TestAnswersAreOpenAndRequestsClosed(t *testing.T) {
	t.Parallel()
	doc, err := tree(documentText(t))
	require.NoError(t, err)
	components, _ := doc["components"].(map[string]any)
	schemas, _ := components["schemas"].(map[string]any)
	requests, answers := map[string]bool{}, map[string]bool{}
	for _, path := range doc["paths"].(map[string]any) {
		for _, spec := range path.(map[string]any) {
			o, _ := spec.(map[string]any)
			body, _ := o["requestBody"].(map[string]any)
			content, _ := body["content"].(map[string]any)
			reach(components, content["application/json"], requests) // OAuth ignores unknown parameters of forms
			reach(components, o["responses"], answers)
		}
	}
	require.NotEmpty(t, requests)
	require.Contains(t, answers, "Problem")
	for name := range requests {
		assert.NotContains(t, answers, name, "a schema is for requests or for answers, not for both")
		assert.Equal(t, false, schemas[name].(map[string]any)["additionalProperties"], name)
		assert.NotContains(t, keys(schemas[name]), "x-extensible-enum", name)
	}
	for name := range answers {
		assert.NotEqual(t, false, schemas[name].(map[string]any)["additionalProperties"], name)
		assert.NotContains(t, keys(schemas[name]), "enum", name)
	}
}

// reach adds the names of all schemas that node leads to.
func reach(components map[string]any, node any, names map[string]bool) {
	switch n := node.(type) {
	case []any:
		for _, element := range n {
			reach(components, element, names)
		}
	case map[string]any:
		ref, _ := n["$ref"].(string)
		kind, name, _ := strings.Cut(strings.TrimPrefix(ref, "#/components/"), "/")
		if parts, ok := components[kind].(map[string]any); ok && !names[name] {
			if kind == "schemas" {
				names[name] = true
			}
			reach(components, parts[name], names)
		}
		for key, child := range n {
			if key != "example" && key != "examples" {
				reach(components, child, names)
			}
		}
	}
}

// keys are the keywords of a schema and of the schemas in it.
func keys(node any) []string {
	var all []string
	switch n := node.(type) {
	case []any:
		for _, element := range n {
			all = append(all, keys(element)...)
		}
	case map[string]any:
		all = slices.Collect(maps.Keys(n))
		for key, child := range n {
			if key != "example" && key != "examples" {
				all = append(all, keys(child)...)
			}
		}
	}
	return all
}

// A null among the values of an enum would become a constant of its own in clients.
func TestEnumsAreWithoutNull(t *testing.T) {
	t.Parallel()
	assert.NotContains(t, string(documentText(t)), "- null\n")
}
