package contractterms

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/deadline"
	"aviso/internal/clock"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
)

// Deadlines computes the deadlines of contracts for products of the catalogue.
type Deadlines struct {
	products products
	now      func() time.Time

	mu    sync.Mutex
	known map[cancellationdb.ProductKey]cachedProduct
}

// products returns those of the products that are in the catalogue.
type products func(
	ctx context.Context, keys []cancellationdb.ProductKey,
) (map[cancellationdb.ProductKey]cancellation.Product, error)

type cachedProduct struct {
	product *cancellation.Product
	until   time.Time
}

// NewDeadlines returns the service.
func NewDeadlines(products products, now func() time.Time) *Deadlines {
	return &Deadlines{products: products, now: now, known: map[cancellationdb.ProductKey]cachedProduct{}}
}

// Find implements contract.FindDeadlines. It looks up all products that are not cached with one
// call.
func (d *Deadlines) Find(ctx context.Context, contracts []contract.DatedProduct) ([]*contract.Deadline, error) {
	keys := make([]cancellationdb.ProductKey, len(contracts))
	for i, c := range contracts {
		keys[i] = keyOf(c.Cancellable)
	}
	if err := d.read(ctx, keys); err != nil {
		return nil, err
	}
	now := clock.Now(ctx, d.now)
	found := make([]*contract.Deadline, len(contracts))
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, c := range contracts {
		if p := d.known[keys[i]].product; p != nil {
			found[i] = toDeadline(p.Deadline(deadline.Date(c.Start), now))
		}
	}
	return found, nil
}

func keyOf(c contract.Cancellable) cancellationdb.ProductKey {
	return cancellationdb.ProductKey{OrganizationID: c.OrganizationID, ProductID: c.ProductID}
}

// read reads the products that are not cached.
func (d *Deadlines) read(ctx context.Context, keys []cancellationdb.ProductKey) error {
	now := d.now()
	d.mu.Lock()
	var ask []cancellationdb.ProductKey
	for _, key := range keys {
		if now.After(d.known[key].until) && !slices.Contains(ask, key) {
			ask = append(ask, key)
		}
	}
	d.mu.Unlock()
	if len(ask) == 0 {
		return nil
	}
	found, err := d.products(ctx, ask)
	if err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for key, p := range found { // users name the others, so there is no end of them
		d.known[key] = cachedProduct{product: &p, until: now.Add(rememberCancellable)}
	}
	return nil
}

// toDeadline returns the deadline of which users are reminded: by what is certain.
func toDeadline(a deadline.Answer) *contract.Deadline {
	certain := *cmp.Or(a.Certain, &a)
	d := &contract.Deadline{
		EarliestEnd: pfm.Date(a.EarliestEnd), EarliestFreeEnd: pfm.Date(certain.EarliestFreeEnd), Costs: a.Costs,
		NextChance: pfm.Date(certain.NextChance), Missing: a.Missing,
	}
	if a.Form.Requirement != "" {
		d.Form = &contract.CancellationForm{Requirement: string(a.Form.Requirement), Reason: a.Form.Reason}
	}
	for _, s := range certain.SendBy {
		d.SendBy = append(d.SendBy, contract.SendBy{Channel: string(s.Channel), Date: pfm.Date(s.Date)})
	}
	return d
}
