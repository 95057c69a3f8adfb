package syncer

import (
	"sync"

	"aviso/internal/cancellation/catalogueid"
	"aviso/internal/pfm/contract"
)

// organizations returns the function that finds the organization in the cancellation
// catalogue by the slug that it shares with a merchant. It keeps the two areas independent.
func organizations() func(merchantID string) string {
	merchants := sync.OnceValue(contract.CancellableMerchants)
	return func(merchantID string) string {
		slug, ok := merchants()[merchantID]
		if !ok {
			return ""
		}
		return catalogueid.Organization(slug)
	}
}
