package bank

import (
	"net/url"
	"time"

	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/persona"
)

// desk is where the control page's orders about one consent are carried out.
type desk struct {
	*session
	approval Approval
	// status is the consent's as of now.
	status State
	now    time.Time
}

// command is one thing that a bank can be told.
type command struct {
	// Order has as its value the action of the form.
	layout.Command
	// carryOut changes the desk's consent, or answers a *layout.Problem.
	carryOut func(d *desk, form url.Values) error
}

func consentCommands() []command {
	return []command{
		{layout.NewCommand("expire", "Expire", "Yesterday was the consent’s last day. Reads answer 401 CONSENT_EXPIRED.", "The consent has expired."),
			func(d *desk, _ url.Values) error { d.consent.ValidUntil = d.today - 1; return nil }},
		{layout.NewCommand("revoke", "Revoke", "The customer withdraws the consent at the bank. Reads answer 401 CONSENT_INVALID.", "The customer has revoked the consent."),
			func(d *desk, _ url.Values) error {
				d.consent.State, d.consent.LastAction = RevokedByPSU, d.today
				return nil
			}},
		{layout.NewCommand("require-sca", "Ask for SCA", "The customer must authenticate again. Reads answer 401 CONSENT_INVALID, while the consent itself stays valid.", "The bank asks for SCA again."),
			func(d *desk, _ url.Values) error { d.consent.Orders.SCADue = true; return nil }},
		{layout.NewCommand("reissue-ids", "Re-issue ids", "Accounts and rows get new ids and keep their content.", "All ids are new."),
			func(d *desk, _ url.Values) error { d.consent.Ledger.Issue++; return nil }},
	}
}

func rowCommands() []command {
	return []command{
		{layout.NewCommand("book-pending", "Book pending", "All pending rows are booked today.", "The pending rows are booked."), (*desk).bookPending},
		{layout.NewCommand("vanish-pending", "Vanish oldest", "The oldest pending row is gone and will never be booked.", "The oldest pending row is gone."), (*desk).vanishPending},
		{layout.NewCommand("add-pending", "Add pending", "A new pending row. It is booked in one to three days, if nobody does that before.", "There is a new pending row."),
			func(d *desk, form url.Values) error { return d.addRow(form, false) }},
		{layout.NewCommand("add-booked", "Add booked", "A new row, booked today.", "There is a new booked row."),
			func(d *desk, form url.Values) error { return d.addRow(form, true) }},
	}
}

func troubleCommands() []command {
	trouble := func(b persona.Behaviour) func(*desk, url.Values) error {
		return func(d *desk, form url.Values) error { return d.makeTrouble(b, form) }
	}
	return []command{
		{layout.NewCommand("throttle", "Throttle", "Reads answer 429 with Retry-After.", "The bank throttles."), trouble(persona.Throttled)},
		{layout.NewCommand("fail", "Fail", "Reads answer 500.", "The bank fails."), trouble(persona.Failing)},
		{layout.NewCommand("garble", "Garble", "Reads answer 200 with JSON that breaks off.", "The bank answers broken JSON."), trouble(persona.Garbled)},
		{layout.NewCommand("hang", "Hang", "Reads answer after every sensible time-out.", "The bank hangs."), trouble(persona.Slow)},
	}
}

func calmCommands() []command {
	return []command{
		{layout.NewCommand("normal", "Back to normal", "Ends trouble and SCA. What became of rows and ids stays.", "The bank is back to normal."),
			func(d *desk, _ url.Values) error { d.consent.Orders = Orders{}; return nil }},
	}
}

// findCommand is the command of an action, and false where there is none.
func findCommand(action string) (command, bool) {
	for _, group := range [][]command{consentCommands(), rowCommands(), troubleCommands(), calmCommands()} {
		for _, c := range group {
			if c.Value == action {
				return c, true
			}
		}
	}
	return command{}, false
}

func (d *desk) makeTrouble(b persona.Behaviour, form url.Values) error {
	lasts, err := layout.ReadMinutes(form, "Trouble")
	if err != nil {
		return err
	}
	d.consent.Orders.Trouble, d.consent.Orders.TroubleEnds = b, d.now.Add(lasts).UTC()
	return nil
}

// chosen is the statement of the account that the form names, the first one
// where it names none.
func (d *desk) chosen(form url.Values) (persona.Statement, error) {
	for acc := range d.granted() {
		if key := form.Get("account"); key == "" || key == acc.Key {
			return d.statements()[acc.Key], nil
		}
	}
	return persona.Statement{}, layout.Invalid("The consent has no such account.")
}

// pending is the chosen account with its pending rows; there is one at least.
func (d *desk) pending(form url.Values) (persona.Statement, error) {
	st, err := d.chosen(form)
	if err == nil && len(st.Pending) == 0 {
		err = layout.Conflict("No row of this account is pending.")
	}
	return st, err
}

func (d *desk) bookPending(form url.Values) error {
	st, err := d.pending(form)
	if err != nil {
		return err
	}
	changes := make([]Change, len(st.Pending))
	for i, e := range st.Pending {
		changes[i] = Change{st.Account.Key, RowBooked, d.today, e.Identity}
	}
	return d.change(changes...)
}

func (d *desk) vanishPending(form url.Values) error {
	st, err := d.pending(form)
	if err != nil {
		return err
	}
	return d.change(Change{st.Account.Key, RowVanished, d.today, st.Pending[0].Identity})
}

func (d *desk) addRow(form url.Values, booked bool) error {
	st, err := d.chosen(form)
	if err != nil {
		return err
	}
	row := Change{Account: st.Account.Key, Kind: RowAdded, Day: d.today}
	if !booked {
		return d.change(row)
	}
	e, _ := row.added(d.persona, d.branch(), len(d.consent.Ledger.Changes))
	return d.change(row, Change{row.Account, RowBooked, d.today, e.Identity})
}

// change writes further changes into the consent's ledger.
func (d *desk) change(changes ...Change) error {
	ledger := &d.consent.Ledger
	if len(ledger.Changes)+len(changes) > maxChanges {
		return layout.Conflict("The rows of this customer have been changed too often. Log in with another customer number.")
	}
	ledger.Changes = append(ledger.Changes, changes...)
	return nil
}
