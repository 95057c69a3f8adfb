package listen

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode"
)

// callback is a callback that has arrived.
type callback struct {
	at   time.Time
	body []byte
	// verified says whether the signature is right, or why not.
	verified string
	// delivery counts the event's deliveries from 1; it is 0 for a callback that was not
	// verified.
	delivery int
}

// screen prints callbacks, one at a time.
type screen struct {
	mu  sync.Mutex
	out io.Writer
	// json says to print a line of JSON for each callback, and nothing else.
	json bool
}

// indent goes before the lines below a callback's headline.
const indent = "          "

// callback prints a callback and its response.
func (s *screen) callback(c callback, answer reply, took time.Duration) {
	if s.json {
		s.line(c, answer)
		return
	}
	var b strings.Builder
	b.WriteString("\n" + c.headline() + "\n")
	b.WriteString(indent + c.verified + c.repetition() + "\n")
	b.WriteString(indent + pretty(c.body) + "\n")
	fmt.Fprintf(&b, "%s→ %d %s (%s)", indent, answer.status, answer.text, took.Round(time.Millisecond))
	s.print(b.String())
}

// line prints a callback as a line of JSON.
func (s *screen) line(c callback, answer reply) {
	event := json.RawMessage(c.body)
	if !json.Valid(c.body) {
		event, _ = json.Marshal(string(c.body)) // cannot fail
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = json.NewEncoder(s.out).Encode(map[string]any{
		"receivedAt": c.at, "isVerified": c.delivery > 0, "signature": c.verified, "attempt": c.delivery,
		"event": event, "status": answer.status, "answer": answer.text,
	})
}

// hanging prints a callback whose response is held back.
func (s *screen) hanging(c callback) {
	s.print(fmt.Sprintf("\n%s\n%swaiting %s before responding (--hang)", c.headline(), indent, hangFor))
}

// abandoned prints that the caller no longer waits for the response.
func (s *screen) abandoned(c callback, after time.Duration) {
	s.print(fmt.Sprintf("\n%s\n%sthe caller gave up after %s", c.headline(), indent, after.Round(time.Second)))
}

// returned prints that a user has returned from a bank.
func (s *screen) returned(at time.Time, connectionID, status string) {
	s.print(fmt.Sprintf("\n%s  a user has returned\n%sconnectionId %s, status %s",
		clockTime(at), indent, connectionID, status))
}

// print replaces unprintable characters, because the text may come from strangers and
// must not control the terminal.
func (s *screen) print(text string) {
	if s.json {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = fmt.Fprintln(s.out, strings.Map(func(r rune) rune {
		if r != '\n' && !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text))
}

// headline returns the event's time, type and ID.
func (c callback) headline() string {
	var e struct {
		EventID     string `json:"eventId"`
		EventType   string `json:"eventType"`
		IsSimulated bool   `json:"isSimulated"`
	}
	_ = json.Unmarshal(c.body, &e) // anything else shows as an event without a type
	line := clockTime(c.at) + "  " + cmp.Or(e.EventType, "(no eventType)") + "  " + cmp.Or(e.EventID, "(no eventId)")
	if e.IsSimulated {
		line += "  simulated"
	}
	return line
}

// repetition says which attempt this seems to be.
func (c callback) repetition() string {
	switch c.delivery {
	case 0:
		return ""
	case 1:
		return ", attempt 1"
	default:
		return fmt.Sprintf(", attempt %d: this eventId has arrived before", c.delivery)
	}
}

func pretty(body []byte) string {
	var b bytes.Buffer
	if err := json.Indent(&b, body, indent, "  "); err != nil {
		return fmt.Sprintf("not JSON: %q", body)
	}
	return b.String()
}

func clockTime(at time.Time) string { return at.Format("15:04:05") }
