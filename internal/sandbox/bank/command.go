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

// command is one thing that a developer can tell a bank to do.
type command struct {
	// The value of the Command is the action of the form.
	layout.Command
	// run changes the consent. It may return a *layout.Problem.
	run func(cc *consentControl, form url.Values) error
}

func consentCommands() []command {
	return []command{
		{layout.NewCommand("expire", "Expire", "The consent expired yesterday. Reads return 401 CONSENT_EXPIRED.",
			"The consent has expired."),
			func(cc *consentControl, _ url.Values) error { cc.consent.ValidUntil = cc.today - 1; return nil }},
		{layout.NewCommand("revoke", "Revoke",
			"The customer withdraws the consent at the bank. Reads return 401 CONSENT_INVALID.",
			"The customer has revoked the consent."),
			func(cc *consentControl, _ url.Values) error {
				cc.consent.State, cc.consent.LastAction = RevokedByPSU, cc.today
				return nil
			}},
		{layout.NewCommand("require-sca", "Require SCA",
			"The customer must authenticate again. Reads return 401 CONSENT_INVALID; the consent stays valid.",
			"The bank requires SCA again."),
			func(cc *consentControl, _ url.Values) error { cc.consent.Overrides.SCADue = true; return nil }},
		{layout.NewCommand("reissue-ids", "Reissue IDs",
			"Accounts and transactions get new IDs and keep their content.",
			"All IDs are new."),
			func(cc *consentControl, _ url.Values) error { cc.consent.Ledger.Issue++; return nil }},
	}
}

func rowCommands() []command {
	return []command{
		{layout.NewCommand("book-pending", "Book pending", "All pending transactions are booked today.",
			"The pending transactions are booked."), (*consentControl).bookPending},
		{layout.NewCommand("vanish-pending", "Remove oldest",
			"The oldest pending transaction disappears and is never booked.",
			"The oldest pending transaction is gone."), (*consentControl).vanishPending},
		{layout.NewCommand("add-pending", "Add pending",
			"Adds a pending transaction. It is booked after one to three days, or when you book it.",
			"A pending transaction was added."),
			func(cc *consentControl, form url.Values) error { return cc.addRow(form, false) }},
		{layout.NewCommand("add-booked", "Add booked", "Adds a transaction that is booked today.",
			"A booked transaction was added."),
			func(cc *consentControl, form url.Values) error { return cc.addRow(form, true) }},
	}
}

func faultCommands() []command {
	fault := func(b persona.Behaviour) func(*consentControl, url.Values) error {
		return func(cc *consentControl, form url.Values) error { return cc.startFault(b, form) }
	}
	return []command{
		{layout.NewCommand("throttle", "Throttle", "Reads return 429 with Retry-After.", "Reads now return 429."),
			fault(persona.Throttled)},
		{layout.NewCommand("fail", "Fail", "Reads return 500.", "Reads now return 500."), fault(persona.Failing)},
		{layout.NewCommand("block", "Block", "Reads return 403, so the sync is not retried.",
			"Reads now return 403."), fault(persona.Blocked)},
		{layout.NewCommand("garble", "Garble", "Reads return 200 with truncated JSON.",
			"Reads now return truncated JSON."), fault(persona.Garbled)},
		{layout.NewCommand("hang", "Hang", "Reads take longer than any reasonable timeout.", "Reads now hang."),
			fault(persona.Slow)},
	}
}

func resetCommands() []command {
	return []command{
		{layout.NewCommand("normal", "Back to normal",
			"Ends faults and required SCA. Changes to transactions and IDs stay.", "The bank is back to normal."),
			func(cc *consentControl, _ url.Values) error { cc.consent.Overrides = Overrides{}; return nil }},
	}
}

// findCommand returns the command of an action and whether there is one.
func findCommand(action string) (command, bool) {
	for _, group := range [][]command{consentCommands(), rowCommands(), faultCommands(), resetCommands()} {
		for _, c := range group {
			if c.Value == action {
				return c, true
			}
		}
	}
	return command{}, false
}

func (cc *consentControl) startFault(b persona.Behaviour, form url.Values) error {
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
