package pfmapi

import (
	"github.com/danielgtaylor/huma/v2"

	"aviso/internal/money"
)

// amount is an exact amount on the wire: a JSON number in major units.
type amount struct{ money.Amount }

// Schema implements huma.SchemaProvider.
func (amount) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeNumber, Examples: []any{money.MustParse("-23.90")}}
}
