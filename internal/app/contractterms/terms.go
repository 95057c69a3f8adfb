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

	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/deadline"
	"aviso/internal/clock"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
)

// Terms looks up contracts in the catalogue.
type Terms struct {
	// merchants is computed on first use, because few requests need it and startup
	// must not wait for it.
	merchants     func() map[string]string
	firstProducts cache[string, string]
	products      cache[cancellationdb.ProductKey, catalogue.Product]
	now           func() time.Time
}

// New returns the service. firstProducts returns one product of each organization in the catalogue. Both lookups
// leave out what they do not find.
func New(
	firstProducts func(ctx context.Context, organizationIDs []string) (map[string]string, error),
	products func(context.Context, []cancellationdb.ProductKey) (map[cancellationdb.ProductKey]catalogue.Product, error),
	now func() time.Time,
) *Terms {
	t := &Terms{merchants: sync.OnceValue(contract.CancellableMerchants), now: now}
	t.products.read, t.products.now, t.firstProducts.now = products, now, now
	t.firstProducts.read = func(ctx context.Context, ids []string) (map[string]string, error) {
		found, err := firstProducts(ctx, ids)
		all := map[string]string{} // there are few organizations, so misses are cached too
		for _, id := range ids {
			all[id] = found[id]
		}
		return all, err
	}
	return t
}

// Cancellables implements contract.FindCancellables. A merchant and its organization have the same slug.
func (t *Terms) Cancellables(ctx context.Context, contracts []contract.Subscription) error {
	organizations, slugs := map[string]string{}, t.merchants() // by merchant
	for _, c := range contracts {
		if slug, ok := slugs[c.Merchant.ID]; ok {
			organizations[c.Merchant.ID] = catalogue.OrganizationID(slug)
		}
	}
	products, err := t.firstProducts.get(ctx, slices.Collect(maps.Values(organizations)))
	for i, c := range contracts {
		id := organizations[c.Merchant.ID]
		if product := products[id]; product != "" {
			contracts[i].Cancellable = &contract.Cancellable{OrganizationID: id, ProductID: product}
		}
	}
	return err
}

// Deadlines implements contract.FindDeadlines.
func (t *Terms) Deadlines(ctx context.Context, contracts []contract.Subscription) error {
	keys := make([]cancellationdb.ProductKey, len(contracts))
	for i, c := range contracts {
		keys[i] = keyOf(c)
	}
	products, err := t.products.get(ctx, keys)
	now := clock.Now(ctx, t.now)
	for i, c := range contracts {
		if p, ok := products[keys[i]]; ok {
			contracts[i].Deadline = toDeadline(p.Deadline(deadline.Date(c.Start), now))
		}
	}
	return err
}

// keyOf returns the key of a contract's product. If the contract has none, it returns the zero value, which no
// product has.
func keyOf(c contract.Subscription) cancellationdb.ProductKey {
	if c.Cancellable == nil {
		return cancellationdb.ProductKey{}
	}
	return cancellationdb.ProductKey(*c.Cancellable)
}

// toDeadline returns the deadline for reminders. It uses the certain dates if they differ.
func toDeadline(a deadline.Answer) *pfm.ContractDeadline {
	certain := *cmp.Or(a.Certain, &a)
	d := &pfm.ContractDeadline{
		EarliestEnd: pfm.Date(a.EarliestEnd), EarliestFreeEnd: pfm.Date(certain.EarliestFreeEnd), Costs: a.Costs,
		Certainty:  string(a.Certainty),
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
func (t *Terms) SpecialRights(ctx context.Context, changes []contract.PriceChange, q contract.PriceQuery) error {
	keys := make([]cancellationdb.ProductKey, len(changes))
	for i, c := range changes {
		keys[i] = keyOf(c.Contract)
	}
	products, err := t.products.get(ctx, keys)
	if err != nil {
		return err
	}
	for i, c := range changes {
		rise := deadline.Rise{
			Country: q.Country, Language: q.Language, Sector: sectorOf(c.Contract.Category), Since: deadline.Date(c.Since),
			NoticeDate: deadline.Date(q.NoticeDate), Fell: c.NewAmount.Cmp(c.OldAmount) >= 0,
		}
		a := deadline.PriceRight(rise)
		if p, ok := products[keys[i]]; ok {
			a = p.PriceRight(rise)
		}
		right := contract.SpecialRight{
			Answer: a.Answer, Source: a.Source, LastDay: pfm.Date(a.LastDay), Missing: append([]string{}, a.Missing...),
			Text: a.Text,
		}
		if a.Reason.Kind != "" {
			right.Reason = &contract.PriceRiseReason{Kind: string(a.Reason.Kind), Date: pfm.Date(a.Reason.Date)}
		}
		changes[i].SpecialRight = right
	}
	return nil
}

// sectorOf returns the sector that a payment category stands for, or "" if it could be one of several.
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
