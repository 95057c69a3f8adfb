package contractterms

import (
	"context"

	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/deadline"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
)

// SpecialRights implements contract.FindSpecialRights. It looks up all products that are not
// cached with one call.
func (d *Deadlines) SpecialRights(
	ctx context.Context, changes []*contract.PricedChange, q contract.PriceQuery,
) error {
	var keys []cancellationdb.ProductKey
	for _, c := range changes {
		if product := c.Contract.Cancellable; product != nil {
			keys = append(keys, keyOf(*product))
		}
	}
	if err := d.read(ctx, keys); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, c := range changes {
		rise := deadline.Rise{
			Country: q.Country, Language: q.Language, Sector: sectorOf(c.Contract.Category), Since: deadline.Date(c.Since),
			NoticeDate: deadline.Date(q.NoticeDate), Fell: !c.IsRise(),
		}
		a := deadline.PriceRight(rise)
		if c.Contract.Cancellable != nil {
			if p := d.known[keyOf(*c.Contract.Cancellable)].product; p != nil {
				a = p.PriceRight(rise)
			}
		}
		c.Right = contract.SpecialRight{
			Answer: a.Answer, Source: a.Source, LastDay: pfm.Date(a.LastDay), Missing: a.Missing, Text: a.Text,
			Reason: string(a.Reason.Kind), ReasonDate: pfm.Date(a.Reason.Date),
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
