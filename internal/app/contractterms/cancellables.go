// Package contractterms looks up users' contracts in the cancellation catalogue: what can be
// cancelled, and until when. It keeps the two areas independent.
package contractterms

import (
	"context"
	"sync"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/pfm/contract"
)

// rememberCancellable is how long a lookup in the catalogue is cached. The catalogue
// rarely changes.
const rememberCancellable = 10 * time.Minute

// Cancellables finds merchants by the slug that a merchant and its organization share.
type Cancellables struct {
	// merchants is computed on first use, because few requests need it and startup
	// must not wait for it.
	merchants func() map[string]string
	// firstProducts returns one product of each organization from the catalogue.
	firstProducts func(ctx context.Context, organizationIDs []string) (map[string]string, error)
	now           func() time.Time

	mu    sync.Mutex
	known map[string]knownProduct
}

// knownProduct is a cached lookup of an organization; product is empty if it has
// none.
type knownProduct struct {
	product string
	until   time.Time
}

// NewCancellables returns the service.
func NewCancellables(
	firstProducts func(ctx context.Context, organizationIDs []string) (map[string]string, error), now func() time.Time,
) *Cancellables {
	return &Cancellables{
		merchants:     sync.OnceValue(contract.CancellableMerchants),
		firstProducts: firstProducts, now: now, known: map[string]knownProduct{},
	}
}

// Find implements contract.FindCancellables. It looks up all organizations that are not
// cached with one call.
func (c *Cancellables) Find(ctx context.Context, merchantIDs []string) (map[string]contract.Cancellable, error) {
	organizations := map[string]string{} // by merchant
	var ask []string
	now, merchants := c.now(), c.merchants()
	c.mu.Lock()
	for _, merchant := range merchantIDs {
		slug, ok := merchants[merchant]
		if !ok {
			continue
		}
		id := cancellation.OrganizationID(slug)
		organizations[merchant] = id
		if now.After(c.known[id].until) {
			ask = append(ask, id)
		}
	}
	c.mu.Unlock()
	if len(ask) > 0 {
		products, err := c.firstProducts(ctx, ask)
		if err != nil {
			return nil, err
		}
		c.mu.Lock()
		for _, id := range ask {
			c.known[id] = knownProduct{product: products[id], until: now.Add(rememberCancellable)}
		}
		c.mu.Unlock()
	}
	found := map[string]contract.Cancellable{}
	c.mu.Lock()
	defer c.mu.Unlock()
	for merchant, id := range organizations {
		if product := c.known[id].product; product != "" {
			found[merchant] = contract.Cancellable{OrganizationID: id, ProductID: product}
		}
	}
	return found, nil
}
