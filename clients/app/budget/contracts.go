package budget

import (
	"cmp"
	"math/big"
	"slices"
	"time"

	aviso "aviso.example/client"
)

// contract is a contract with all that Aviso knows about it.
type contract struct {
	aviso.RecurringContract
	Rise         *aviso.PriceChange
	Cancellation *aviso.Cancellation
	SendBy       string
	// WaitingCosts is the price until the next chance, which the user pays after missing SendBy.
	WaitingCosts aviso.Amount
}

// waitingCosts returns the price of a contract from the earliest free end to the next chance, or zero.
func waitingCosts(c aviso.RecurringContract) aviso.Amount {
	end, err := time.Parse(time.DateOnly, c.Deadline.EarliestFreeEnd)
	next, err2 := time.Parse(time.DateOnly, c.Deadline.NextChance)
	if err != nil || err2 != nil || !next.After(end) {
		return aviso.Amount{}
	}
	days := int64(next.Sub(end) / (24 * time.Hour))
	cost := new(big.Rat).Mul(c.YearlyCost.Rat(), big.NewRat(days, 365))
	return aviso.Must(aviso.ParseAmount(cost.FloatString(2)))
}

type contractsPage struct {
	Currency string
	Yearly   aviso.Amount
	Open     []contract // can be cancelled
	Running  []contract // are being cancelled
	Others   []contract
}

// home is the country whose people the app is for. Its law applies to their contracts, and their
// letters are in its language, whatever the language of the pages is.
const home = "de-DE"

// letterLocale returns the locale of a letter about a product.
func letterLocale(offered []string) string {
	if len(offered) == 0 || slices.Contains(offered, home) {
		return home
	}
	return offered[0]
}

// labelLocale is the language in which a form asks, where the product offers it.
func (l language) labelLocale(offered []string) string {
	wanted := map[string]string{"de": home, "en": "en-GB"}[l.code]
	if !slices.Contains(offered, wanted) {
		return letterLocale(offered)
	}
	return wanted
}

func (v *visit) allContracts() ([]contract, error) {
	found, err := v.user.Insights.ListRecurringContracts(v.r.Context())
	if err != nil {
		return nil, err
	}
	rises, err := v.user.Insights.ListPriceChanges(v.r.Context(), &aviso.ListPriceChangesParams{Locale: home})
	if err != nil {
		return nil, err
	}
	cancellations, err := aviso.Collect(v.user.Cancellations.List(v.r.Context(), nil)) // newest first
	if err != nil {
		return nil, err
	}
	now, err := v.now()
	if err != nil {
		return nil, err
	}
	var all []contract
	today := now.Format(time.DateOnly)
	for _, f := range found {
		f.Merchant.Name = cmp.Or(f.Merchant.Name, v.T("noName"))
		c := contract{RecurringContract: f}
		for i := range rises {
			if rises[i].SubscriptionID == f.SubscriptionID && rises[i].NewAmount.Cmp(rises[i].OldAmount) < 0 && c.Rise == nil {
				c.Rise = &rises[i]
			}
		}
		for i := range cancellations {
			if cancellations[i].SubscriptionID == f.SubscriptionID && cancellations[i].Status != "Withdrawn" && c.Cancellation == nil {
				c.Cancellation = &cancellations[i]
			}
		}
		if send := f.Deadline.SendBy; len(send) > 0 && send[0].Date > today {
			c.SendBy, c.WaitingCosts = send[0].Date, waitingCosts(f) // otherwise each day is as good as the next
		}
		all = append(all, c)
	}
	return all, nil
}

func (v *visit) contracts() error {
	if ok, err := v.connected(); !ok {
		return err
	}
	all, err := v.allContracts()
	if err != nil {
		return err
	}
	page := contractsPage{Currency: "EUR"}
	for _, c := range all {
		if c.CurrencyCode == page.Currency {
			page.Yearly = page.Yearly.Add(c.YearlyCost)
		}
		switch {
		case c.Cancellation != nil:
			page.Running = append(page.Running, c)
		case c.Cancellable.ProductID != "":
			page.Open = append(page.Open, c)
		default:
			page.Others = append(page.Others, c)
		}
	}
	slices.SortStableFunc(page.Open, urgency)
	return v.show("contracts", page)
}

// urgency puts first what costs most to wait, then what became dearer.
func urgency(a, b contract) int {
	rose := func(c contract) int {
		if c.Rise != nil {
			return 1
		}
		return 0
	}
	return cmp.Or(b.WaitingCosts.Cmp(a.WaitingCosts), rose(b)-rose(a), b.YearlyCost.Cmp(a.YearlyCost))
}

type savingsPage struct {
	Savings []aviso.Savings
	Running []contract
}

// savings shows what contracts that have ended no longer cost.
func (v *visit) savings() error {
	if ok, err := v.connected(); !ok {
		return err
	}
	saved, err := v.user.Insights.ListSavings(v.r.Context())
	if err != nil {
		return err
	}
	all, err := v.allContracts()
	if err != nil {
		return err
	}
	page := savingsPage{Savings: saved}
	for _, s := range saved {
		for i := range s.Contracts {
			s.Contracts[i].Merchant.Name = cmp.Or(s.Contracts[i].Merchant.Name, v.T("noName"))
		}
	}
	for _, c := range all {
		if c.Cancellation != nil && c.Cancellation.Outcome != "Ended" {
			page.Running = append(page.Running, c)
		}
	}
	return v.show("savings", page)
}
