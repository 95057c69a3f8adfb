// Package mailroom simulates what carriers do with what Aviso sends: the post office, the fax
// gateway and, as far as the sandbox sees it, the mail. It stores what arrived, takes it
// through its states as time passes, notifies the service, and shows it to a developer, who can
// choose what happens to each letter and answer for its recipient. PostOffice and FaxGateway
// are the interfaces of the carriers.
//
// # Time
//
// The sandbox is a Lambda function: nothing runs between two calls. A later change is
// scheduled as a Step, which a queue delivers when it is due; see Processor. A step
// names the state that it ends. If it arrives twice or too late, the letter is already
// in another state and nothing changes.
//
// # The pages
//
// /sandbox/letters lists mail, letters and faxes of the last 30 days, newest first, and has
// a form for the behaviour with new ones. Each letter has its own page, with its document
// and forms that choose what happens to it. /sandbox/replies lists what waits for an answer of
// its organization, and sends the answer to the service's /carriers/v1/replies.
// docs/sandbox.md lists the forms and the JSON for programs.
//
// The cancellation and the partner are known if the sender names them: a fax in the labels
// cancellationId and partnerId, a letter in its file_original_name, which starts with
// <cancellationId>.<partnerId>. (a UUID anywhere in the name is a cancellation, too).
//
// # Whose letters
//
// On a developer's own machine everybody sees all letters. In an environment that partners
// share, a visitor signs in as a partner (Desk) and sees only its letters. Any
// other letter is not found. The partner's behaviours apply to its own new letters; those
// of the whole interface (throttle, fail, hang) cannot be chosen there. Without a session
// a GET or POST is answered with 303 to the page to sign in, or with 401 if it accepts
// JSON.
package mailroom

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"time"

	"aviso/internal/sandbox/sandboxdb"
)

// Carrier is the recipient of a letter.
type Carrier string

// These are the carriers. SES is not simulated here: the sandbox gets copies of its mail.
const (
	Post  Carrier = "post"
	Fax   Carrier = "fax"
	Email Carrier = "email"
)

// Carriers returns the carriers whose behaviour can be chosen.
func Carriers() []Carrier { return []Carrier{Post, Fax} }

// How is the delivery method of a letter.
type How string

// These are the delivery methods.
const (
	Mail           How = "Mail"
	RegisteredMail How = "RegisteredMail"
	ByFax          How = "Fax"
	ByEmail        How = "Email"
)

// Keep is how long a letter is stored.
const Keep = 30 * 24 * time.Hour

// MaxDocument is the maximum size of a document in bytes: it has to fit into a DynamoDB
// item of 400 KB.
const MaxDocument = 300 << 10

// Letter is what left Aviso for an organization: a letter on paper, a fax or a mail. For
// its JSON see wireLetter.
type Letter struct {
	// ID is a UUID of version 7, so that IDs sort by time.
	ID      string  `json:"id"`
	Carrier Carrier `json:"carrier"`
	How     How     `json:"how"`
	State   State   `json:"state"`
	// To is the address or number as the carrier sees it.
	To string `json:"to"`
	// CancellationID and Partner are empty if the sender does not specify them.
	CancellationID string `json:"cancellationId"`
	Partner        string `json:"-" dynamodbav:",omitempty"`
	// Subject and Text are those of a mail.
	Subject string `json:"subject,omitempty" dynamodbav:",omitempty"`
	Text    string `json:"-" dynamodbav:",omitempty"`
	// Reply is what the organization has answered; empty if nothing yet.
	Reply    string `json:"reply,omitempty" dynamodbav:",omitempty"`
	FileName string `json:"-"`
	Pages    int    `json:"pages"`
	HasFile  bool   `json:"-"`
	// Base is the public address under which it arrived, without a trailing slash.
	Base string `json:"-"`
	// Ahead is how far the time of the letter's user is ahead of real time, and CreatedAhead how
	// far it was when the letter arrived. All other times are the user's.
	Ahead        time.Duration `json:"-" dynamodbav:",omitempty"`
	CreatedAhead time.Duration `json:"-" dynamodbav:",omitempty"`
	CreatedAt    time.Time     `json:"createdAt"`
	UpdatedAt    time.Time     `json:"updatedAt"`
	SubmittedAt  time.Time     `json:"-"`
	CompletedAt  time.Time     `json:"-"`
	History      []Entry       `json:"history"`
	Notices      []Notice      `json:"notices"`
	// Fate is what a developer has chosen for it: Reject, Bounce, Lose, or nothing.
	Fate Behaviour `json:"-"`
	// HeldUntil is the time before which it does not advance on its own.
	HeldUntil time.Time `json:"heldUntil,omitzero"`
	Posted    Posted    `json:"-"`
	Faxed     Faxed     `json:"-"`
	// Version counts the writes of the record.
	Version int `json:"-"`
}

// Entry is a state and when it began.
type Entry struct {
	State State     `json:"state"`
	At    time.Time `json:"at"`
}

// Posted holds what only letters on paper have, as the Pingen API calls it.
type Posted struct {
	AddressPosition, DeliveryProduct, PrintMode, PrintSpectrum, Country, TrackingNumber string
	AutoSend                                                                            bool
	// Upload is the ID of the document that was uploaded, and Answers are those of the answers
	// that are kept.
	Upload  string   `dynamodbav:",omitempty"`
	Answers []string `dynamodbav:",omitempty"`
}

// Faxed holds what only faxes have, with the JSON of the Sinch Fax API.
type Faxed struct {
	From           string            `json:"from,omitempty"`
	HeaderTimeZone string            `json:"headerTimeZone"`
	Labels         map[string]string `json:"labels,omitempty"`
	CallbackURL    string            `json:"callbackUrl,omitempty"`
	CallbackType   string            `json:"callbackUrlContentType,omitempty"`
	ErrorType      string            `json:"errorType,omitempty"`
	ErrorCode      int               `json:"errorCode,omitempty"`
	ErrorMessage   string            `json:"errorMessage,omitempty"`
	MaxRetries     int               `json:"maxRetries"`
	RetryCount     int               `json:"retryCount"`
	Resolution     string            `json:"resolution"`
	ServiceID      string            `json:"serviceId,omitempty"`
}

// Notice is a notification to the service about a letter.
type Notice struct {
	ID string `json:"-"`
	// Event is the carrier's name of the event: sent, FAX_COMPLETED.
	Event string `json:"event"`
	// State is the letter's state at that time; Code and Reason give the cause.
	State  State     `json:"-"`
	Code   string    `json:"-"`
	Reason string    `json:"-"`
	At     time.Time `json:"at"`
	// Attempts counts the completed attempts. The last one was at LastAt and returned
	// LastStatus, which is zero if there was no response.
	Attempts     int       `json:"attempts"`
	Acknowledged bool      `json:"acknowledged"`
	LastStatus   int       `json:"lastStatus"`
	LastAt       time.Time `json:"-"`
}

// Key puts all letters into one partition, sorted by ID and so by time, because a sandbox
// receives few of them.
func (l Letter) Key() sandboxdb.Key { return sandboxdb.Key{PK: "LETTERS", SK: l.ID} }

// KeepUntil returns when the letter expires.
func (l Letter) KeepUntil() time.Time { return l.CreatedAt.Add(Keep - l.CreatedAhead) }

// Next implements sandboxdb.Versioned.
func (l Letter) Next() (sandboxdb.Record, int) { l.Version++; return l, l.Version - 1 }

// Lost reports whether the letter's state never changes again.
func (l Letter) Lost() bool { return l.Fate == Lose }

// SetState changes the letter's state.
func (l *Letter) SetState(s State, at time.Time) {
	l.State, l.UpdatedAt = s, at
	l.History = append(slices.Clip(l.History), Entry{s, at})
}

// AddNotice adds a notice about the letter's current state.
func (l *Letter) AddNotice(id, event, code, reason string) {
	l.Notices = append(slices.Clip(l.Notices),
		Notice{ID: id, Event: event, State: l.State, Code: code, Reason: reason, At: l.UpdatedAt})
}

var (
	uuidPattern  = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	namedPattern = regexp.MustCompile(`^` + uuidPattern.String() + `\.([a-z0-9-]+)\.`)
)

// FindCancellation returns the first UUID in the text, or an empty string.
func FindCancellation(text string) string { return uuidPattern.FindString(text) }

// FindPartner returns the partner in a file name <cancellation>.<partner>.<more>, or an
// empty string.
func FindPartner(fileName string) string {
	if found := namedPattern.FindStringSubmatch(fileName); found != nil {
		return found[1]
	}
	return ""
}

// Document is the PDF of a letter, or of an upload without a letter yet. It is not in the
// partition that is listed.
type Document struct {
	// LetterID is the ID of the letter or of the upload.
	LetterID string
	Content  []byte
	Forget   time.Time
}

// Key implements sandboxdb.Record.
func (d Document) Key() sandboxdb.Key {
	return sandboxdb.Key{PK: "LETTER#" + d.LetterID, SK: "DOCUMENT"}
}

// KeepUntil returns when the document expires.
func (d Document) KeepUntil() time.Time { return d.Forget }

// Answer is the stored response to a request with an idempotency key. The first one is kept.
type Answer struct {
	// ID is a digest of the key, Request a digest of the request.
	ID, Request string
	Status      int
	Body        []byte
	Forget      time.Time
}

// Key implements sandboxdb.Record.
func (a Answer) Key() sandboxdb.Key { return sandboxdb.Key{PK: "ANSWER#" + a.ID, SK: "ANSWER"} }

// KeepUntil returns when the answer expires.
func (a Answer) KeepUntil() time.Time { return a.Forget }

// Next implements sandboxdb.Versioned.
func (a Answer) Next() (sandboxdb.Record, int) { return a, 0 }

// Behaviour is how a carrier treats new letters or its callers.
type Behaviour string

// These are the behaviours. Reject, Bounce and Lose are also what can happen to one letter.
const (
	Normal   Behaviour = "normal"
	Reject   Behaviour = "reject"
	Bounce   Behaviour = "bounce"
	Delay    Behaviour = "delay"
	Lose     Behaviour = "lose"
	Throttle Behaviour = "throttle"
	Fail     Behaviour = "fail"
	Hang     Behaviour = "hang"
)

// Setting is the behaviour of a carrier and when it ends. Partner is empty if it is the
// behaviour with everybody.
type Setting struct {
	Carrier   Carrier   `json:"carrier"`
	Partner   string    `json:"-" dynamodbav:",omitempty"`
	Behaviour Behaviour `json:"behaviour"`
	Until     time.Time `json:"until,omitzero"`
}

// Key implements sandboxdb.Record.
func (s Setting) Key() sandboxdb.Key {
	key := sandboxdb.Key{PK: "CARRIERS", SK: string(s.Carrier)}
	if s.Partner != "" {
		key.SK += "#" + s.Partner
	}
	return key
}

// KeepUntil returns when the setting expires.
func (s Setting) KeepUntil() time.Time { return s.Until }

// Store stores what arrived.
type Store struct{ *sandboxdb.Store }

// Letter reads a letter.
func (s Store) Letter(ctx context.Context, id string) (Letter, error) {
	l, err := sandboxdb.Get(ctx, s.Store, Letter{ID: id})
	if err != nil {
		return l, fmt.Errorf("read letter: %w", err)
	}
	return l, nil
}

// Letters returns at most limit letters whose IDs sort before this one (empty: all), newest
// first, of those that are wanted (nil: all).
func (s Store) Letters(ctx context.Context, before string, limit int, wanted func(Letter) bool) ([]Letter, error) {
	letters, err := sandboxdb.List(ctx, s.Store, Letter{}.Key().PK, before, limit, wanted)
	if err != nil {
		return nil, fmt.Errorf("list letters: %w", err)
	}
	return letters, nil
}

// From accepts the letters of one partner, or (empty) all.
func From(partner string) func(Letter) bool {
	return func(l Letter) bool { return partner == "" || l.Partner == partner }
}
