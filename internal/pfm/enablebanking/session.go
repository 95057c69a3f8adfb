package enablebanking

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

// endMargin is how much earlier than the end of the requested day a session ends.
const endMargin = time.Hour

// maxSecret bounds what a connection keeps about a session. Accounts that do not fit in are
// read from the bank.
const maxSecret = 8 << 10

// memory is what a session's Secret holds, sealed: what POST /sessions told about the accounts. Before
// that, the ConsentID is that of the attempt, and PSU the digest that its session must have, too.
type memory struct {
	PSU      string            `json:"psu,omitempty"`
	Accounts []pfm.BankAccount `json:"accounts"`
}

// isAttempt reports whether the user has not come back from the bank yet. Nobody can ask about an attempt.
func (c *Client) isAttempt(s pfm.Session) bool {
	m, err := c.recall(s)
	return s.Secret == "" || err == nil && m.PSU != ""
}

func (c *Client) recall(s pfm.Session) (m memory, err error) {
	err = bankwire.Open(c.sealer, s, &m)
	return m, err
}

// remember returns the session with the accounts in its Secret, as many as fit in. What is not
// an account, or has no ID, is left out.
func (c *Client) remember(s pfm.Session, listed []bankwire.Object) (pfm.Session, error) {
	m := memory{Accounts: []pfm.BankAccount{}}
	size := 0
	for _, w := range listed {
		a := convert(w)
		if !isIdentifier(a.ResourceID) {
			continue
		}
		told, err := json.Marshal(a)
		if err != nil {
			return s, bankwire.ErrSecret
		}
		if size += len(told); size > maxSecret {
			break
		}
		m.Accounts = append(m.Accounts, a)
	}
	return bankwire.Sealed(c.sealer, s, m)
}

// RequestConsent implements pfm.Supplier. The session's ConsentID is that of the attempt.
func (c *Client) RequestConsent(
	ctx context.Context, bank pfm.BankEndpoint, req pfm.ConsentRequest,
) (pfm.ConsentProgress, error) {
	// The aggregator counts from its own clock, and refuses what is longer than the bank allows.
	until := req.ValidUntil.AddDays(1).Time().Add(-endMargin)
	body := map[string]any{
		// Some banks show fewer accounts without balances and transactions, and let
		// customers log in as companies if the type is not told.
		"access": map[string]any{"valid_until": until, "balances": true, "transactions": true},
		"aspsp":  wireASPSP{bank.ASPSP.Name, bank.ASPSP.Country},
		"state":  req.State, "redirect_url": req.CallbackURL, "psu_type": "personal", "psu_id": req.ConnectionID,
	}
	var w struct {
		URL             string `json:"url"`
		AuthorizationID string `json:"authorization_id"`
		PSU             string `json:"psu_id_hash"`
	}
	var progress pfm.ConsentProgress
	r := bankwire.Request{Operation: requestConsent, Method: http.MethodPost, URL: at(bank, "auth"), Body: body}
	err := c.do(ctx, bank, r, &w, func() error {
		if !isWeb(w.URL) || !isIdentifier(w.AuthorizationID) || w.PSU == "" {
			return bankwire.ErrMalformed
		}
		s, err := bankwire.Sealed(c.sealer, pfm.Session{ConnectionID: req.ConnectionID, ConsentID: w.AuthorizationID}, memory{PSU: w.PSU})
		progress = pfm.ConsentProgress{Session: s, Next: pfm.Step{Kind: pfm.StepRedirect, URL: w.URL, Once: true}}
		return err
	})
	return progress, err
}

type wireASPSP struct {
	Name    string `json:"name"`
	Country string `json:"country"`
}

// ContinueConsent implements pfm.Supplier. It exchanges the code with which the user comes
// back for a session. The code may be another user's, put into this user's address by somebody who
// wants to see other accounts: only the session says who has approved.
func (c *Client) ContinueConsent(
	ctx context.Context, bank pfm.BankEndpoint, _ pfm.ConsentRequest, s pfm.Session, a pfm.UserAnswer,
) (pfm.ConsentProgress, error) {
	code := a.Callback.Get("code")
	switch {
	case a.Callback.Get("error") == "access_denied":
		return pfm.ConsentProgress{Session: s, Consent: pfm.Consent{State: pfm.ConsentRejected}}, nil
	case code == "":
		return pfm.ConsentProgress{Session: s}, nil
	}
	var w bankwire.Object
	r := bankwire.Request{
		Operation: redeemCode, Method: http.MethodPost, URL: at(bank, "sessions"),
		Body: map[string]string{"code": code},
	}
	err := c.do(ctx, bank, r, &w, func() error {
		if s.ConsentID = bankwire.Get[string](w, "session_id"); !isIdentifier(s.ConsentID) {
			return bankwire.ErrMalformed
		}
		return nil
	})
	if e := pfm.FailureOf(err); e.Kind != "" {
		if e.Kind == pfm.SupplierInvalidResponse {
			// The code may have been used. Nobody knows its session, so the user starts again.
			e.Kind = pfm.SupplierRejected
		}
		return pfm.ConsentProgress{}, &e
	}
	attempt, err := c.recall(s)
	if err == nil {
		err = c.belongs(ctx, bank, s, attempt.PSU)
	}
	if err != nil {
		err = bankwire.Failure(redeemCode, pfm.SupplierRejected, err)
		return pfm.ConsentProgress{}, errors.Join(err, c.end(ctx, bank, s))
	}
	if s, err = c.remember(s, bankwire.Get[bankwire.List[bankwire.Object]](w, "accounts")); err != nil {
		return pfm.ConsentProgress{}, bankwire.Failure(redeemCode, pfm.SupplierRejected, err)
	}
	return pfm.ConsentProgress{
		Session: s, Consent: pfm.Consent{State: pfm.ConsentValid, ValidUntil: lastDay(w.At("access"))},
	}, nil
}

var errOthers = errors.New("the session belongs to another user or bank")

// belongs returns an error unless the session comes from the attempt of this user at this bank.
func (c *Client) belongs(ctx context.Context, bank pfm.BankEndpoint, s pfm.Session, psu string) error {
	w, err := c.session(ctx, bank, s)
	if err == nil && (psu == "" || w.PSU != psu || w.ASPSP != wireASPSP{bank.ASPSP.Name, bank.ASPSP.Country}) {
		err = errOthers
	}
	return err
}

// lastDay returns the last day on which the session is valid; empty if that is not told.
func lastDay(access bankwire.Object) pfm.Date {
	until, err := time.Parse(time.RFC3339, access.Text("valid_until"))
	if err != nil {
		return ""
	}
	return pfm.DateOf(until)
}

// wireSession is the answer of GET /sessions/{id}.
type wireSession struct {
	Status   string                         `json:"status"`
	PSU      string                         `json:"psu_id_hash"`
	ASPSP    wireASPSP                      `json:"aspsp"`
	Access   bankwire.Object                `json:"access"`
	Accounts []bankwire.Text                `json:"accounts"`
	Data     bankwire.List[bankwire.Object] `json:"accounts_data"`
	Closed   bankwire.Day                   `json:"closed"`
}

func (c *Client) session(ctx context.Context, bank pfm.BankEndpoint, s pfm.Session) (wireSession, error) {
	var w wireSession
	r := bankwire.Request{Operation: readConsent, URL: at(bank, "sessions", s.ConsentID)}
	err := c.do(ctx, bank, r, &w, nil)
	return w, err
}

// states are the states of a session in terms of the port.
var states = map[string]pfm.ConsentState{
	"PENDING_AUTHORIZATION": pfm.ConsentReceived,
	"RETURNED_FROM_BANK":    pfm.ConsentReceived,
	"AUTHORIZED":            pfm.ConsentValid,
	"CANCELLED":             pfm.ConsentRejected,
	"INVALID":               pfm.ConsentRejected,
	"REVOKED":               pfm.ConsentRevokedByPSU,
	"EXPIRED":               pfm.ConsentExpired,
	"CLOSED":                pfm.ConsentTerminatedByTPP,
}

// Consent implements pfm.Supplier.
func (c *Client) Consent(ctx context.Context, bank pfm.BankEndpoint, s pfm.Session) (pfm.Consent, error) {
	if c.isAttempt(s) {
		return pfm.Consent{}, bankwire.Failure(readConsent, pfm.SupplierConsentUnknown, nil)
	}
	w, err := c.session(ctx, bank, s)
	if err != nil {
		return pfm.Consent{}, err
	}
	state, known := states[w.Status]
	if !known {
		return pfm.Consent{}, bankwire.Failure(readConsent, pfm.SupplierInvalidResponse, bankwire.ErrMalformed)
	}
	return pfm.Consent{State: state, ValidUntil: lastDay(w.Access), LastAction: pfm.Date(w.Closed)}, nil
}

// EndConsent implements pfm.Supplier. An attempt ends by itself.
func (c *Client) EndConsent(ctx context.Context, bank pfm.BankEndpoint, s pfm.Session) error {
	if c.isAttempt(s) {
		return nil
	}
	return c.end(ctx, bank, s)
}

func (c *Client) end(ctx context.Context, bank pfm.BankEndpoint, s pfm.Session) error {
	err := c.do(ctx, bank, bankwire.Request{
		Operation: endConsent, Method: http.MethodDelete, URL: at(bank, "sessions", s.ConsentID),
		Header: userHeader(bank, s),
	}, nil, nil)
	switch pfm.FailureOf(err).BankCode {
	case "CLOSED_SESSION", "EXPIRED_SESSION", "REVOKED_SESSION", "SESSION_DOES_NOT_EXIST":
		return nil
	default:
		return err
	}
}

// RenewSession implements pfm.Supplier. A session cannot be renewed; what an older key has
// sealed is sealed again.
func (c *Client) RenewSession(_ context.Context, _ pfm.BankEndpoint, s pfm.Session) (pfm.Session, error) {
	return bankwire.Resealed(c.sealer, s), nil
}

func isWeb(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Hostname() != ""
}

// isIdentifier reports whether an ID can be part of an address.
func isIdentifier(s string) bool {
	isOdd := func(r rune) bool { return r <= ' ' || r > '~' }
	return s != "" && len(s) <= 100 && s != "." && s != ".." && !strings.ContainsFunc(s, isOdd)
}
