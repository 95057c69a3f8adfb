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

// endMargin is how long before the end of the requested day a session ends.
const endMargin = time.Hour

// maxSecret limits the data that a connection stores about a session. Accounts that do not fit are read from the
// bank.
const maxSecret = 8 << 10

// memory is the sealed content of a session's Secret: the account data from POST /sessions. Before that, the
// ConsentID is the ID of the attempt, and PSU is the digest that its session must have too.
type memory struct {
	PSU      string            `json:"psu,omitempty"`
	Accounts []pfm.BankAccount `json:"accounts"`
}

// isAttempt reports whether the user has not yet returned from the bank. The aggregator cannot return an attempt.
func (c *Client) isAttempt(s pfm.Session) bool {
	m, err := c.recall(s)
	return s.Secret == "" || err == nil && m.PSU != ""
}

func (c *Client) recall(s pfm.Session) (m memory, err error) {
	err = bankwire.Open(c.sealer, s, &m)
	return m, err
}

// remember returns the session with as many accounts in its Secret as fit. It leaves out everything that is not an
// account with an ID.
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

// RequestConsent implements pfm.Supplier. The session's ConsentID is the ID of the attempt.
func (c *Client) RequestConsent(
	ctx context.Context, bank pfm.BankEndpoint, req pfm.ConsentRequest,
) (pfm.ConsentProgress, error) {
	// The aggregator uses its own clock, and rejects periods longer than the bank allows.
	until := req.ValidUntil.AddDays(1).Time().Add(-endMargin)
	body := map[string]any{
		// Otherwise some banks show fewer accounts. Without the type, some banks let customers log in as companies.
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
		s, err := bankwire.Sealed(c.sealer, pfm.Session{ConnectionID: req.ConnectionID, ConsentID: w.AuthorizationID},
			memory{PSU: w.PSU})
		progress = pfm.ConsentProgress{Session: s, Next: pfm.Step{Kind: pfm.StepRedirect, URL: w.URL, Once: true}}
		return err
	})
	return progress, err
}

type wireASPSP struct {
	Name    string `json:"name"`
	Country string `json:"country"`
}

// ContinueConsent implements pfm.Supplier. It exchanges the user's code for a session. An attacker may have put
// another user's code into the address, to see that user's accounts: only the session shows who has approved.
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
			// The code may be used up. Its session is unknown, so the user must start again.
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

// belongs returns an error unless the session belongs to this user's attempt at this bank.
func (c *Client) belongs(ctx context.Context, bank pfm.BankEndpoint, s pfm.Session, psu string) error {
	w, err := c.session(ctx, bank, s)
	if err == nil && (psu == "" || w.PSU != psu || w.ASPSP != wireASPSP{bank.ASPSP.Name, bank.ASPSP.Country}) {
		err = errOthers
	}
	return err
}

// lastDay returns the last day on which the session is valid, or "" if it is unknown.
func lastDay(access bankwire.Object) pfm.Date {
	until, err := time.Parse(time.RFC3339, access.Text("valid_until"))
	if err != nil {
		return ""
	}
	return pfm.DateOf(until)
}

// wireSession is the response of GET /sessions/{id}.
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

// states maps the states of a session to those of the port.
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

// EndConsent implements pfm.Supplier. It does nothing for an attempt, which expires.
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

// RenewSession implements pfm.Supplier. A session cannot be renewed; the method only seals old data with the current
// key.
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
