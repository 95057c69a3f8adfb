package mailroom

import (
	"regexp"
	"slices"
	"time"
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

// State is the state of a letter, as its carrier calls it.
type State string

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
	// CancellationID is empty if the sender does not specify it.
	CancellationID string `json:"cancellationId"`
	// Partner is empty if the sender does not specify it.
	Partner string `json:"-" dynamodbav:",omitempty"`
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
	Fate         Fate          `json:"-"`
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
	AddressPosition, DeliveryProduct, PrintMode, PrintSpectrum, SenderAddress, Country, TrackingNumber string
	AutoSend                                                                                           bool
}

// Faxed holds what only faxes have, with the JSON of the Sinch Fax API.
type Faxed struct {
	From              string            `json:"from,omitempty"`
	ContentURLs       []string          `json:"contentUrl,omitempty"`
	HeaderText        string            `json:"headerText,omitempty"`
	PlainHeader       bool              `json:"-"`
	HeaderTimeZone    string            `json:"headerTimeZone"`
	RetryDelaySeconds int               `json:"retryDelaySeconds"`
	Labels            map[string]string `json:"labels,omitempty"`
	CallbackURL       string            `json:"callbackUrl,omitempty"`
	CallbackType      string            `json:"callbackUrlContentType,omitempty"`
	ImageConversion   string            `json:"imageConversionMethod"`
	ErrorType         string            `json:"errorType,omitempty"`
	ErrorCode         int               `json:"errorCode,omitempty"`
	ErrorMessage      string            `json:"errorMessage,omitempty"`
	MaxRetries        int               `json:"maxRetries"`
	RetryCount        int               `json:"retryCount"`
	Resolution        string            `json:"resolution"`
	ServiceID         string            `json:"serviceId,omitempty"`
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

// KeepUntil returns when the letter expires.
func (l Letter) KeepUntil() time.Time { return l.CreatedAt.Add(Keep - l.CreatedAhead) }

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

// notice returns the index of a notice, or -1 if there is none.
func (l Letter) notice(id string) int {
	return slices.IndexFunc(l.Notices, func(n Notice) bool { return n.ID == id })
}

var uuidPattern = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// FindCancellation returns the first UUID in the text, or an empty string.
func FindCancellation(text string) string { return uuidPattern.FindString(text) }

var namedPattern = regexp.MustCompile(`^` + uuidPattern.String() + `\.([a-z0-9-]+)\.`)

// FindPartner returns the partner in a file name <cancellation>.<partner>.<more>, or an
// empty string.
func FindPartner(fileName string) string {
	found := namedPattern.FindStringSubmatch(fileName)
	if found == nil {
		return ""
	}
	return found[1]
}
