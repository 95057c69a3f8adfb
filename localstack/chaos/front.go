package main

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"aviso/localstack/chaos/history"
)

// frontFaults chooses what happens to the HTTP calls that go through the service's public
// address: those of clients, those that its functions make to banks and carriers, and the
// carriers' callbacks. Each kind has its own count.
type frontFaults struct {
	dice    *dice
	weather *weather

	mu   sync.Mutex
	rest map[string]int
}

func newFrontFaults(d *dice, w *weather) *frontFaults {
	return &frontFaults{dice: d, weather: w, rest: map[string]int{}}
}

// carrierTimeout is longer than the service waits for a carrier or a bank.
const carrierTimeout = 17 * time.Second

// kindOf says whose call it is, and how many calls of the kind lie between two faults.
func kindOf(path string) (kind string, least, most int) {
	switch {
	case strings.HasPrefix(path, "/sandbox/post/"), strings.HasPrefix(path, "/sandbox/fax/"):
		return "carrier", 4, 20
	case strings.HasPrefix(path, "/sandbox/banks/") && strings.Contains(path, "/v1/"):
		return "bank", 8, 40
	case strings.HasPrefix(path, "/carriers/v1/"):
		return "callback", 2, 8
	case strings.HasPrefix(path, "/sandbox/"):
		return "", 0, 0 // the user at the bank
	default:
		return "client", 10, 60
	}
}

// pick implements relay.pick.
func (f *frontFaults) pick(m message) fault {
	kind, least, most := kindOf(m.URL.Path)
	if kind == "" || !f.weather.bad() {
		return fault{}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.rest[kind]--; f.rest[kind] > 0 {
		return fault{}
	}
	f.rest[kind] = f.dice.between(least, most)
	var chosen fault
	switch kind {
	case "carrier", "bank":
		chosen = f.supplier(m)
	case "callback":
		chosen = pick(f.dice, []fault{
			{name: "twice", twice: true}, {name: "twice", twice: true},
			{name: "late", wait: f.dice.wait(time.Second, 5*time.Second)},
			{name: "cut before the effect", lost: true, cut: true},
			{name: "cut after the effect", cut: true},
		})
	default:
		chosen = pick(f.dice, []fault{
			{name: "cut before the effect", lost: true, cut: true},
			{name: "cut after the effect", cut: true}, {name: "cut after the effect", cut: true},
			{name: "delayed", wait: f.dice.wait(100*time.Millisecond, 2*time.Second)},
		})
	}
	chosen.name += " " + kind
	return chosen
}

func (f *frontFaults) supplier(m message) fault {
	failing := &answer{status: http.StatusServiceUnavailable, header: http.Header{}}
	busy := &answer{status: http.StatusTooManyRequests, header: http.Header{"Retry-After": {"20"}}}
	faults := []fault{
		{name: "cut before the effect", lost: true, cut: true},
		{name: "cut after the effect", cut: true},
		{name: "503 before the effect", lost: true, instead: failing},
		{name: "503 after the effect", instead: failing},
		{name: "429 before the effect", lost: true, instead: busy},
		{name: "delayed", wait: f.dice.wait(time.Second, 4*time.Second)},
		{name: "answered after the time-out", hold: carrierTimeout},
		{name: "hanging", lost: true, wait: carrierTimeout, cut: true},
	}
	if m.Method == http.MethodGet {
		faults = append(faults, fault{name: "asked twice", twice: true})
	}
	return pick(f.dice, faults)
}

// counter notes the letters that the post office and the fax gateway accept. A carrier
// whose own storage lost an answer may accept a letter and say that it failed, and one that
// is killed says nothing; then what it later says about the letter counts.
type counter struct {
	book *history.Book
	// since returns when in the run something happened.
	since func(time.Time) time.Duration

	mu sync.Mutex
	// cancellationOf is by letter, as the post office knows them.
	cancellationOf map[string]string
	// noted are the carriers' IDs of the letters that were noted; refused is when a
	// cancellation's letter was handed over with an error or nothing for an answer.
	noted   map[string]bool
	refused map[string]time.Time
}

const letters = "/deliveries/letters"

var (
	uuidAtStart = regexp.MustCompile(`^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`)
	letterSent  = regexp.MustCompile(letters + `/([^/]+)/send$`)
	letterRead  = regexp.MustCompile(letters + `/([^/]+)$`)
)

// passed implements relay.passed.
func (c *counter) passed(m message, a answer) {
	path := m.URL.Path
	isFax := strings.HasPrefix(path, "/sandbox/fax/") && strings.Contains(path, "/faxes")
	if kind, _, _ := kindOf(path); kind == "callback" {
		c.reported(m)
		return
	}
	if a.status < 200 || a.status > 299 {
		c.failed(m)
		return
	}
	switch {
	case m.Method == http.MethodPost && strings.HasSuffix(path, letters):
		c.created(m, a)
	case m.Method == http.MethodPatch && letterSent.MatchString(path):
		id := letterSent.FindStringSubmatch(path)[1]
		c.note(history.Letter{Cancellation: c.about(id), Channel: "Post", Carrier: id}, m.arrived)
	case m.Method == http.MethodGet && letterRead.MatchString(path):
		id := letterRead.FindStringSubmatch(path)[1]
		if submitted(a.body) {
			c.seen("Post", c.about(id), id, m.arrived)
		}
	case isFax && m.Method == http.MethodPost:
		c.note(history.Letter{
			Cancellation: faxOf(m.body).Labels.CancellationID, Channel: "Fax", Carrier: faxOf(a.body).ID,
		}, m.arrived)
	case isFax:
		for _, f := range faxesIn(a.body) {
			c.seen("Fax", f.Labels.CancellationID, f.ID, m.arrived)
		}
	}
}

// reported notes a letter that the post office reports as sent.
func (c *counter) reported(m message) {
	var report struct {
		Data struct {
			Type          string
			Relationships struct {
				Deliverable struct{ Data struct{ ID string } }
			}
		}
	}
	_ = json.Unmarshal(m.body, &report) // other callbacks have no such members
	if kind := report.Data.Type; strings.Contains(kind, "sent") || strings.Contains(kind, "delivered") {
		id := report.Data.Relationships.Deliverable.Data.ID
		c.seen("Post", c.about(id), id, m.arrived)
	}
}

// failed remembers when a letter was handed over that the carrier did not say it took.
func (c *counter) failed(m message) {
	cancellation := faxOf(m.body).Labels.CancellationID
	if sent := letterSent.FindStringSubmatch(m.URL.Path); sent != nil {
		cancellation = c.about(sent[1])
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if cancellation != "" {
		c.refused[cancellation] = m.arrived
	}
}

// about returns the cancellation of a letter at the post office.
func (c *counter) about(letter string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cancellationOf[letter]
}

type fax struct {
	ID     string
	Labels struct{ CancellationID string }
}

func faxOf(body []byte) (f fax) {
	_ = json.Unmarshal(body, &f) // other bodies have no such members
	return f
}

// faxesIn returns the fax, or the list of faxes, in an answer.
func faxesIn(body []byte) []fax {
	var list struct{ Faxes []fax }
	_ = json.Unmarshal(body, &list)
	if one := faxOf(body); one.ID != "" {
		return []fax{one}
	}
	return list.Faxes
}

// submitted reports whether the post office says that it was told to send the letter.
func submitted(body []byte) bool {
	var l struct {
		Data struct{ Attributes struct{ Status string } }
	}
	return json.Unmarshal(body, &l) == nil && !slices.Contains(
		[]string{"", "validating", "fixing", "valid", "action_required", "invalid", "expired"}, l.Data.Attributes.Status)
}

// created learns which cancellation a letter is about. Its file is named after it.
func (c *counter) created(m message, a answer) {
	var sent struct {
		Data struct {
			Attributes struct {
				Name string `json:"file_original_name"`
			}
		}
	}
	var got struct{ Data struct{ ID string } }
	if json.Unmarshal(m.body, &sent) != nil || json.Unmarshal(a.body, &got) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cancellationOf[got.Data.ID] = uuidAtStart.FindString(sent.Data.Attributes.Name)
}

// seen notes a letter that a carrier has, if it is not noted yet: by the time of the call
// that seemed to fail.
func (c *counter) seen(channel, cancellation, id string, at time.Time) {
	c.mu.Lock()
	if earlier, ok := c.refused[cancellation]; ok {
		at = earlier
	}
	c.mu.Unlock()
	if cancellation != "" {
		c.note(history.Letter{Cancellation: cancellation, Channel: channel, Carrier: id}, at)
	}
}

// note notes a letter once, by the time at which it was handed over, before anything held
// it up.
func (c *counter) note(l history.Letter, at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.noted[l.Carrier] {
		return
	}
	c.noted[l.Carrier] = true
	l.At = c.since(at)
	history.Note(c.book, func(h *history.History) *[]history.Letter { return &h.Letters }, l)
}
