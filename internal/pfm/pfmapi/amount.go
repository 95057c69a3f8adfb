package pfmapi

import (
	"github.com/danielgtaylor/huma/v2"

	"aviso/internal/api"
	"aviso/internal/money"
)

// amount is an exact amount on the wire: a JSON number in major units.
type amount struct{ money.Amount }

// Schema implements huma.SchemaProvider.
func (amount) Schema(schemas huma.Registry) *huma.Schema { return api.AmountSchema(schemas) }
