package connection

import (
	"context"
	"errors"
	"net/url"
	"time"

	"aviso/internal/clock"
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

// nextAddress returns where the user goes for the next step: to the bank's page or to ours.
func (c Connection) nextAddress(baseURL string) string {
	if next := c.Authorisation.Next; next.Kind == pfm.StepRedirect {
		return next.URL
	}
	return baseURL + "/connect/step?connectionId=" + url.QueryEscape(c.ID)
}

// Finish handles a user whom the bank sends back to this path with this query. Only the state of
// the current authorisation has an effect, only at the path that the bank was told, only once, and
// only in a browser that opened the link: otherwise somebody could send the bank's page to another
// person, and get that person's accounts. Finish asks the bank about the consent, because the
// address that the user comes with proves nothing.
func (s *Connections) Finish(ctx context.Context, path string, callback url.Values, v Visitor) (Visit, error) {
	state := callback.Get("state")
	return s.attempt(ctx, IDOf(state), v, func(ctx context.Context, a *attempt) error {
		current := a.c.Authorisation
		hash := returnHash(path, state)
		isOurs := current != nil && (isEqual(current.StateHash, hash) || isEqual(current.AskedStateHash, hash))
		if !isOurs || current.Next.Kind != pfm.StepRedirect {
			return ErrLinkUsed
		}
		if !a.c.accepts(v.BrowserKey) {
			return ErrOtherBrowser
		}
		if err := a.checkOpen(ctx); err != nil {
			return err
		}
		if a.Step.Once {
			if err := a.useOnce(ctx); err != nil || a.RedirectTo != "" {
				return err
			}
		}
		return a.advance(ctx, pfm.UserAnswer{Callback: callback})
	})
}

// useOnce records that the callback is being used. If an earlier use was interrupted, the
// authorisation fails, because the bank would take a second use for an attack.
func (a *attempt) useOnce(ctx context.Context) error {
	used := a.c.Authorisation.TriedAt
	switch {
	case used.IsZero():
		return a.claim(ctx)
	case clock.Now(ctx, a.Now).Before(used.Add(callbackLife)):
		return ErrNotConfirmed
	default:
		return a.giveUp(ctx)
	}
}

// claim records the attempt before it is made, so that nobody else makes it too. It
// returns ErrNotConfirmed if somebody else does.
func (a *attempt) claim(ctx context.Context) error {
	a.c.change().TriedAt = clock.Now(ctx, a.Now)
	err := a.save(ctx, ErrNotConfirmed)
	a.c.Version++
	return err
}

// giveUp ends the authorisation, and its consent.
func (a *attempt) giveUp(ctx context.Context) error {
	old := a.c
	a.c.fail(ReasonAuthorisationFailed, clock.Now(ctx, a.Now))
	return a.end(ctx, OutcomeFailed, old.endConsents(a.c)...)
}

// Step handles a user on our own page, in a browser that opened the link: it shows what to
// do, and where the user goes when that is done. While the user confirms in the bank's app,
// it asks the bank how that stands, but not more often than PollInterval.
func (s *Connections) Step(ctx context.Context, connectionID string, v Visitor) (Visit, error) {
	return s.atStep(ctx, connectionID, v, func(ctx context.Context, a *attempt) error {
		now := clock.Now(ctx, s.Now)
		switch {
		case a.Step.Kind == "" && a.asksConsent():
			return a.askConsent(ctx)
		case a.Step.Kind == "" && a.c.Authorisation.Consented != "":
			return s.begin(ctx, a)
		case a.Step.Kind == "": // the attempt to get a consent failed
			return ErrBankUnavailable
		case a.Step.Kind == pfm.StepRedirect:
			a.RedirectTo = a.Step.URL
			return nil
		case a.Step.Kind == pfm.StepAsk, now.Before(a.c.Authorisation.TriedAt.Add(PollInterval)):
			return nil
		}
		err := a.claim(ctx)
		if errors.Is(err, ErrNotConfirmed) { // another tab asks the bank
			return nil
		}
		if err != nil {
			return err
		}
		return a.advance(ctx, pfm.UserAnswer{})
	})
}

// Answer handles what the user answers on our own page.
func (s *Connections) Answer(
	ctx context.Context, connectionID string, answer pfm.UserAnswer, v Visitor,
) (Visit, error) {
	return s.atStep(ctx, connectionID, v, func(ctx context.Context, a *attempt) error {
		if a.Step.Kind != pfm.StepAsk { // answered in another tab
			a.RedirectTo = a.c.nextAddress(v.BaseURL)
			return nil
		}
		if a.c.Authorisation.Tries == maxTries {
			return a.giveUp(ctx)
		}
		a.c.change().Tries++
		if err := a.claim(ctx); err != nil {
			return err
		}
		return a.advance(ctx, answer)
	})
}

// atStep calls do for our own page. If no authorisation is in progress, it leads back to the
// partner instead.
func (s *Connections) atStep(
	ctx context.Context, connectionID string, v Visitor, do func(context.Context, *attempt) error,
) (Visit, error) {
	return s.attempt(ctx, connectionID, v, func(ctx context.Context, a *attempt) error {
		if !a.c.accepts(v.BrowserKey) {
			return ErrOtherBrowser
		}
		err := a.checkOpen(ctx)
		if errors.Is(err, ErrLinkUsed) {
			a.RedirectTo = a.ReturnTo
			return nil
		}
		if err != nil {
			return err
		}
		return do(ctx, a)
	})
}

// advance goes on with the consent after the user's answer, and stores how that ended.
func (a *attempt) advance(ctx context.Context, answer pfm.UserAnswer) error {
	provider, req, err := a.consentRequest(ctx)
	if err != nil {
		return err
	}
	bank := a.Bank(provider.Endpoint)
	progress, err := bank.ContinueConsent(ctx, provider.Endpoint, req, a.c.authorising(), answer)
	if err != nil {
		return a.failed(ctx, err)
	}
	if progress.Next.Kind != "" {
		return a.proceed(ctx, progress, req)
	}
	old, now := a.c, clock.Now(ctx, a.Now)
	next := a.c.change()
	next.ConsentID, next.Secret = progress.Session.ConsentID, progress.Session.Secret
	refused := answer.Callback.Get("refused") == "true"
	switch state := progress.Consent.State; {
	case state == pfm.ConsentValid:
		a.c.activate(progress.Consent, provider.ConsentDays(), now)
		job := a.c.job(JobSync)
		job.PSUIPAddress, job.PSUHeaders = a.visitor.IPAddress, provider.Wants(a.visitor.Headers)
		return a.end(ctx, OutcomeSuccess, append(old.endConsents(a.c), job)...)
	case state == pfm.ConsentRejected:
		a.c.fail(ReasonUserCancelled, now)
		return a.end(ctx, OutcomeCancelled)
	case refused, state != pfm.ConsentReceived && state != pfm.ConsentPartiallyAuthorised:
		// Best effort: a consent that nobody authorised expires at the bank anyway.
		_ = bank.EndConsent(ctx, provider.Endpoint, progress.Session)
		a.c.fail(ReasonAuthorisationFailed, now)
		return a.end(ctx, OutcomeFailed)
	case state == pfm.ConsentPartiallyAuthorised:
		a.c.setPendingReason(ReasonPartiallyAuthorised, now)
		if err := a.save(ctx, ErrNotConfirmed); err != nil {
			return err
		}
		return ErrOtherMustSign
	default:
		return ErrNotConfirmed
	}
}

// end stores the end of the authorisation, and sends the user back to the partner.
func (a *attempt) end(ctx context.Context, o Outcome, jobs ...SyncJob) error {
	return a.leave(ctx, returnTo(a.c.ReturnURL, a.c.ID, o), jobs...)
}

// proceed stores what the user does next.
func (a *attempt) proceed(ctx context.Context, p pfm.ConsentProgress, req pfm.ConsentRequest) error {
	old, now := *a.c.Authorisation, clock.Now(ctx, a.Now)
	isSame := p.Session.ConsentID == old.ConsentID && p.Session.Secret == old.Secret
	if isSame && p.Next.Kind == pfm.StepWait && p.Next == old.Next { // still waiting, and that is stored
		return nil
	}
	next := a.c.change()
	next.ConsentID, next.Secret = p.Session.ConsentID, p.Session.Secret
	next.Next, next.TriedAt = p.Next, time.Time{}
	switch p.Next.Kind {
	case pfm.StepAsk:
		if next.StateHash == "" || next.ConsentID != old.ConsentID {
			next.StateHash = a.stateHash(req)
		}
	case pfm.StepRedirect:
		next.StateHash, next.AskedStateHash = a.stateHash(req), ""
		if old.Next.Kind == pfm.StepAsk {
			next.AskedStateHash = old.StateHash
		}
	case pfm.StepWait:
		next.TriedAt = now
	}
	reason := ReasonNone
	if p.Next.OtherMustSign {
		reason = ReasonPartiallyAuthorised
	}
	a.c.setPendingReason(reason, now)
	return a.leave(ctx, a.c.nextAddress(a.visitor.BaseURL))
}
