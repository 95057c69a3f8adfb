package bank

import (
	"net/url"
	"time"

	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/persona"
)

// consentControl runs the control page's commands on one consent.
type consentControl struct {
	*session
	approval Approval
	// status is the consent's current status.
	status State
	now    time.Time
}

// These are the sets of commands on the control page.
func consentCommands() []layout.Command {
	return layout.Commands("consent", "rows", "faults", "reset")
}

// run changes the consent. It may return a *layout.Problem.
func (cc *consentControl) run(action string, form url.Values) error {
	c := &cc.consent
	switch action {
	case "expire":
		c.ValidUntil = cc.today - 1
	case "revoke":
		c.State, c.LastAction = RevokedByPSU, cc.today
	case "require-sca":
		c.Overrides.SCADue = true
	case "reissue-ids":
		c.Ledger.Issue++
	case "book-pending":
		return cc.bookPending(form)
	case "vanish-pending":
		return cc.vanishPending(form)
	case "add-pending", "add-booked":
		return cc.addRow(form, action == "add-booked")
	case "normal":
		c.Overrides = Overrides{}
	default:
		return cc.startFault(form)
	}
	return nil
}

func (cc *consentControl) startFault(form url.Values) error {
	b := map[string]persona.Behaviour{
		"throttle": persona.Throttled, "fail": persona.Failing, "block": persona.Blocked, "garble": persona.Garbled,
		"hang": persona.Slow,
	}[form.Get("action")]
	lasts, err := layout.ReadMinutes(form)
	if err != nil {
		return err
	}
	cc.consent.Overrides.Trouble, cc.consent.Overrides.TroubleEnds = b, cc.now.Add(lasts).UTC()
	return nil
}

// chosen returns the statement of the account that the form names, or of the first
// account if it names none.
func (cc *consentControl) chosen(form url.Values) (persona.Statement, error) {
	for acc := range cc.granted() {
		if key := form.Get("account"); key == "" || key == acc.Key {
			return cc.statements()[acc.Key], nil
		}
	}
	return persona.Statement{}, layout.Invalid("The consent does not include this account.")
}

// pending returns the statement of the chosen account, which has at least one pending
// row.
func (cc *consentControl) pending(form url.Values) (persona.Statement, error) {
	st, err := cc.chosen(form)
	if err == nil && len(st.Pending) == 0 {
		err = layout.Conflict("This account has no pending transactions.")
	}
	return st, err
}

func (cc *consentControl) bookPending(form url.Values) error {
	st, err := cc.pending(form)
	if err != nil {
		return err
	}
	changes := make([]Change, len(st.Pending))
	for i, e := range st.Pending {
		changes[i] = Change{st.Account.Key, RowBooked, cc.today, e.Identity}
	}
	return cc.change(changes...)
}

func (cc *consentControl) vanishPending(form url.Values) error {
	st, err := cc.pending(form)
	if err != nil {
		return err
	}
	return cc.change(Change{st.Account.Key, RowVanished, cc.today, st.Pending[0].Identity})
}

func (cc *consentControl) addRow(form url.Values, booked bool) error {
	st, err := cc.chosen(form)
	if err != nil {
		return err
	}
	row := Change{Account: st.Account.Key, Kind: RowAdded, Day: cc.today}
	if !booked {
		return cc.change(row)
	}
	e, _ := row.added(cc.persona, cc.branch(), len(cc.consent.Ledger.Changes))
	return cc.change(row, Change{row.Account, RowBooked, cc.today, e.Identity})
}

// change appends changes to the consent's ledger.
func (cc *consentControl) change(changes ...Change) error {
	ledger := &cc.consent.Ledger
	if len(ledger.Changes)+len(changes) > maxChanges {
		return layout.Conflict("This customer's transactions were changed too often. " +
			"Log in with another customer number.")
	}
	ledger.Changes = append(ledger.Changes, changes...)
	return nil
}
