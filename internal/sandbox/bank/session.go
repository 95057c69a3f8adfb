package bank

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"

	"aviso/internal/sandbox/persona"
)

// session is what one account read may see.
type session struct {
	office
	consent  Consent
	persona  persona.Persona
	today    persona.Day
	attended bool
	// statements are the customer's accounts as of today, played once.
	statements func() map[string]persona.Statement
}

// open checks the consent of an account read and lets the persona misbehave.
// It answers a nil session when the answer has been written already.
func (s *server) open(w http.ResponseWriter, r *http.Request, o office) (*session, error) {
	id := header(r, "Consent-ID")
	if id == "" {
		return nil, formatError("Consent-ID", "The header is required.")
	}
	attended, err := psuAddress(r)
	if err != nil {
		return nil, err
	}
	c, err := s.consent(r, o, id)
	if err != nil {
		return nil, err
	}
	now := s.Now()
	today := o.today(now)
	switch c.status(now, today) {
	case Valid:
	case Expired:
		return nil, unauthorised("CONSENT_EXPIRED", "The consent has expired and needs to be renewed.")
	default:
		return nil, unauthorised("CONSENT_INVALID", "The consent is not valid.")
	}
	if c.Orders.SCADue {
		// The consent itself still holds, and its status says so: the customer is
		// to authenticate again before the accounts are read.
		return nil, unauthorised("CONSENT_INVALID", "The customer must authenticate again.")
	}
	p, found := persona.Find(c.Persona)
	if !found {
		return nil, fmt.Errorf("consent of an unknown persona")
	}
	if answered, err := s.misbehave(w, r, o, p, c); answered || err != nil {
		return nil, err
	}
	return newSession(o, c, p, today, attended), nil
}

func newSession(o office, c Consent, p persona.Persona, today persona.Day, attended bool) *session {
	play := sync.OnceValue(func() map[string]persona.Statement {
		statements := p.Statements(o.branch(), today)
		for key, st := range statements {
			statements[key] = c.Ledger.amend(st, p, o.branch(), today)
		}
		return statements
	})
	return &session{o, c, p, today, attended, play}
}

// misbehave answers as the persona's bank does instead of as it should, or as
// the bank was told to.
func (s *server) misbehave(w http.ResponseWriter, r *http.Request, o office, p persona.Persona, c Consent) (answered bool, err error) {
	switch c.Orders.behaviour(p, s.Now()) {
	case persona.Slow:
		wait(r.Context(), s.SlowAnswer)
		w.WriteHeader(http.StatusRequestTimeout)
	case persona.Failing:
		w.WriteHeader(http.StatusInternalServerError)
	case persona.Garbled:
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"accounts":[{"resourceId":"3dc3d5b3-7023-48`))
	case persona.Throttled:
		return true, &refusal{status: http.StatusTooManyRequests, code: "ACCESS_EXCEEDED", text: "The bank is busy.", retryAfter: 30 * time.Second}
	case persona.Revoked:
		c.State, c.LastAction = RevokedByPSU, o.today(s.Now())
		if err := s.save(r, c); err != nil {
			return true, err
		}
		return true, unauthorised("CONSENT_INVALID", "The customer has revoked the consent.")
	default:
		return false, nil
	}
	return true, nil
}

func wait(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// account is the granted account of the path.
func (s *session) account(r *http.Request) (persona.Account, Grant, error) {
	for acc, g := range s.granted() {
		if s.resourceID(acc) == r.PathValue("account") {
			return acc, g, nil
		}
	}
	return persona.Account{}, Grant{}, &refusal{status: http.StatusNotFound, code: "RESOURCE_UNKNOWN", text: "The consent has no such account."}
}

// granted yields the accounts that the customer picked.
func (s *session) granted() func(func(persona.Account, Grant) bool) {
	return func(yield func(persona.Account, Grant) bool) {
		for _, acc := range s.accounts(s.persona) {
			for _, g := range s.consent.Grants {
				if g.Account == acc.Key && !yield(acc, g) {
					return
				}
			}
		}
	}
}

// resourceID names an account within one consent only, as the standard has it:
// the same account has another id under the next consent.
func (s *session) resourceID(acc persona.Account) string {
	name := s.consent.ID + "/" + acc.Key
	if issue := s.consent.Ledger.Issue; issue > 0 {
		name += "/" + strconv.Itoa(issue)
	}
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte(name)).String()
}

// count refuses a call that is one too many. With the customer present there is
// no limit; without, each endpoint of each account has the consent's number of
// calls a day. A consent for one access has that number in all.
func (s *server) count(r *http.Request, ses *session, account, endpoint string) error {
	if ses.consent.Recurring && ses.attended {
		return nil
	}
	call := Call{Bank: ses.Slug, ConsentID: ses.consent.ID, Account: account, Endpoint: endpoint, Day: ses.today.String(), KeepUntil: s.Now().Add(48 * time.Hour)}
	if !ses.consent.Recurring {
		call.Day, call.KeepUntil = "once", ses.consent.KeepUntil()
	}
	n, err := s.Store.Count(r.Context(), call)
	switch {
	case err != nil:
		return fmt.Errorf("count call: %w", err)
	case n <= ses.consent.FrequencyPerDay:
		return nil
	case !ses.consent.Recurring:
		return unauthorised("CONSENT_EXPIRED", "The consent was for one access.")
	default:
		return &refusal{status: http.StatusTooManyRequests, code: "ACCESS_EXCEEDED",
			text: "The account has been read as often as the consent allows in a day without the customer."}
	}
}
