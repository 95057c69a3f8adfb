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

// endMargin is how much earlier than the end of the requested day a session ends: the aggregator
// counts from its own clock, and refuses what is longer than the bank allows.
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

// remember returns the session with the accounts in its Secret, as many as fit in.
func (c *Client) remember(s pfm.Session, accounts []pfm.BankAccount) (pfm.Session, error) {
	m := memory{Accounts: []pfm.BankAccount{}}
	size := 0
	for _, a := range accounts {
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
	type access struct {
		ValidUntil   time.Time `json:"valid_until"`
		Balances     bool      `json:"balances"`
		Transactions bool      `json:"transactions"`
	}
	body := struct {
		Access      access    `json:"access"`
		ASPSP       wireASPSP `json:"aspsp"`
		State       string    `json:"state"`
		RedirectURL string    `json:"redirect_url"`
		PSUType     string    `json:"psu_type"`
		PSUID       string    `json:"psu_id"`
	}{
		// Some banks show fewer accounts without balances and transactions, and let
		// customers log in as companies if the type is not told.
		access{req.ValidUntil.AddDays(1).Time().Add(-endMargin), true, true},
		wireASPSP{bank.ASPSP.Name, bank.ASPSP.Country}, req.State, req.CallbackURL, "personal", req.ConnectionID,
	}
	var w struct {
		URL             string `json:"url"`
		AuthorizationID string `json:"authorization_id"`
		PSU             string `json:"psu_id_hash"`
	}
	var progress pfm.ConsentProgress
	err := c.do(ctx, request{
		bank: bank, op: requestConsent, method: http.MethodPost, path: []string{"auth"}, body: body,
	}, &w, func() error {
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
	var w struct {
		SessionID string                     `json:"session_id"`
		Access    wireAccess                 `json:"access"`
		Accounts  bankwire.List[wireAccount] `json:"accounts"`
	}
	err := c.do(ctx, request{
		bank: bank, op: redeemCode, method: http.MethodPost, path: []string{"sessions"},
		body: map[string]string{"code": code},
	}, &w, func() error {
		if !isIdentifier(w.SessionID) {
			return bankwire.ErrMalformed
		}
		return nil
	})
	if err != nil {
		return pfm.ConsentProgress{}, spent(err)
	}
	attempt, err := c.recall(s)
	s.ConsentID = w.SessionID
	if err == nil {
		err = c.belongs(ctx, bank, s, attempt.PSU)
	}
	if err != nil {
		return pfm.ConsentProgress{}, errors.Join(bankwire.Failure(redeemCode, pfm.SupplierRejected, 0, err), c.end(ctx, bank, s))
	}
	if s, err = c.remember(s, convert(w.Accounts)); err != nil {
		return pfm.ConsentProgress{}, bankwire.Failure(redeemCode, pfm.SupplierRejected, 0, err)
	}
	return pfm.ConsentProgress{
		Session: s, Consent: pfm.Consent{State: pfm.ConsentValid, ValidUntil: w.Access.day()},
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

// spent makes a failure final if the code may have been used: nobody knows its session, so
// the user starts again.
func spent(err error) error {
	var e *pfm.SupplierError
	if errors.As(err, &e) && e.Kind == pfm.SupplierInvalidResponse {
		e.Kind = pfm.SupplierRejected
	}
	return err
}

type wireAccess struct {
	ValidUntil text `json:"valid_until"`
}

// day returns the last day on which the session is valid; empty if that is not told.
func (w wireAccess) day() pfm.Date {
	until, err := time.Parse(time.RFC3339, string(w.ValidUntil))
	if err != nil {
		return ""
	}
	return pfm.DateOf(until)
}

// wireSession is the answer of GET /sessions/{id}.
type wireSession struct {
	Status   string                     `json:"status"`
	PSU      string                     `json:"psu_id_hash"`
	ASPSP    wireASPSP                  `json:"aspsp"`
	Access   wireAccess                 `json:"access"`
	Accounts []text                     `json:"accounts"`
	Data     bankwire.List[wireAccount] `json:"accounts_data"`
	Closed   day                        `json:"closed"`
}

func (c *Client) session(ctx context.Context, bank pfm.BankEndpoint, s pfm.Session) (wireSession, error) {
	var w wireSession
	err := c.do(ctx, request{
		bank: bank, op: readConsent, method: http.MethodGet, path: []string{"sessions", s.ConsentID},
	}, &w, nil)
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
		return pfm.Consent{}, bankwire.Failure(readConsent, pfm.SupplierConsentUnknown, 0, nil)
	}
	w, err := c.session(ctx, bank, s)
	if err != nil {
		return pfm.Consent{}, err
	}
	state, known := states[w.Status]
	if !known {
		return pfm.Consent{}, bankwire.Failure(readConsent, pfm.SupplierInvalidResponse, http.StatusOK, bankwire.ErrMalformed)
	}
	return pfm.Consent{State: state, ValidUntil: w.Access.day(), LastAction: pfm.Date(w.Closed)}, nil
}

// EndConsent implements pfm.Supplier. An attempt ends by itself.
func (c *Client) EndConsent(ctx context.Context, bank pfm.BankEndpoint, s pfm.Session) error {
	if c.isAttempt(s) {
		return nil
	}
	return c.end(ctx, bank, s)
}

func (c *Client) end(ctx context.Context, bank pfm.BankEndpoint, s pfm.Session) error {
	err := c.do(ctx, request{
		bank: bank, op: endConsent, method: http.MethodDelete, path: []string{"sessions", s.ConsentID},
		header: userHeader(bank, s),
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
