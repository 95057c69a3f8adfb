package aggregator

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/persona"
	"aviso/internal/sandbox/sandboxdb"
)

// redeem exchanges a code for a session, once.
func (s *server) redeem(r *http.Request, app Application) (any, error) {
	var body struct {
		Code string `json:"code"`
	}
	if err := readJSON(r, &body); err != nil {
		return nil, err
	}
	wrong := refuse(http.StatusUnprocessableEntity, "WRONG_AUTHORIZATION_CODE", "Wrong authorization code provided")
	id, _, _ := strings.Cut(body.Code, ".")
	a, err := read(r.Context(), s, attempt{ID: id}, wrong)
	switch {
	case err != nil:
		return nil, err
	case a.Code == "" || a.Code != body.Code || a.Application != app.ID:
		return nil, wrong
	case a.Session != "":
		return nil, refuse(http.StatusUnprocessableEntity, "ALREADY_AUTHORIZED", "Session is already authorized")
	}
	made := session{
		ID: s.NewID(), Application: app.ID, Name: a.Name, Country: a.Country, Persona: a.Persona, Status: "AUTHORIZED", PSU: a.PSU,
		ValidUntil: a.ValidUntil, Created: s.now(r),
	}
	a.Session = made.ID
	records := []sandboxdb.Record{a, made}
	accounts := []any{}
	for _, acc := range made.accounts() {
		uid := made.uid(acc)
		records = append(records, lookup{uid, made.ID, acc.Key, made.KeepUntil()})
		accounts = append(accounts, made.wire(acc))
	}
	err = s.Store.Save(r.Context(), records...)
	if errors.Is(err, outcome.ErrChanged) {
		return nil, refuse(http.StatusUnprocessableEntity, "ALREADY_AUTHORIZED", "Session is already authorized")
	}
	return map[string]any{
		"session_id": made.ID, "aspsp": made.aspsp(), "psu_type": "personal", "access": made.access(),
		// A closed account has no uid.
		"accounts": append(accounts, map[string]any{"uid": nil, "identification_hash": hash("closed"), "currency": "EUR"}),
	}, err
}

func (s session) aspsp() map[string]string {
	return map[string]string{"name": s.Name, "country": s.Country}
}

func (s session) access() map[string]any {
	return map[string]any{"valid_until": s.ValidUntil.Format("2006-01-02T15:04:05.000000-07:00"), "accounts": nil}
}

// accounts returns the persona's accounts at the bank.
func (s session) accounts() []persona.Account {
	bank, _ := find(s.Name, s.Country)
	p, _ := persona.Find(s.Persona)
	return p.Accounts(bank.Branch)
}

// uid identifies an account in this session only.
func (s session) uid(acc persona.Account) string {
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte(s.ID+"/"+acc.Key)).String()
}

// hash identifies an account for good. It covers the IBAN only, so accounts in two
// currencies may share it.
func hash(number string) string {
	sum := sha256.Sum256([]byte(number))
	return base64.StdEncoding.EncodeToString([]byte("account_id.iban")) + "." + base64.StdEncoding.EncodeToString(sum[:])
}

// wire returns an account as the API does.
func (s session) wire(acc persona.Account) map[string]any {
	p, _ := persona.Find(s.Persona)
	number, scheme := acc.IBAN, "IBAN"
	id := map[string]any{"iban": acc.IBAN, "other": nil}
	if acc.IBAN == "" {
		number, scheme = acc.MaskedPAN, "CPAN"
		id = map[string]any{"iban": nil, "other": map[string]any{"identification": number, "scheme_name": scheme}}
	}
	return map[string]any{
		"uid": s.uid(acc), "identification_hash": hash(number), "identification_hashes": []string{hash(number)},
		"account_id": id, "account_servicer": nil, "credit_limit": nil,
		"all_account_ids": []map[string]any{{"identification": number, "scheme_name": scheme, "issuer": nil}},
		"name":            p.Name, "details": acc.Name, "product": acc.Product, "usage": "PRIV",
		"cash_account_type": acc.Kind, "currency": acc.Currency,
	}
}

// session returns the session in the path, with its status now.
func (s *server) session(r *http.Request, app Application, id string) (session, error) {
	found, err := read(r.Context(), s, session{ID: id},
		refuse(http.StatusNotFound, "SESSION_DOES_NOT_EXIST", "Session does not exist"))
	if err == nil && found.Application != app.ID {
		err = refuse(http.StatusUnauthorized, "UNAUTHORIZED_ACCESS", "Unauthorized access")
	}
	if found.Status == "AUTHORIZED" && !s.now(r).Before(found.ValidUntil) {
		found.Status = "EXPIRED"
	}
	return found, err
}

func (s *server) getSession(r *http.Request, app Application) (any, error) {
	found, err := s.session(r, app, r.PathValue("session"))
	if err != nil {
		return nil, err
	}
	uids, data := []any{}, []map[string]any{}
	for _, acc := range found.accounts() {
		w := found.wire(acc)
		uids = append(uids, w["uid"])
		data = append(data, map[string]any{
			"uid": w["uid"], "identification_hash": w["identification_hash"],
			"identification_hashes": w["identification_hashes"],
		})
	}
	var closed *time.Time
	if !found.Closed.IsZero() {
		closed = &found.Closed
	}
	return map[string]any{
		"status": found.Status, "accounts": uids, "accounts_data": data, "aspsp": found.aspsp(), "psu_type": "personal",
		"psu_id_hash": found.PSU, "access": found.access(), "created": found.Created, "authorized": found.Created,
		"closed": closed,
	}, nil
}

func (s *server) deleteSession(r *http.Request, app Application) (any, error) {
	found, err := s.session(r, app, r.PathValue("session"))
	if err != nil {
		return nil, err
	}
	if err := found.ended(http.StatusBadRequest); err != nil {
		return nil, err
	}
	return map[string]string{"message": "OK"}, s.end(r, found, "CLOSED")
}

func (s *server) end(r *http.Request, found session, status string) error {
	found.Status, found.Closed = status, s.now(r)
	return s.Store.Save(r.Context(), found)
}

// ended returns the refusal of a session that is over.
func (s session) ended(closed int) error {
	switch s.Status {
	case "AUTHORIZED":
		return nil
	case "EXPIRED":
		return refuse(http.StatusUnauthorized, "EXPIRED_SESSION", "Session is expired")
	case "REVOKED":
		return refuse(http.StatusUnauthorized, "REVOKED_SESSION", "Session is revoked")
	default:
		return refuse(closed, "CLOSED_SESSION", "Session is closed")
	}
}

const (
	// attemptLife is how long a user may take to decide.
	attemptLife = 30 * time.Minute
	// keepEnded is how long a session is known after its end.
	keepEnded = 30 * 24 * time.Hour
	// keepApplication is how long an application is known without being registered again.
	keepApplication = 365 * 24 * time.Hour
)

func key(kind, id string) sandboxdb.Key {
	return sandboxdb.Key{PK: "AGGREGATOR#" + kind + "#" + id, SK: kind}
}

// Application is a client of the API.
type Application struct {
	ID string
	// PublicKey is in PKIX, DER.
	PublicKey    []byte
	RedirectURLs []string
	Registered   time.Time
}

// Key returns the key of the record.
func (a Application) Key() sandboxdb.Key { return key("APPLICATION", a.ID) }

// KeepUntil returns when the record expires.
func (a Application) KeepUntil() time.Time { return a.Registered.Add(keepApplication) }

// attempt is an authorisation that a user decides on.
type attempt struct {
	ID, Application    string
	PSU                string // the digest of the user's ID
	Name, Country      string
	State, RedirectURL string
	ValidUntil         time.Time
	Started            time.Time
	// Code is what the user brings back; empty until the user has agreed. Session is set
	// once the code is used.
	Code, Persona, Session string
	Decided                bool
	Version                int
}

// Key returns the key of the record.
func (a attempt) Key() sandboxdb.Key { return key("ATTEMPT", a.ID) }

// Next implements sandboxdb.Versioned.
func (a attempt) Next() (sandboxdb.Record, int) { a.Version++; return a, a.Version - 1 }

// KeepUntil returns when the record expires.
func (a attempt) KeepUntil() time.Time { return a.Started.Add(attemptLife) }

// session is what gives access to accounts.
type session struct {
	ID, Application string
	PSU             string
	Name, Country   string
	Persona         string
	Status          string
	ValidUntil      time.Time
	Created, Closed time.Time
	Version         int
}

// Key returns the key of the record.
func (s session) Key() sandboxdb.Key { return key("SESSION", s.ID) }

// Next implements sandboxdb.Versioned.
func (s session) Next() (sandboxdb.Record, int) { s.Version++; return s, s.Version - 1 }

// KeepUntil returns when the record expires.
func (s session) KeepUntil() time.Time { return s.ValidUntil.Add(keepEnded) }

// lookup finds the session of an account, because data calls do not name the session.
type lookup struct {
	// UID identifies the account in the session only.
	UID              string `dynamodbav:"-"`
	Session, Account string
	Until            time.Time
}

// Key returns the key of the record.
func (l lookup) Key() sandboxdb.Key { return key("ACCOUNT", l.UID) }

// KeepUntil returns when the record expires.
func (l lookup) KeepUntil() time.Time { return l.Until }

func callKey(uid, call string, day persona.Day) sandboxdb.Key {
	return sandboxdb.Key{PK: lookup{UID: uid}.Key().PK, SK: "CALLS#" + day.String() + "#" + call}
}
