package app_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/app"
)

// links lists which functions may link packages that are large or slow to initialize:
// everything that is linked is in the binary and slows down every cold start.
// docs/performance.md has the cost of each.
func links() map[string]string {
	const (
		edge    = "identity pfm cancellation search notification" // behind the API, with tokens
		http    = edge + " letter-feedback sandbox console"
		queues  = "bank-sync clock letter-dispatch webhook-delivery"
		sender  = "outbox-relay housekeeping operator sandbox"
		secrets = http + " operator " + queues
		aws     = "github.com/aws/aws-sdk-go-v2/"
	)
	return map[string]string{
		aws + "config":                                  "", // awscall makes the configuration
		aws + "service/dynamodbstreams":                 "",
		aws + "service/secretsmanager":                  secrets,
		aws + "service/sesv2":                           "letter-dispatch",
		aws + "service/sqs":                             queues + " " + sender,
		"encoding/gob":                                  "",
		"encoding/xml":                                  "sandbox",               // of the post office's pages
		"github.com/boombuler/barcode/qr":               "cancellation operator", // the operator's imports ask what letters can print
		"github.com/coreos/go-oidc/v3/oidc":             "console",
		"github.com/danielgtaylor/huma/v2":              edge + " letter-feedback",
		"github.com/go-jose/go-jose/v4":                 http + " bank-sync clock operator",
		"github.com/govalues/decimal":                   "pfm bank-sync cancellation clock housekeeping operator console",
		"github.com/santhosh-tekuri/jsonschema/v6":      "", // compiles the standard's own schemas at the start: 22 M instructions
		"html/template":                                 "sandbox console",
		"maragu.dev/gomponents":                         "sandbox",
		"text/template":                                 "sandbox console",
		module + "/internal/app":                        "",
		module + "/internal/api/apigateway":             http,
		module + "/internal/cancellation/cataloguefile": "operator",
		module + "/internal/cancellation/fulltext":      "operator search",
		module + "/internal/cancellation/letter":        "cancellation operator",
		module + "/internal/notification/webhook":       "console notification webhook-delivery",
		module + "/internal/pfm/enablebanking":          "pfm bank-sync clock operator",
		module + "/internal/pfm/enrich":                 "bank-sync clock",
		module + "/internal/pfm/bankcheck":              "operator",
		module + "/internal/pfm/xs2a":                   "pfm bank-sync clock operator",
		module + "/internal/sandbox":                    "sandbox",
		module + "/internal/sandbox/persona":            "sandbox",
	}
}

func TestFunctionsLinkWhatTheyUse(t *testing.T) {
	// With the tag of the Makefile: without it aws-lambda-go links net/rpc and gob.
	imports := importsOf(
		t,
		"list",
		"-deps",
		"-tags",
		"lambda.norpc",
		"-f",
		`{{.ImportPath}} {{join .Imports " "}}`,
		module+"/functions/...",
	)
	linked := map[string][]string{} // functions, by what they link
	for name := range app.Functions() {
		root := module + "/functions/" + name
		require.Contains(t, imports, root)
		for pkg := range closure(imports, root) {
			linked[pkg] = append(linked[pkg], name)
		}
	}
	require.Len(t, linked[module+"/internal/app/bootstrap"], len(app.Functions()), "go list must have listed what the functions link")
	for pkg, may := range links() {
		t.Run(strings.TrimPrefix(pkg, module+"/"), func(t *testing.T) {
			want := slices.Sorted(slices.Values(strings.Fields(may)))
			assert.Equal(
				t,
				strings.Join(want, " "),
				strings.Join(slices.Sorted(slices.Values(linked[pkg])), " "),
				"the functions that link it",
			)
		})
	}
}

// closure returns everything that a package links.
func closure(imports map[string][]string, root string) map[string]bool {
	all, next := map[string]bool{}, []string{root}
	for len(next) > 0 {
		pkg := next[len(next)-1]
		next = next[:len(next)-1]
		if !all[pkg] {
			all[pkg] = true
			next = append(next, imports[pkg]...)
		}
	}
	return all
}
