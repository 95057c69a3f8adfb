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
func (s *server) listApprovals(w http.ResponseWriter, r *http.Request, _ localBank) error {
	before := r.URL.Query().Get("before")
	if before != "" && !isApprovalID(before) {
		return s.unknownApproval(w)
	}
	approvals, err := sandboxdb.List[Approval](r.Context(), s.Store, Approval{}.Key().PK, before, approvalsPerPage, nil)
	if err != nil {
		return fmt.Errorf("list approvals: %w", err)
	}
	controls, err := s.controls(r, approvals)
	if err != nil {
		return err
	}
	next := ""
	if len(approvals) == approvalsPerPage {
		next = controlPath + "?before=" + approvals[approvalsPerPage-1].ID
	}
	if layout.WantsJSON(r) {
		list := controlList{Consents: []wireConsent{}, Next: next}
		for _, cc := range controls {
			list.Consents = append(list.Consents, cc.wire())
		}
		return layout.WriteJSON(w, http.StatusOK, list)
	}
	return s.controlList(w, controls, before != "", next)
}

// controls returns the controls of the approvals whose consents still exist.
func (s *server) controls(r *http.Request, approvals []Approval) ([]*consentControl, error) {
	found := make([]*consentControl, len(approvals))
	group, ctx := errgroup.WithContext(r.Context())
	group.SetLimit(8)
	for i, a := range approvals {
		group.Go(func() (err error) {
			found[i], err = s.control(r.WithContext(ctx), a)
			if errors.Is(err, outcome.ErrNotFound) {
				return nil
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	controls := make([]*consentControl, 0, len(found))
	for _, cc := range found {
		if cc != nil {
			controls = append(controls, cc)
		}
	}
	return controls, nil
}

// control reads the consent of an approval. It returns outcome.ErrNotFound also if the
// bank or the persona is no longer part of the sandbox.
func (s *server) control(r *http.Request, a Approval) (*consentControl, error) {
	lb, hasBank := localBanks()[a.Bank]
	p, hasPersona := persona.Find(a.Persona)
	if !hasBank || !hasPersona {
		return nil, outcome.ErrNotFound
	}
	c, err := sandboxdb.Get(r.Context(), s.Store, Consent{Bank: a.Bank, ID: a.ConsentID})
	if err != nil {
		return nil, fmt.Errorf("read consent: %w", err)
	}
	own, err := s.ownRows(r.Context(), c)
	if err != nil {
		return nil, err
	}
	now := s.now(inTime(r, c))
	today := lb.today(now)
	return &consentControl{s.newSession(lb, c, p, now, true, own), a, c.status(now, today), now}, nil
}

// withApproval loads the consent control in the path for a handler.
func (s *server) withApproval(answer func(w http.ResponseWriter, r *http.Request, cc *consentControl) error) handler {
	return func(w http.ResponseWriter, r *http.Request, _ localBank) error {
		id := r.PathValue("approval")
		if !isApprovalID(id) {
			return s.unknownApproval(w)
		}
		a, err := sandboxdb.Get(r.Context(), s.Store, Approval{ID: id})
		var cc *consentControl
		if err == nil {
			cc, err = s.control(r, a)
		}
		if errors.Is(err, outcome.ErrNotFound) {
			return s.unknownApproval(w)
		}
		if err != nil {
			return fmt.Errorf("read approval: %w", err)
		}
		return answer(w, r, cc)
	}
}

func (s *server) unknownApproval(w http.ResponseWriter) error {
	return s.notice(w, http.StatusNotFound, localBank{}, "Consent not found",
		"It may have been approved too long ago.", "")
}

func (s *server) showApproval(w http.ResponseWriter, r *http.Request, cc *consentControl) error {
	if layout.WantsJSON(r) {
		return layout.WriteJSON(w, http.StatusOK, cc.wire())
	}
	// Only our own texts are shown, never text from the address.
	done, _ := layout.FindCommand(consentCommands(), r.URL.Query().Get("done"))
	return s.controlPage(w, http.StatusOK, cc, done.Done, "")
}

// postApproval runs a command.
func (s *server) postApproval(w http.ResponseWriter, r *http.Request, lb localBank, form url.Values) error {
	return s.withApproval(func(w http.ResponseWriter, r *http.Request, cc *consentControl) error {
		err := s.runCommand(r, cc, form)
		if problem := layout.AsProblem(err); problem != nil {
			return s.controlPage(w, problem.Status, cc, "", problem.Text)
		}
		if err != nil {
			return err
		}
		return layout.Redirect(w, cc.approval.path()+"?done="+form.Get("action"))
	})(w, r, lb)
}

func (s *server) runCommand(r *http.Request, cc *consentControl, form url.Values) error {
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
	err := s.Store.Save(r.Context(), cc.consent)
	if errors.Is(err, outcome.ErrChanged) {
		return layout.Conflict("Another request changed the consent. Please try again.")
	}
	if err != nil {
		return fmt.Errorf("save consent: %w", err)
	}
	return nil
}

type controlList struct {
	Consents []wireConsent `json:"consents"`
	// Next is the path of the next page; empty on the last page.
	Next string `json:"next"`
}

// wireConsent is a consent as JSON. It leaves out the consent's ID, which would open the
// accounts.
type wireConsent struct {
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

func (cc *consentControl) wire() wireConsent {
	a := cc.approval
	out := wireConsent{ID: a.ID, Href: a.path(), Bank: a.Bank, Persona: a.Persona, Customer: a.CustomerNumber,
		ConnectionID: a.ConnectionID, Status: cc.status, ApprovedAt: a.At, SCADue: cc.consent.Overrides.SCADue}
	if overrides := cc.consent.Overrides; overrides.faultActive(cc.now) {
		out.Trouble, out.TroubleEnds = string(overrides.Trouble), &overrides.TroubleEnds
	}
	return out
}
