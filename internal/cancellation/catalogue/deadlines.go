package catalogue

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/deadline"
	"aviso/internal/clock"
)

// ErrChannelNotAllowed is returned if a product cannot be cancelled by a channel.
var ErrChannelNotAllowed = errors.New("cancellation: channel not allowed")

// Deadlines computes until when contracts for a catalogue's products must be cancelled.
type Deadlines struct {
	Catalogue *Catalogue
	Now       func() time.Time
}

// DeadlineRequest asks for the deadline of a contract for a product. If CancelledOn is
// empty, the cancellation is sent today.
type DeadlineRequest struct {
	deadline.Facts

	OrganizationID, ProductID string
	// Locale is the language of the answer; its country is that of the law. If it is
	// empty, it is the product's first.
	Locale cancellation.Locale
	// Channel is the one that counts. If it is empty, it is the product's first.
	Channel cancellation.ChannelKind
	Agreed  deadline.Terms
}

// DeadlineAnswer is the deadline of a contract, and what may end it before its term.
type DeadlineAnswer struct {
	deadline.Answer

	// Reasons are those that the law knows, and Reason the one that applies by the facts. It is
	// zero if none does.
	Reasons  []deadline.Ground
	Reason   deadline.Reason
	Language string
}

// Compute returns the deadline. It returns ErrChannelNotAllowed, and the errors of
// Catalogue.Product.
func (d *Deadlines) Compute(ctx context.Context, r DeadlineRequest) (DeadlineAnswer, error) {
	p, l, err := d.Catalogue.Product(ctx, r.OrganizationID, r.ProductID, r.Locale)
	if err != nil {
		return DeadlineAnswer{}, err
	}
	q := p.Query(l, p.Channels, r.Facts)
	q.Agreed = r.Agreed
	if first := deadline.Channel(r.Channel); first != "" {
		if !slices.Contains(q.Channels, first) {
			return DeadlineAnswer{}, ErrChannelNotAllowed
		}
		others := slices.DeleteFunc(q.Channels, func(c deadline.Channel) bool { return c == first })
		q.Channels = slices.Insert(others, 0, first)
	}
	if q.CancelledOn == "" {
		q.CancelledOn = deadline.Today(clock.Now(ctx, d.Now), q.Recipient)
	}
	a := DeadlineAnswer{
		Answer: deadline.Compute(q), Language: q.Language,
		Reasons: deadline.Grounds(q.Law, cmp.Or(r.Agreed.Sector, p.Sector())),
	}
	if a.Withdrawal.Until != "" {
		a.Reason = deadline.Reason{Kind: deadline.ReasonWithdrawal, Date: q.ConcludedOn}
		return a, nil
	}
	if r.RenewalReminder == deadline.ReminderNotSent && knows(a.Reasons, deadline.ReasonNotReminded) {
		a.Reason.Kind = deadline.ReasonNotReminded
	}
	return a, nil
}

// knows reports whether the law knows a kind of reason.
func knows(reasons []deadline.Ground, kind deadline.ReasonKind) bool {
	return slices.ContainsFunc(reasons, func(g deadline.Ground) bool { return g.Kind == kind })
}

// Deadline returns the deadline of a contract that began on a day, if it is cancelled now.
func (p Product) Deadline(start deadline.Date, now time.Time) deadline.Answer {
	q := p.Query(p.Locales[0], p.Channels, deadline.Facts{ContractStart: start})
	q.CancelledOn = deadline.Today(now, q.Recipient)
	return deadline.Compute(q)
}

// PriceRight returns whether a price rise of a contract for the product gives a right to end
// it early. The rise's country counts if the product is sold there, else its first one.
func (p Product) PriceRight(r deadline.Rise) deadline.RiseAnswer {
	first := p.Locales[0]
	if !slices.ContainsFunc(p.Locales, func(l cancellation.Locale) bool { return l.Country() == r.Country }) {
		r.Country = first.Country()
	}
	r.Language, r.Sector = cmp.Or(r.Language, first.Language()), cmp.Or(p.Sector(), r.Sector)
	return deadline.PriceRight(r)
}

// Sector returns the kind of contract, and none if that is not known.
func (p Product) Sector() deadline.Sector {
	if len(p.Terms) == 0 {
		return ""
	}
	return p.Terms[0].Sector
}

// Query asks for the deadline of a contract for the product.
func (p Product) Query(l cancellation.Locale, channels []cancellation.Channel, facts deadline.Facts) deadline.Query {
	q := deadline.Query{
		Facts: facts, Terms: p.Terms, Written: p.Form == FormWritten,
		Law: l.Country(), Recipient: p.Country(l), Language: l.Language(),
	}
	for _, c := range channels {
		q.Channels = append(q.Channels, deadline.Channel(c.Kind))
	}
	return q
}

// Country returns the country in which letters arrive. Without a postal address it is
// that of the locale.
func (p Product) Country(l cancellation.Locale) string {
	if a := p.Address(); !a.IsZero() {
		return a.CountryCode
	}
	return l.Country()
}
