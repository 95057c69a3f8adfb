package api

import (
	"encoding/json"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
)

// amount stands for a type of amounts in the document.
type amount struct{}

// Schema implements huma.SchemaProvider.
func (amount) Schema(schemas huma.Registry) *huma.Schema { return AmountSchema(schemas) }

// DescribeAmounts describes a type of amounts, which not all functions link.
func (r *Router) DescribeAmounts(t reflect.Type) {
	r.operations = append(r.operations, described{describe: func(document huma.API, _ Text) {
		document.OpenAPI().Components.Schemas.RegisterTypeAlias(t, reflect.TypeFor[amount]())
	}})
}

// AmountSchema describes an exact amount: a JSON number in major units.
func AmountSchema(schemas huma.Registry) *huma.Schema {
	s := NumberSchema()
	s.Description = "An exact decimal in major units, with the bank's digits. It is a JSON number: " +
		"read it as a decimal, not as a binary fraction. Most generators need an option for that: see docs/clients.md."
	return Named(schemas, "Amount", s)
}

// NumberSchema describes a decimal to generators. Without a format, those for Java, Kotlin
// and C# take their exact decimals; with one, they do not. oapi-codegen reads x-go-type: its
// default has seven digits.
func NumberSchema() *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeNumber, Examples: []any{json.Number("-23.90")},
		Extensions: map[string]any{"x-go-type": "json.Number"},
	}
}
