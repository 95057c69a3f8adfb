package bankclient

import (
	"sync"

	"github.com/google/uuid"

	"aviso/internal/pfm/contract"
)

// organizations returns the function that finds the organization in the cancellation
// catalogue by the slug that it shares with a merchant: its ID is cancellation.OrganizationID, which
// would link letters and deadlines.
func organizations() func(merchantID string) string {
	merchants := sync.OnceValue(contract.CancellableMerchants)
	return func(merchantID string) string {
		slug, ok := merchants()[merchantID]
		if !ok {
			return ""
		}
		return uuid.NewSHA1(uuid.NameSpaceURL, []byte("https://aviso.example/organizations/"+slug)).String()
	}
}
