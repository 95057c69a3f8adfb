package pfmfn

import (
	"context"
	"sync"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/pfm"
)

// rememberCancellable is how long an answer of the catalogue counts. Editions of
// it are rare.
const rememberCancellable = 10 * time.Minute

// cancellables tells the PFM area what the cancellation area has, by the slug
// that merchant and organization share. Neither knows the other.
type cancellables struct {
	// merchants are worked out when they are first asked for: few requests do, and
	// a start does not wait for them.
	merchants func() map[string]string
	// firstProducts asks the catalogue for a product of each organization.
	firstProducts func(ctx context.Context, organizationIDs []string) (map[string]string, error)
	now           func() time.Time

	mu    sync.Mutex
	known map[string]knownProduct
}

// knownProduct is what the catalogue said of an organization; product is empty
// where it has none.
type knownProduct struct {
	product string
	until   time.Time
}

func newCancellables(
	firstProducts func(ctx context.Context, organizationIDs []string) (map[string]string, error), now func() time.Time,
) *cancellables {
	return &cancellables{
		merchants: sync.OnceValue(pfm.CancellableMerchants), firstProducts: firstProducts, now: now, known: map[string]knownProduct{},
	}
}

// Find implements pfm.FindCancellables. It asks the catalogue, with one call, only
// about organizations that it has not asked about lately.
func (c *cancellables) Find(ctx context.Context, merchantIDs []string) (map[string]pfm.Cancellable, error) {
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
	found := map[string]pfm.Cancellable{}
	c.mu.Lock()
	defer c.mu.Unlock()
	for merchant, id := range organizations {
		if product := c.known[id].product; product != "" {
			found[merchant] = pfm.Cancellable{OrganizationID: id, ProductID: product}
		}
	}
	return found, nil
}
