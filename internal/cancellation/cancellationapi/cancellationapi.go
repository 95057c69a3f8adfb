// Package cancellationapi is the HTTP side of the cancellation area.
package cancellationapi

import (
	"aviso/internal/api"
	"aviso/internal/cancellation"
)

// Services is what the operations call, search aside.
type Services struct {
	Catalogue *cancellation.Catalogue
	Requests  *cancellation.Requests
}

// The prefix of the area's operations.
const prefix = "/cancellations/v1"

// Register adds the area's operations. The search is a function of its own and
// registers itself.
func Register(r *api.Router, s Services) {
	RegisterCatalogue(r, s.Catalogue)
	registerCancellations(r, s.Requests)
}
