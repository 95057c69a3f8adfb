package connection

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"aviso/internal/clock"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/pfm"
)

const (
	// PollInterval is the minimum time between two questions to the bank whether the user
	// has confirmed.
	PollInterval = 5 * time.Second
	// callbackLife is longer than a callback may take. If one that works only once has not
	// ended by then, nobody knows whether the bank has accepted it.
	callbackLife = 30 * time.Second
	// maxTries is how often a user may answer what the bank asks, so that nobody tries out
	// other people's IDs through us.
	maxTries = 5
)

// authorising returns the session of the consent that is being authorised.
func (c Connection) authorising() pfm.Session {
	return pfm.Session{ConnectionID: c.ID, ConsentID: c.Authorisation.ConsentID, Secret: c.Authorisation.Secret}
}

// proceed records what the user does next.
func (c *Connection) proceed(p pfm.ConsentProgress, req pfm.ConsentRequest, now time.Time) {
	old, a := *c.Authorisation, c.change()
	a.ConsentID, a.Secret, a.Next, a.TriedAt = p.Session.ConsentID, p.Session.Secret, p.Next, time.Time{}
	switch p.Next.Kind {
	case pfm.StepAsk:
		if a.StateHash == "" || a.ConsentID != old.ConsentID {
			a.StateHash = digest(req.State)
		}
	case pfm.StepRedirect:
		a.StateHash, a.AskedStateHash = digest(req.State), ""
		if old.Next.Kind == pfm.StepAsk {
			a.AskedStateHash = old.StateHash
		}
	case pfm.StepWait:
		a.TriedAt = now
	}
	c.setPendingReason(ReasonNone, now)
}

// nextAddress returns where the user goes for the next step: to the bank's page or to ours.
func (c Connection) nextAddress(baseURL string) string {
	if next := c.Authorisation.Next; next.Kind == pfm.StepRedirect {
		return next.URL
	}
	return baseURL + "/connect/step?connectionId=" + url.QueryEscape(c.ID)
}

// Finish handles a user whom the bank sends back with this query. Only the state of the
// current authorisation has an effect, only once, and only in a browser that opened the
// link: otherwise somebody could send the bank's page to another person, and get that
// person's accounts. Finish asks the bank about the consent, because the address that the
// user comes with proves nothing.
func (s *Connections) Finish(ctx context.Context, callback url.Values, v Visitor, baseURL string) (Visit, error) {
	state := callback.Get("state")
	ctx, c, err := s.find(ctx, IDOf(state))
	if err != nil {
		return Visit{}, err
	}
	a := c.Authorisation
	isOurs := a != nil && (isDigest(a.StateHash, state) || isDigest(a.AskedStateHash, state))
	if !isOurs || a.Next.Kind != pfm.StepRedirect {
		return Visit{}, ErrLinkUsed
	}
	if !c.accepts(v.BrowserKey) {
		return Visit{}, ErrOtherBrowser
	}
	visit := visitOf(c)
	if err := s.checkOpen(ctx, c); err != nil {
		return visit, err
	}
	if a.Next.Once {
		if visit, err := s.useOnce(ctx, &c, visit); err != nil || visit.RedirectTo != "" {
			return visit, err
		}
	}
	return s.advance(ctx, c, visit, pfm.UserAnswer{Callback: callback}, v, baseURL)
}

// useOnce records that the callback is being used. If an earlier use was interrupted, the
// authorisation fails, because the bank would take a second use for an attack.
func (s *Connections) useOnce(ctx context.Context, c *Connection, visit Visit) (Visit, error) {
	now := clock.Now(ctx, s.Now)
	if used := c.Authorisation.TriedAt; !used.IsZero() {
		if now.Before(used.Add(callbackLife)) {
			return visit, ErrNotConfirmed
		}
		old := *c
		c.fail(ReasonAuthorisationFailed, now)
		return s.saveResult(ctx, *c, visit, OutcomeFailed, old.endConsents(*c)...)
	}
	if err := s.claim(ctx, c, now); err != nil {
		return visit, err
	}
	return visit, nil
}

// claim records the attempt before it is made, so that nobody else makes it too. It
// returns ErrNotConfirmed if somebody else does.
func (s *Connections) claim(ctx context.Context, c *Connection, now time.Time) error {
	c.change().TriedAt = now
	switch err := s.Store.SaveConnection(ctx, *c); {
	case errors.Is(err, outcome.ErrNotFound):
		return ErrLinkUnknown
	case errors.Is(err, outcome.ErrChanged):
		return ErrNotConfirmed
	case err != nil:
		return fmt.Errorf("save connection: %w", err)
	}
	c.Version++
	return nil
}

// Step handles a user on our own page, in a browser that opened the link: it shows what to
// do, and where the user goes when that is done. While the user confirms in the bank's app,
// it asks the bank how that stands, but not more often than PollInterval.
func (s *Connections) Step(ctx context.Context, connectionID string, v Visitor, baseURL string) (Visit, error) {
	ctx, c, visit, err := s.atStep(ctx, connectionID, v)
	if err != nil || visit.RedirectTo != "" {
		return visit, err
	}
	next, now := c.Authorisation.Next, clock.Now(ctx, s.Now)
	switch {
	case next.Kind == "": // the attempt to get a consent failed
		return visit, ErrBankUnavailable
	case next.Kind == pfm.StepRedirect:
		visit.RedirectTo = next.URL
		return visit, nil
	case next.Kind == pfm.StepAsk, now.Before(c.Authorisation.TriedAt.Add(PollInterval)):
		return visit, nil
	}
	if err := s.claim(ctx, &c, now); err != nil {
		if errors.Is(err, ErrNotConfirmed) { // another tab asks the bank
			err = nil
		}
		return visit, err
	}
	return s.advance(ctx, c, visit, pfm.UserAnswer{}, v, baseURL)
}

// Answer handles what the user answers on our own page.
func (s *Connections) Answer(
	ctx context.Context, connectionID string, answer pfm.UserAnswer, v Visitor, baseURL string,
) (Visit, error) {
	ctx, c, visit, err := s.atStep(ctx, connectionID, v)
	if err != nil || visit.RedirectTo != "" {
		return visit, err
	}
	if c.Authorisation.Next.Kind != pfm.StepAsk { // answered in another tab
		visit.RedirectTo = c.nextAddress(baseURL)
		return visit, nil
	}
	now := clock.Now(ctx, s.Now)
	if c.Authorisation.Tries == maxTries {
		old := c
		c.fail(ReasonAuthorisationFailed, now)
		return s.saveResult(ctx, c, visit, OutcomeFailed, old.endConsents(c)...)
	}
	c.change().Tries++
	if err := s.claim(ctx, &c, now); err != nil {
		return visit, err
	}
	return s.advance(ctx, c, visit, answer, v, baseURL)
}

// atStep reads a connection for our own page, and returns ctx with its user's clock. If no authorisation is in progress, the
// visit leads back to the partner.
func (s *Connections) atStep(
	ctx context.Context, connectionID string, v Visitor,
) (context.Context, Connection, Visit, error) {
	ctx, c, err := s.find(ctx, connectionID)
	if err != nil {
		return ctx, c, Visit{}, err
	}
	if !c.accepts(v.BrowserKey) {
		return ctx, c, Visit{}, ErrOtherBrowser
	}
	visit := visitOf(c)
	if c.Authorisation == nil && c.Reason != ReasonLinkExpired {
		visit.RedirectTo = visit.ReturnTo
		return ctx, c, visit, nil
	}
	if err := s.checkOpen(ctx, c); err != nil {
		return ctx, c, visit, err
	}
	visit.Step, visit.Left = c.Authorisation.Next, c.Authorisation.ExpiresAt.Sub(clock.Now(ctx, s.Now))
	return ctx, c, visit, nil
}

// advance goes on with the consent after the user's answer, and stores how that ended.
func (s *Connections) advance(
	ctx context.Context, c Connection, visit Visit, answer pfm.UserAnswer, v Visitor, baseURL string,
) (Visit, error) {
	provider, err := s.Store.Provider(ctx, c.ProviderID)
	if err != nil {
		return visit, fmt.Errorf("read provider: %w", err)
	}
	req := s.consentRequest(ctx, c, provider, v, baseURL)
	progress, err := s.Bank(provider.Endpoint).ContinueConsent(ctx, provider.Endpoint, req, c.authorising(), answer)
	if err != nil {
		return s.notAdvanced(ctx, c, visit, err)
	}
	old, now := c, clock.Now(ctx, s.Now)
	if progress.Next.Kind != "" {
		return s.saveStep(ctx, c, visit, progress, req, baseURL)
	}
	a := c.change()
	a.ConsentID, a.Secret = progress.Session.ConsentID, progress.Session.Secret
	refused := answer.Callback.Get("refused") == "true"
	switch state := progress.Consent.State; {
	case state == pfm.ConsentValid:
		c.activate(progress.Consent, provider.ConsentDays(), now)
		job := c.job(JobSync)
		job.PSUIPAddress, job.PSUHeaders = v.IPAddress, provider.Wants(v.Headers)
		return s.saveResult(ctx, c, visit, OutcomeSuccess, append(old.endConsents(c), job)...)
	case state == pfm.ConsentRejected:
		c.fail(ReasonUserCancelled, now)
		return s.saveResult(ctx, c, visit, OutcomeCancelled)
	case refused, state != pfm.ConsentReceived && state != pfm.ConsentPartiallyAuthorised:
		// Best effort: a consent that nobody authorised expires at the bank anyway.
		_ = s.Bank(provider.Endpoint).EndConsent(ctx, provider.Endpoint, progress.Session)
		c.fail(ReasonAuthorisationFailed, now)
		return s.saveResult(ctx, c, visit, OutcomeFailed)
	default:
		return visit, ErrNotConfirmed
	}
}

// notAdvanced records why the bank was not asked, or did not answer. While the user
// confirms in the bank's app, we ask again.
func (s *Connections) notAdvanced(ctx context.Context, c Connection, visit Visit, cause error) (Visit, error) {
	bank := pfm.FailureOf(cause)
	if !bank.Temporary() {
		return visit, s.consentFailed(ctx, c, cause)
	}
	a := c.change()
	a.TriedAt = time.Time{}
	if a.Next.Kind == pfm.StepWait {
		a.TriedAt = clock.Now(ctx, s.Now).Add(min(bank.RetryAfter, time.Minute))
	}
	err := s.consentFailed(ctx, c, cause)
	if a.Next.Kind == pfm.StepWait && errors.Is(err, ErrBankUnavailable) {
		err = nil
	}
	return visit, err
}

// saveStep stores what the user does next.
func (s *Connections) saveStep(
	ctx context.Context, c Connection, visit Visit, p pfm.ConsentProgress, req pfm.ConsentRequest, baseURL string,
) (Visit, error) {
	isSame := p.Session.ConsentID == c.Authorisation.ConsentID && p.Session.Secret == c.Authorisation.Secret
	if isSame && p.Next.Kind == pfm.StepWait && p.Next == c.Authorisation.Next { // still waiting, and that is stored
		return visit, nil
	}
	c.proceed(p, req, clock.Now(ctx, s.Now))
	return s.save(ctx, c, visit, c.nextAddress(baseURL))
}

// saveResult stores the end of the authorisation, and sends the user back to the partner.
func (s *Connections) saveResult(
	ctx context.Context, c Connection, visit Visit, o Outcome, jobs ...SyncJob,
) (Visit, error) {
	return s.save(ctx, c, visit, returnTo(c.ReturnURL, c.ID, o), jobs...)
}

func (s *Connections) save(
	ctx context.Context, c Connection, visit Visit, to string, jobs ...SyncJob,
) (Visit, error) {
	err := s.Store.SaveConnection(ctx, c, jobs...)
	if errors.Is(err, outcome.ErrNotFound) {
		return Visit{}, ErrLinkUnknown // the user has been erased, and the erasure ends the consent
	}
	if errors.Is(err, outcome.ErrChanged) {
		return Visit{}, ErrLinkUsed
	}
	if err != nil {
		return visit, fmt.Errorf("save connection: %w", err)
	}
	visit.RedirectTo = to
	return visit, nil
}
