package conformance_test

import (
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers/legacy"
)

func TestKin(t *testing.T) {
	l := openapi3.NewLoader()
	doc, err := l.LoadFromFile("testdata/berlin-group-xs2a-1.3.11.yaml")
	t.Log(err)
	if err != nil { t.Fatal() }
	doc.Servers = openapi3.Servers{{URL: "/"}}
	t.Log(doc.Validate(l.Context, openapi3.DisableExamplesValidation()))
	_, err = legacy.NewRouter(doc, openapi3.DisableExamplesValidation())
	t.Log(err)
}
