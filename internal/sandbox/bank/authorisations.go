package bank

import (
	"fmt"
	"net/http"
	"slices"

	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/persona"
	"aviso/internal/sandbox/sandboxdb"
)

func (s *server) listAuthorisations(w http.ResponseWriter, _ *http.Request, _ localBank, c Consent) error {
	return layout.WriteJSON(w, http.StatusOK, map[string]any{"authorisationIds": c.Authorisations})
}

// startAuthorisation creates another link to the consent page while the consent is
// undecided. It also gives the customer more time.
func (s *server) startAuthorisation(w http.ResponseWriter, r *http.Request, lb localBank, c Consent) error {
	if _, err := psuAddress(r); err != nil {
		return err
	}
	ok, nok, err := redirects(r)
	if err != nil {
		return err
	}
	// The redirect approach has no members in the body.
	if err := readJSON(w, r, &struct{}{}); err != nil {
		return err
	}
	now := s.now(r)
	if c.status(now, lb.today(now)) != Received {
		return newTPPError(http.StatusConflict, "STATUS_INVALID", "The consent can no longer be authorised.")
	}
	a := s.newAuthorisation(r, &c, ok, nok)
	if lb.Traits.SCA.wantsPSUID() {
		p, known := persona.Find(header(r, "PSU-ID"))
		if !known {
			return unauthorised("PSU_CREDENTIALS_INVALID", "The PSU-ID is missing or unknown.")
		}
		a.Persona, a.CustomerNumber = p.ID, "psu"
	}
	if lb.Traits.SCA == scaDecoupled {
		return s.startInApp(w, r, lb, c, a)
	}
	if err := s.save(r, c, a); err != nil {
		return err
	}
	status := s.href(r, lb, "/v1/consents/"+c.ID+"/authorisations/"+a.ID)
	w.Header().Set("Location", status.Href)
	w.Header().Set("ASPSP-SCA-Approach", "REDIRECT")
	return layout.WriteJSON(w, http.StatusCreated, map[string]any{
		"scaStatus": a.Status, "authorisationId": a.ID,
		"_links": links{"scaRedirect": s.scaRedirect(r, lb, a), "scaStatus": status},
	})
}

func (s *server) getSCAStatus(w http.ResponseWriter, r *http.Request, lb localBank, c Consent) error {
	id := r.PathValue("authorisation")
	if !slices.Contains(c.Authorisations, id) {
		return newTPPError(http.StatusForbidden, "RESOURCE_UNKNOWN", "The consent has no such authorisation.")
	}
	a, err := sandboxdb.Get(r.Context(), s.Store, Authorisation{Bank: lb.Slug, ID: id})
	if err != nil {
		return fmt.Errorf("read authorisation: %w", err)
	}
	return layout.WriteJSON(w, http.StatusOK, map[string]any{"scaStatus": a.status(s.now(r))})
}
