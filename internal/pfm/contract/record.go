package contract

import (
	"cmp"
	"maps"
	"slices"

	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
)

// GroupID names a group of a user.
type GroupID struct{ AccountID, Key string }

// Record is a group as it is stored, with what partners see of it.
type Record struct {
	Group Group `json:"group"`
	// MerchantID and Name are those of the latest payment. If the merchant is not
	// known, MerchantID is empty and Name is the counterparty's.
	MerchantID string `json:"merchantId,omitempty"`
	Name       string `json:"name,omitempty"`
	Currency   string `json:"currency"`
	// Due holds, by transaction ID, the labels that are not yet written to their
	// transactions: a payment may change the labels of many earlier ones.
	Due map[string]Due `json:"due,omitempty"`
	// Told are the price rises of which partners were notified.
	Told []ToldRise `json:"told,omitempty"`
}

// ToldRise is a price rise of which partners were notified.
type ToldRise struct {
	Contract      string       `json:"contract"`
	Price         money.Amount `json:"price"`
	TransactionID string       `json:"transactionId"`
}

// Due is a label that is not yet written to its transaction.
type Due struct {
	Label
	// Date is the transaction's day.
	Date pfm.Date `json:"date"`
}

// Touched returns the groups that the changes affect, and how many of the changes do.
func Touched(changes []transaction.RowChange) map[GroupID]int {
	ids := map[GroupID]int{}
	for _, c := range changes {
		for _, id := range touchedBy(c) {
			ids[id]++
		}
	}
	return ids
}

// touchedBy returns the groups that a change affects: none, one, or two if the row moves.
func touchedBy(c transaction.RowChange) []GroupID {
	if !isRelevant(c) {
		return nil
	}
	var ids []GroupID
	if id, ok := groupOf(c.New); ok {
		ids = append(ids, id)
	}
	if c.Old != nil {
		if id, ok := groupOf(*c.Old); ok && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// Apply applies the changes to the records, and sets the labels of the changed rows in these
// groups or in none. The new labels of other rows become due.
func Apply(records map[GroupID]*Record, changes []transaction.RowChange) {
	mine := map[GroupID][]*transaction.RowChange{}
	for i := range changes {
		c := &changes[i]
		if _, in := groupOf(c.New); !in {
			once().ApplyTo(&c.New)
		}
		for _, id := range touchedBy(*c) {
			mine[id] = append(mine[id], c)
		}
	}
	for id, r := range records {
		r.apply(id, mine[id])
	}
}

// Rebuild returns groups from all rows of their account, in the order of days. Labels that
// the rows do not have become due.
func Rebuild(ids []GroupID, rows []transaction.Transaction) map[GroupID]*Record {
	records := make(map[GroupID]*Record, len(ids))
	for _, id := range ids {
		records[id] = &Record{Due: map[string]Due{}}
	}
	changes := make([]transaction.RowChange, len(rows))
	for i, row := range rows {
		changes[i].New = row
	}
	Apply(records, changes)
	for i, c := range changes {
		id, _ := groupOf(c.New)
		l := Label{Frequency: c.New.Frequency, Subscription: c.New.Subscription}
		if r := records[id]; r != nil && l != (Label{Frequency: rows[i].Frequency, Subscription: rows[i].Subscription}) {
			r.Due[c.New.ID] = Due{Label: l, Date: c.New.RecordDate}
		}
	}
	return records
}

func (r *Record) apply(id GroupID, changes []*transaction.RowChange) {
	dates := map[string]pfm.Date{}
	for _, e := range r.Group.Held {
		dates[e.ID] = e.Date
	}
	var gone []string
	var rows []Row
	mine := map[string]*transaction.Transaction{}
	for _, c := range changes {
		if !belongs(c.New, id) {
			gone = append(gone, c.New.ID)
			delete(r.Due, c.New.ID)
			continue
		}
		rows, mine[c.New.ID] = append(rows, RowOf(c.New)), &c.New
		r.describe(c.New)
		once().ApplyTo(&c.New)
		if c.Old != nil && belongs(*c.Old, id) {
			c.New.Frequency, c.New.Subscription = c.Old.Frequency, c.Old.Subscription
		}
	}
	labels := r.Group.Remove(gone...)
	maps.Copy(labels, r.Group.Add(rows...))
	r.labelRows(mine, labels)
	for rowID, l := range labels {
		if mine[rowID] == nil {
			if r.Due == nil {
				r.Due = map[string]Due{}
			}
			r.Due[rowID] = Due{Label: l, Date: dates[rowID]}
		}
	}
}

// labelRows labels rows that are about to be written, so nothing is due for them.
func (r *Record) labelRows(rows map[string]*transaction.Transaction, labels map[string]Label) {
	held := r.Group.labels()
	for id, t := range rows {
		if due, ok := r.Due[id]; ok {
			due.ApplyTo(t)
			delete(r.Due, id)
		}
		if l, ok := labels[id]; ok {
			l.ApplyTo(t)
		}
		if l, ok := held[id]; ok {
			l.ApplyTo(t)
		}
	}
}

// describe updates what partners see, unless a later payment has set it.
func (r *Record) describe(t transaction.Transaction) {
	if n := len(r.Group.Held); n > 0 && t.RecordDate < r.Group.Held[n-1].Date && r.Currency != "" {
		return
	}
	r.MerchantID, r.Name, r.Currency = t.Merchant.ID, cmp.Or(t.Merchant.Name, t.PartyName, t.Counterparty), t.Currency
}

// MarkWritten records that the labels of these transactions are written.
func (r *Record) MarkWritten(ids ...string) {
	for _, id := range ids {
		delete(r.Due, id)
	}
}

// Subscriptions returns the group's subscriptions, including those that have ended.
func (r *Record) Subscriptions() ([]Subscription, error) {
	list, err := r.Group.Recurring()
	list = slices.DeleteFunc(list, func(c Subscription) bool { return c.ID == "" })
	for i := range list {
		list[i].Merchant, list[i].Currency = pfm.Merchant{ID: r.MerchantID, Name: r.Name}, r.Currency
	}
	return list, err
}

// groupOf returns the ID of the group that a transaction belongs to, if any.
func groupOf(t transaction.Transaction) (GroupID, bool) {
	key, ok := KeyOf(t)
	return GroupID{AccountID: t.AccountID, Key: key}, ok
}

func belongs(t transaction.Transaction, id GroupID) bool {
	of, ok := groupOf(t)
	return ok && of == id
}

// isRelevant reports whether a change affects groups. A change of labels must not,
// because labels come from groups.
func isRelevant(c transaction.RowChange) bool {
	if c.Old == nil {
		return true
	}
	was, is := *c.Old, c.New
	wasOf, _ := groupOf(was)
	isOf, _ := groupOf(is)
	return wasOf != isOf || RowOf(was) != RowOf(is) || was.Merchant != is.Merchant || was.Counterparty != is.Counterparty
}

// ApplyTo sets the label on a transaction.
func (l Label) ApplyTo(t *transaction.Transaction) {
	t.Frequency, t.Subscription = l.Frequency, l.Subscription
}
