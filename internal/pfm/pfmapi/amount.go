package pfmapi

import (
	"github.com/danielgtaylor/huma/v2"

	"aviso/internal/api"
	"aviso/internal/money"
)

// amount is an exact amount on the wire: a JSON number in major units.
type amount struct{ money.Amount }

// Schema implements huma.SchemaProvider.
func (amount) Schema(schemas huma.Registry) *huma.Schema {
	s := numberSchema()
	s.Description = "An exact decimal in major units, with the bank's digits. It is a JSON number: " +
		"read it as a decimal, not as a binary fraction. Most generators need an option for that: see docs/clients.md."
	return api.Named(schemas, "Amount", s)
}

// numberSchema describes a decimal to generators. Without a format, those for Java, Kotlin
// and C# take their exact decimals; with one, they do not. oapi-codegen reads x-go-type: its
// default has seven digits.
func numberSchema() *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeNumber, Examples: []any{money.MustParse("-23.90")},
		Extensions: map[string]any{"x-go-type": "json.Number"},
	}
}
