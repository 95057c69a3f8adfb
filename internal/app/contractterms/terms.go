// Package contractterms looks up users' contracts in the cancellation catalogue: what can be
// cancelled, and until when. It keeps the two areas independent.
package contractterms

import (
	"cmp"
	"context"
	"maps"
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

// Terms are what the catalogue says about contracts.
type Terms struct {
	// merchants is computed on first use, because few requests need it and startup
	// must not wait for it.
	merchants     func() map[string]string
	firstProducts cache[string, string]
	products      cache[cancellationdb.ProductKey, cancellation.Product]
	now           func() time.Time
}

// New returns the service. firstProducts returns one product of each organization from the catalogue.
// Both lookups leave out what they do not find.
func New(
	firstProducts func(ctx context.Context, organizationIDs []string) (map[string]string, error),
	products func(context.Context, []cancellationdb.ProductKey) (map[cancellationdb.ProductKey]cancellation.Product, error),
	now func() time.Time,
) *Terms {
	t := &Terms{merchants: sync.OnceValue(contract.CancellableMerchants), now: now}
	t.products.read, t.products.now, t.firstProducts.now = products, now, now
	t.firstProducts.read = func(ctx context.Context, ids []string) (map[string]string, error) {
		found, err := firstProducts(ctx, ids)
		all := map[string]string{} // organizations are few, so those without a product are kept, too
		for _, id := range ids {
			all[id] = found[id]
		}
		return all, err
	}
	return t
}

// Cancellables implements contract.FindCancellables, by the slug that a merchant and its organization
// share.
func (t *Terms) Cancellables(ctx context.Context, merchantIDs []string) (map[string]contract.Cancellable, error) {
	organizations, slugs := map[string]string{}, t.merchants() // by merchant
	for _, merchant := range merchantIDs {
		if slug, ok := slugs[merchant]; ok {
			organizations[merchant] = cancellation.OrganizationID(slug)
		}
	}
	products, err := t.firstProducts.get(ctx, slices.Collect(maps.Values(organizations)))
	found := map[string]contract.Cancellable{}
	for merchant, id := range organizations {
		if product := products[id]; product != "" {
			found[merchant] = contract.Cancellable{OrganizationID: id, ProductID: product}
		}
	}
	return found, err
}

// Deadlines implements contract.FindDeadlines.
func (t *Terms) Deadlines(ctx context.Context, contracts []contract.DatedProduct) ([]*pfm.ContractDeadline, error) {
	keys := make([]cancellationdb.ProductKey, len(contracts))
	for i, c := range contracts {
		keys[i] = cancellationdb.ProductKey(c.Cancellable)
	}
	products, err := t.products.get(ctx, keys)
	now := clock.Now(ctx, t.now)
	found := make([]*pfm.ContractDeadline, len(contracts))
	for i, c := range contracts {
		if p, ok := products[keys[i]]; ok {
			found[i] = toDeadline(p.Deadline(deadline.Date(c.Start), now))
		}
	}
	return found, err
}

// toDeadline returns the deadline of which users are reminded: by what is certain.
func toDeadline(a deadline.Answer) *pfm.ContractDeadline {
	certain := *cmp.Or(a.Certain, &a)
	d := &pfm.ContractDeadline{
		EarliestEnd: pfm.Date(a.EarliestEnd), EarliestFreeEnd: pfm.Date(certain.EarliestFreeEnd), Costs: a.Costs,
		NextChance: pfm.Date(certain.NextChance), Missing: append([]string{}, a.Missing...),
		SendBy: []pfm.ContractSendBy{},
	}
	if a.Form.Requirement != "" {
		d.Form = &pfm.ContractForm{Requirement: string(a.Form.Requirement), Reason: a.Form.Reason}
	}
	for _, s := range certain.SendBy {
		d.SendBy = append(d.SendBy, pfm.ContractSendBy{Channel: string(s.Channel), Date: pfm.Date(s.Date)})
	}
	return d
}

// SpecialRights implements contract.FindSpecialRights.
func (t *Terms) SpecialRights(ctx context.Context, changes []*contract.PricedChange, q contract.PriceQuery) error {
	var keys []cancellationdb.ProductKey
	for _, c := range changes {
		if product := c.Contract.Cancellable; product != nil {
			keys = append(keys, cancellationdb.ProductKey(*product))
		}
	}
	products, err := t.products.get(ctx, keys)
	if err != nil {
		return err
	}
	for _, c := range changes {
		rise := deadline.Rise{
			Country: q.Country, Language: q.Language, Sector: sectorOf(c.Contract.Category), Since: deadline.Date(c.Since),
			NoticeDate: deadline.Date(q.NoticeDate), Fell: !c.IsRise(),
		}
		a := deadline.PriceRight(rise)
		if product := c.Contract.Cancellable; product != nil {
			if p, ok := products[cancellationdb.ProductKey(*product)]; ok {
				a = p.PriceRight(rise)
			}
		}
		c.Right = contract.SpecialRight{
			Answer: a.Answer, Source: a.Source, LastDay: pfm.Date(a.LastDay), Missing: append([]string{}, a.Missing...),
			Text: a.Text,
		}
		if a.Reason.Kind != "" {
			c.Right.Reason = &contract.PriceRiseReason{Kind: string(a.Reason.Kind), Date: pfm.Date(a.Reason.Date)}
		}
	}
	return nil
}

// sectorOf returns the sector of contracts whose payments have a category, or none if they
// may be of several.
func sectorOf(c pfm.Category) deadline.Sector {
	switch c.SubcategoryID {
	case pfm.HousingTelecom:
		return deadline.Telecom
	case pfm.HousingInsurance:
		return deadline.HomeInsurance
	default:
		return ""
	}
}
