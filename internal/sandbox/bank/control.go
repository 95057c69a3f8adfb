package bank

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/persona"
	"aviso/internal/sandbox/sandboxdb"
)

const (
	controlPath = "/sandbox/control"
	// approvalsPerPage is the number of approvals on a page.
	approvalsPerPage = 25
)

// path returns the path of the approval's page.
func (a Approval) path() string { return controlPath + "/" + a.ID }

// listApprovals shows the recently approved consents.
func (c *call) listApprovals() error {
	before, next := c.r.URL.Query().Get("before"), ""
	if before != "" && !isApprovalID(before) {
		return c.unknownApproval()
	}
	approvals, err := sandboxdb.List[Approval](c.r.Context(), c.Store, Approval{}.Key().PK, before, approvalsPerPage, nil)
	if err != nil {
		return fmt.Errorf("list approvals: %w", err)
	}
	if len(approvals) == approvalsPerPage {
		next = controlPath + "?before=" + approvals[approvalsPerPage-1].ID
	}
	var controls []*consentControl
	for _, a := range approvals {
		cc, err := c.control(a)
		switch {
		case err == nil:
			controls = append(controls, cc)
		case !errors.Is(err, outcome.ErrNotFound): // else the consent no longer exists
			return err
		}
	}
	if layout.WantsJSON(c.r) {
		list := []any{}
		for _, cc := range controls {
			list = append(list, cc.wire())
		}
		return c.json(http.StatusOK, map[string]any{"consents": list, "next": next})
	}
	title := "Sandbox consents"
	list := layout.Cards("consents", "Recently approved", g.Map(controls, (*consentControl).card))
	switch {
	case len(controls) == 0 && before != "":
		list = layout.Empty("There are no older consents.")
	case len(controls) == 0:
		list = layout.Empty("No consent has been approved yet. Connect to one of the banks first.")
	}
	return c.show(http.StatusOK, controlPath, title, "",
		h.H1(g.Text(title)),
		layout.Lead(g.Text("Choose a consent to change how its bank behaves.")),
		list,
		layout.Pagination(before != "", controlPath, next),
	)
}

// consentControl runs the control page's commands on one consent.
type consentControl struct {
	*session
	approval Approval
	// status is the consent's current status.
	status State
}

// control reads the consent of an approval. It returns outcome.ErrNotFound also if the
// bank or the persona is no longer part of the sandbox.
func (c *call) control(a Approval) (*consentControl, error) {
	lb, hasBank := localBanks()[a.Bank]
	if _, hasPersona := persona.Find(a.Persona); !hasBank || !hasPersona {
		return nil, outcome.ErrNotFound
	}
	at := &call{server: c.server, localBank: lb, w: c.w}
	at.at(c.r)
	consent, err := stored(at, Consent{Bank: a.Bank, ID: a.ConsentID})
	if err != nil {
		return nil, fmt.Errorf("read consent: %w", err)
	}
	at.of(consent)
	s, err := at.session(consent, true)
	if err != nil {
		return nil, err
	}
	return &consentControl{s, a, consent.status(at.now, at.today)}, nil
}

// withApproval loads the consent control in the path for a handler.
func withApproval(answer func(cc *consentControl) error) handler {
	return func(c *call) error {
		a, err := Approval{ID: c.r.PathValue("approval")}, outcome.ErrNotFound
		if isApprovalID(a.ID) {
			a, err = stored(c, a)
		}
		var cc *consentControl
		if err == nil {
			cc, err = c.control(a)
		}
		if errors.Is(err, outcome.ErrNotFound) {
			return c.unknownApproval()
		}
		if err != nil {
			return fmt.Errorf("read approval: %w", err)
		}
		return answer(cc)
	}
}

func (c *call) unknownApproval() error {
	return c.notice(http.StatusNotFound, "Consent not found", "It may have been approved too long ago.", "")
}

func (cc *consentControl) show() error {
	if layout.WantsJSON(cc.r) {
		return cc.json(http.StatusOK, cc.wire())
	}
	// Only our own texts are shown, never text from the address.
	done, _ := layout.FindCommand(consentCommands(), cc.r.URL.Query().Get("done"))
	return cc.page(http.StatusOK, done.Done, "")
}

// postApproval runs a command.
func (c *call) postApproval(form url.Values) error {
	return withApproval(func(cc *consentControl) error {
		err := cc.runAndSave(form)
		return layout.Done(cc.w, err, cc.approval.path()+"?done="+form.Get("action"), func(status int, problem string) error {
			return cc.page(status, "", problem)
		})
	})(c)
}

func (cc *consentControl) runAndSave(form url.Values) error {
	action := form.Get("action")
	_, known := layout.FindCommand(consentCommands(), action)
	switch {
	case !known:
		return layout.Invalid("The action does not exist.")
	case cc.status != Valid:
		return layout.Conflict("The consent has ended.")
	}
	if err := cc.run(action, form); err != nil {
		return err
	}
	err := cc.Store.Save(cc.r.Context(), cc.consent)
	if errors.Is(err, outcome.ErrChanged) {
		return layout.Conflict("Another request changed the consent. Please try again.")
	}
	if err != nil {
		return fmt.Errorf("save consent: %w", err)
	}
	return nil
}

// wire returns a consent as JSON. It leaves out the consent's ID, which would open the
// accounts.
func (cc *consentControl) wire() map[string]any {
	a, overrides := cc.approval, cc.consent.Overrides
	wire := map[string]any{
		"id": a.ID, "href": a.path(), "bank": a.Bank, "persona": a.Persona, "customer": a.CustomerNumber,
		"connectionId": a.ConnectionID, "status": cc.status, "approvedAt": a.At, "scaDue": overrides.SCADue, "trouble": "",
	}
	if overrides.faultActive(cc.now) {
		wire["trouble"], wire["troubleEnds"] = overrides.Trouble, overrides.TroubleEnds
	}
	return wire
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
	case "book-pending", "vanish-pending", "add-pending", "add-booked":
		return cc.changeRows(action, form.Get("account"))
	case "normal":
		c.Overrides = Overrides{}
	default:
		lasts, err := layout.ReadMinutes(form)
		c.Overrides.Trouble, c.Overrides.TroubleEnds = faults()[action], cc.now.Add(lasts).UTC()
		return err
	}
	return nil
}

// faults are the faults of a bank that a developer can choose, by command.
func faults() map[string]persona.Behaviour {
	return map[string]persona.Behaviour{
		"throttle": persona.Throttled, "fail": persona.Failing, "block": persona.Blocked, "garble": persona.Garbled,
		"hang": persona.Slow,
	}
}

// changeRows changes the rows of an account in the consent's ledger. Without a key it is the first
// account.
func (cc *consentControl) changeRows(action, key string) error {
	var account persona.Account
	for acc := range cc.granted(cc.persona, cc.consent) {
		if key == "" || key == acc.Key {
			account = acc
			break
		}
	}
	var changes []Change
	ledger, pending := &cc.consent.Ledger, cc.statements()[account.Key].Pending
	switch action {
	case "book-pending":
		for _, e := range pending {
			changes = append(changes, Change{account.Key, RowBooked, cc.today, e.Identity})
		}
	case "vanish-pending":
		for _, e := range pending[:min(1, len(pending))] {
			changes = append(changes, Change{account.Key, RowVanished, cc.today, e.Identity})
		}
	default:
		changes = append(changes, Change{Account: account.Key, Kind: RowAdded, Day: cc.today})
		if action == "add-booked" {
			e, _ := cc.persona.Extra(cc.branch(), account.Key, cc.today, len(ledger.Changes))
			changes = append(changes, Change{account.Key, RowBooked, cc.today, e.Identity})
		}
	}
	switch {
	case account.Key == "":
		return layout.Invalid("The consent does not include this account.")
	case len(changes) == 0:
		return layout.Conflict("This account has no pending transactions.")
	case len(ledger.Changes)+len(changes) > maxChanges:
		return layout.Conflict("This customer's transactions were changed too often. " +
			"Log in with another customer number.")
	}
	ledger.Changes = append(ledger.Changes, changes...)
	return nil
}

func (cc *consentControl) card() g.Node {
	return h.Li(
		bankLogo(cc.Bank),
		h.Div(
			h.A(h.Href(cc.approval.path()), h.B(g.Text(cc.persona.Name)), g.Text(" at "+cc.Name)), g.Text(" "),
			cc.tags(),
			h.Small(g.Text("Customer "+cc.approval.CustomerNumber+", approved "), layout.Timestamp(cc.approval.At)),
			g.If(cc.approval.ConnectionID != "",
				h.Small(g.Text("Connection "), h.Code(g.Text(cc.approval.ConnectionID)))),
		),
	)
}

// tags show the status, and how the bank behaves differently from normal.
func (cc *consentControl) tags() g.Node {
	class, overrides := "", cc.consent.Overrides
	if cc.status == Valid {
		class = "on"
	}
	tags := g.Group{layout.Tag(class, map[State]string{
		Received: "Waiting for the customer", Rejected: "Refused", Valid: "Valid", Expired: "Expired",
		RevokedByPSU: "Revoked by the customer", TerminatedByTPP: "Ended by Aviso",
	}[cc.status])}
	if cc.status == Valid && overrides.SCADue {
		tags = append(tags, g.Text(" "), layout.Tag("off", "SCA due"))
	}
	if cc.status == Valid && overrides.faultActive(cc.now) {
		for _, command := range layout.Commands("faults") {
			if faults()[command.Value] == overrides.Trouble {
				text := strings.TrimSuffix(command.Done, ".") + overrides.TroubleEnds.UTC().Format(" until 15:04 UTC")
				tags = append(tags, g.Text(" "), layout.Tag("off", text))
			}
		}
	}
	return tags
}

// page shows one consent and its commands. done says what was just done, problem
// why it failed; usually both are empty.
func (cc *consentControl) page(status int, done, problem string) error {
	title, a := "Control a consent", cc.approval
	return cc.call.show(status, controlPath, title, problem,
		layout.Step(h.A(h.Href(controlPath), g.Text("Sandbox consents"))),
		h.H1(g.Text(title)),
		layout.Lead(g.Text("Changes take effect immediately. Aviso notices them when it next reads the accounts.")),
		layout.Outcome(done, problem),
		layout.Facts(
			layout.Fact("Status", cc.tags()),
			layout.Fact("consentStatus", h.Code(g.Text(string(cc.status)))),
			layout.Fact("Customer", g.Text(cc.persona.Name+", number "+a.CustomerNumber)),
			g.If(a.ConnectionID != "", layout.Fact("Connection", h.Code(g.Text(a.ConnectionID)))),
			layout.Fact("Approved", layout.Timestamp(a.At)),
			cc.endFact(),
		),
		g.Iff(cc.status == Valid, cc.commands),
		g.If(cc.status != Valid, layout.Empty("This consent has ended. Connect or reconnect to get a new one.")),
	)
}

// endFact names the last day of the consent, or the day on which it ended early.
func (cc *consentControl) endFact() g.Node {
	name, day := "Valid until", cc.consent.ValidUntil
	if cc.status != Valid && cc.today <= day {
		name, day = "Ended", cc.consent.LastAction
	}
	return layout.Fact(name, g.Text(day.Time().Format("2 January 2006")))
}

func (cc *consentControl) commands() g.Node {
	form := func(set, heading string, field g.Node) g.Node {
		return layout.CommandForm(set, cc.approval.path(), heading, field, "action", layout.Commands(set))
	}
	return g.Group{
		form("consent", "Consent and IDs", nil), form("rows", "Transactions", cc.accountField()),
		form("faults", "Faults", layout.Minutes()), form("reset", "Reset", nil),
	}
}

func (cc *consentControl) accountField() g.Node {
	var options g.Group
	for acc := range cc.granted(cc.persona, cc.consent) {
		options = append(options, h.Option(h.Value(acc.Key), g.Textf("%s (%s): %d pending",
			acc.Name, acc.Currency, len(cc.statements()[acc.Key].Pending))))
	}
	hint := g.If(cc.Traits.BookedOnly, h.P(h.Class("hint"),
		g.Text("This bank does not report pending transactions. They appear when they are booked.")))
	return layout.Choice("account", "Account", hint, options)
}
