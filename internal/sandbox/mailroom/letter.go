package mailroom

import (
	"regexp"
	"slices"
	"time"
)

// Carrier is who was given a letter.
type Carrier string

// The carriers.
const (
	Post Carrier = "post"
	Fax  Carrier = "fax"
)

// Carriers are all there are.
func Carriers() []Carrier { return []Carrier{Post, Fax} }

// How is the way a letter goes.
type How string

// The ways.
const (
	Mail           How = "Mail"
	RegisteredMail How = "RegisteredMail"
	ByFax          How = "Fax"
)

// State is where a letter stands, in the words of its carrier.
type State string

// Keep is how long a letter is kept.
const Keep = 30 * 24 * time.Hour

// MaxDocument is the size of a document in bytes at most: with its letter it has
// to fit into DynamoDB, 400 KB an item.
const MaxDocument = 300 << 10

// Letter is what a carrier was given, on paper or by fax. Its JSON is what
// programs see of it; see wireLetter.
type Letter struct {
	// ID is a UUID of version 7, so that ids sort by time.
	ID      string  `json:"id"`
	Carrier Carrier `json:"carrier"`
	How     How     `json:"how"`
	State   State   `json:"state"`
	// To is the address or number as the carrier knows it.
	To string `json:"to"`
	// CancellationID is empty where the sender does not say.
	CancellationID string `json:"cancellationId"`
	FileName       string `json:"-"`
	Pages          int    `json:"pages"`
	HasFile        bool   `json:"-"`
	// Base is the public address under which it came, without a slash at the end.
	Base        string    `json:"-"`
	CreatedAt   time.Time `json:"createdAt"`
	UpdatedAt   time.Time `json:"updatedAt"`
	SubmittedAt time.Time `json:"-"`
	CompletedAt time.Time `json:"-"`
	History     []Entry   `json:"history"`
	Notices     []Notice  `json:"notices"`
	Fate        Fate      `json:"-"`
	// HeldUntil: until then it does not move by itself.
	HeldUntil time.Time `json:"heldUntil,omitzero"`
	Posted    Posted    `json:"-"`
	Faxed     Faxed     `json:"-"`
	// Version counts the writes.
	Version int `json:"-"`
}

// Entry is a state and since when.
type Entry struct {
	State State     `json:"state"`
	At    time.Time `json:"at"`
}

// Posted is what only letters on paper have, as the Pingen API names it.
type Posted struct {
	AddressPosition, DeliveryProduct, PrintMode, PrintSpectrum, SenderAddress, Country, TrackingNumber string
	AutoSend                                                                                           bool
}

// Faxed is what only faxes have, with the JSON of the Sinch Fax API.
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

// Notice is something that the service is noticeItem about a letter.
type Notice struct {
	ID string `json:"-"`
	// Event is the carrier's word: sent, FAX_COMPLETED.
	Event string `json:"event"`
	// State is the letter's when it happened; Code and Reason say why.
	State  State     `json:"-"`
	Code   string    `json:"-"`
	Reason string    `json:"-"`
	At     time.Time `json:"at"`
	// Attempts counts those that have ended, the last at LastAt with LastStatus,
	// which is zero where no answer came.
	Attempts     int       `json:"attempts"`
	Acknowledged bool      `json:"acknowledged"`
	LastStatus   int       `json:"lastStatus"`
	LastAt       time.Time `json:"-"`
}

// KeepUntil is when the letter is forgotten.
func (l Letter) KeepUntil() time.Time { return l.CreatedAt.Add(Keep) }

// Lost tells whether nothing will ever be heard of the letter.
func (l Letter) Lost() bool { return l.Fate == Lose }

// Enter takes the letter into a state.
func (l *Letter) SetState(s State, at time.Time) {
	l.State, l.UpdatedAt = s, at
	l.History = append(slices.Clip(l.History), Entry{s, at})
}

// Tell adds a notice about the letter as it stands.
func (l *Letter) AddNotice(id, event, code, reason string) {
	l.Notices = append(slices.Clip(l.Notices), Notice{ID: id, Event: event, State: l.State, Code: code, Reason: reason, At: l.UpdatedAt})
}

// notice is the index of a notice, and -1 where there is none.
func (l Letter) notice(id string) int {
	return slices.IndexFunc(l.Notices, func(n Notice) bool { return n.ID == id })
}

var uuidPattern = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// FindCancellation is the first UUID in what a sender wrote, or empty.
func FindCancellation(text string) string { return uuidPattern.FindString(text) }
