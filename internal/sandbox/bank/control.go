package bank

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/sync/errgroup"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/persona"
)

const (
	controlPath = "/sandbox/control"
	// listed is how many approvals one page lists.
	listed = 25
)

// path is that of the approval's own page.
func (a Approval) path() string { return controlPath + "/" + a.ID }

// listApprovals shows which consents were approved lately.
func (s *server) listApprovals(w http.ResponseWriter, r *http.Request, _ office) error {
	before := r.URL.Query().Get("before")
	if before != "" && !isApprovalID(before) {
		return s.unknownApproval(w)
	}
	approvals, err := s.Store.Approvals(r.Context(), before, listed)
	if err != nil {
		return fmt.Errorf("list approvals: %w", err)
	}
	desks, err := s.desks(r, approvals)
	if err != nil {
		return err
	}
	next := ""
	if len(approvals) == listed {
		next = controlPath + "?before=" + approvals[listed-1].ID
	}
	if layout.WantsJSON(r) {
		list := controlList{Consents: []controlled{}, Next: next}
		for _, d := range desks {
			list.Consents = append(list.Consents, d.wire())
		}
		return layout.WriteJSON(w, http.StatusOK, list)
	}
	return s.controlList(w, desks, before != "", next)
}

// desks are those of the approvals whose consents are still known.
func (s *server) desks(r *http.Request, approvals []Approval) ([]*desk, error) {
	found := make([]*desk, len(approvals))
	group, ctx := errgroup.WithContext(r.Context())
	group.SetLimit(8)
	for i, a := range approvals {
		group.Go(func() (err error) {
			found[i], err = s.desk(r.WithContext(ctx), a)
			if errors.Is(err, outcome.ErrNotFound) {
				return nil
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	desks := make([]*desk, 0, len(found))
	for _, d := range found {
		if d != nil {
			desks = append(desks, d)
		}
	}
	return desks, nil
}

// desk reads the consent of an approval. It answers outcome.ErrNotFound also where bank
// or persona are no longer part of the sandbox.
func (s *server) desk(r *http.Request, a Approval) (*desk, error) {
	o, hasBank := offices()[a.Bank]
	p, hasPersona := persona.Find(a.Persona)
	if !hasBank || !hasPersona {
		return nil, outcome.ErrNotFound
	}
	c, err := s.Store.Consent(r.Context(), a.Bank, a.ConsentID)
	if err != nil {
		return nil, fmt.Errorf("read consent: %w", err)
	}
	now := s.Now()
	today := o.today(now)
	return &desk{newSession(o, c, p, today, true), a, c.status(now, today), now}, nil
}

// approved answers with a page about the desk of the path.
func (s *server) approved(answer func(w http.ResponseWriter, r *http.Request, d *desk) error) handler {
	return func(w http.ResponseWriter, r *http.Request, _ office) error {
		id := r.PathValue("approval")
		if !isApprovalID(id) {
			return s.unknownApproval(w)
		}
		a, err := s.Store.Approval(r.Context(), id)
		var d *desk
		if err == nil {
			d, err = s.desk(r, a)
		}
		if errors.Is(err, outcome.ErrNotFound) {
			return s.unknownApproval(w)
		}
		if err != nil {
			return fmt.Errorf("read approval: %w", err)
		}
		return answer(w, r, d)
	}
}

func (s *server) unknownApproval(w http.ResponseWriter) error {
	return s.notice(w, http.StatusNotFound, office{}, "This consent is not known", "It may have been approved too long ago.", "")
}

func (s *server) showApproval(w http.ResponseWriter, r *http.Request, d *desk) error {
	if layout.WantsJSON(r) {
		return layout.WriteJSON(w, http.StatusOK, d.wire())
	}
	// Only words of our own come back from the address.
	done, _ := findCommand(r.URL.Query().Get("done"))
	return s.controlPage(w, http.StatusOK, d, done.Done, "")
}

// postApproval carries out an order.
func (s *server) postApproval(w http.ResponseWriter, r *http.Request, o office, form url.Values) error {
	return s.approved(func(w http.ResponseWriter, r *http.Request, d *desk) error {
		err := s.carryOut(r, d, form)
		if problem := layout.AsProblem(err); problem != nil {
			return s.controlPage(w, problem.Status, d, "", problem.Text)
		}
		if err != nil {
			return err
		}
		return layout.Redirect(w, d.approval.path()+"?done="+form.Get("action"))
	})(w, r, o)
}

func (s *server) carryOut(r *http.Request, d *desk, form url.Values) error {
	c, known := findCommand(form.Get("action"))
	switch {
	case !known:
		return layout.Invalid("There is no such action.")
	case d.status != Valid:
		return layout.Conflict("The consent has ended.")
	}
	if err := c.carryOut(d, form); err != nil {
		return err
	}
	err := s.Store.Save(r.Context(), d.consent)
	if errors.Is(err, outcome.ErrChanged) {
		return layout.Conflict("The consent has changed at the same moment. Please try again.")
	}
	if err != nil {
		return fmt.Errorf("save consent: %w", err)
	}
	return nil
}

type controlList struct {
	Consents []controlled `json:"consents"`
	// Next is the path of the page with older ones; empty at the end.
	Next string `json:"next"`
}

// controlled is a consent as programs see it. It leaves out the consent's id,
// which would open the accounts.
type controlled struct {
	ID           string     `json:"id"`
	Href         string     `json:"href"`
	Bank         string     `json:"bank"`
	Persona      string     `json:"persona"`
	Customer     string     `json:"customer"`
	ConnectionID string     `json:"connectionId"`
	Status       State      `json:"status"`
	ApprovedAt   time.Time  `json:"approvedAt"`
	SCADue       bool       `json:"scaDue"`
	Trouble      string     `json:"trouble"`
	TroubleEnds  *time.Time `json:"troubleEnds,omitempty"`
}

func (d *desk) wire() controlled {
	a := d.approval
	out := controlled{ID: a.ID, Href: a.path(), Bank: a.Bank, Persona: a.Persona, Customer: a.CustomerNumber, ConnectionID: a.ConnectionID,
		Status: d.status, ApprovedAt: a.At, SCADue: d.consent.Orders.SCADue}
	if orders := d.consent.Orders; orders.troubled(d.now) {
		out.Trouble, out.TroubleEnds = string(orders.Trouble), &orders.TroubleEnds
	}
	return out
}
