package main

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

// callback is what has arrived.
type callback struct {
	at   time.Time
	body []byte
	// verified tells whether the signature is right, or why not.
	verified string
	// delivery counts the times that the event has come, from 1 on; 0 where the
	// callback was not verified.
	delivery int
}

// screen shows callbacks, one at a time.
type screen struct {
	mu  sync.Mutex
	out io.Writer
}

// indent is that of what belongs to a callback.
const indent = "          "

// callback shows one with what was answered.
func (s *screen) callback(c callback, answer reply, took time.Duration) {
	var b strings.Builder
	b.WriteString("\n" + c.headline() + "\n")
	b.WriteString(indent + c.verified + c.repetition() + "\n")
	b.WriteString(indent + pretty(c.body) + "\n")
	fmt.Fprintf(&b, "%s→ %d %s (%s)", indent, answer.status, answer.text, took.Round(time.Millisecond))
	s.print(b.String())
}

// hanging tells that a callback waits for its answer.
func (s *screen) hanging(c callback) {
	s.print(fmt.Sprintf("\n%s\n%sis kept waiting for %s (--hang)", c.headline(), indent, hangFor))
}

// abandoned tells that nobody waits for the answer any more.
func (s *screen) abandoned(c callback, after time.Duration) {
	s.print(fmt.Sprintf("\n%s\n%swas given up by the caller after %s", c.headline(), indent, after.Round(time.Second)))
}

// returned tells that a user has come back from a bank.
func (s *screen) returned(at time.Time, connectionID, status string) {
	s.print(fmt.Sprintf("\n%s  a user has come back\n%sconnectionId %s, status %s", clockTime(at), indent, connectionID, status))
}

// print takes what strangers have sent as well: nothing in it may steer the
// terminal.
func (s *screen) print(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, _ = fmt.Fprintln(s.out, strings.Map(func(r rune) rune {
		if r != '\n' && !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text))
}

// headline is time, type and id of the event.
func (c callback) headline() string {
	var e struct {
		EventID     string `json:"eventId"`
		EventType   string `json:"eventType"`
		IsSimulated bool   `json:"isSimulated"`
	}
	_ = json.Unmarshal(c.body, &e) // what is no event shows as none
	line := clockTime(c.at) + "  " + cmp.Or(e.EventType, "(no eventType)") + "  " + cmp.Or(e.EventID, "(no eventId)")
	if e.IsSimulated {
		line += "  simulated"
	}
	return line
}

// repetition guesses which attempt this is.
func (c callback) repetition() string {
	switch c.delivery {
	case 0:
		return ""
	case 1:
		return ", attempt 1"
	default:
		return fmt.Sprintf(", attempt %d: this eventId has come before", c.delivery)
	}
}

func pretty(body []byte) string {
	var b bytes.Buffer
	if err := json.Indent(&b, body, indent, "  "); err != nil {
		return fmt.Sprintf("no JSON: %q", body)
	}
	return b.String()
}

func clockTime(at time.Time) string { return at.Format("15:04:05") }
