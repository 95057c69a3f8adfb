package mailroom

import (
	"cmp"
	_ "embed" // the states
	"strings"
	"sync"
	"time"

	"aviso/internal/sandbox/layout"
)

// State is the state of a letter, as its carrier calls it: the post office in lower case, the
// fax gateway in upper case.
type State string

// rule is what a state means for people, and how it ends.
type rule struct {
	// Text is the state in words; Class shows whether the letter has arrived (on) or never
	// will (off).
	Text, Class string
	// Left means that the letter is out of Aviso's hands and did not fail, so that the
	// organization may answer.
	Left bool
	// Seconds is how long a letter stays in the state, and Next the state after it. Without
	// either it stays until somebody does something.
	Seconds int
	Next    State
	// Fated is what comes instead of Next, for letters with a fate.
	Fated map[Behaviour]State
	// Chosen maps the commands that are possible in the state to the states that they lead
	// through.
	Chosen map[string][]State
	// Final means that the carrier has done all it will.
	Final bool
	// Event is what the carrier tells the service when the state begins, with its code and
	// reason; nothing if it is empty.
	Event, Code, Reason string
}

//go:embed states.json
var stateData []byte

// states are the rules of both carriers.
var states = sync.OnceValue(func() map[State]rule { return layout.Parse[map[State]rule](stateData) })

// words returns the rule of a state; an unknown one is shown by its name.
func (s State) words() rule {
	if r, ok := states()[s]; ok {
		return r
	}
	return rule{Text: string(s)}
}

// Outcome is a state that a letter gets into.
type Outcome struct {
	State State
	// Cause is the command or the fate that led there, or a word of the carrier's own; empty
	// for the usual way.
	Cause string
	// Code and Reason go into the notice, in place of the state's own.
	Code, Reason string
}

// wait returns how long a letter stays in its state, and false if the state does not end by
// itself. Nobody here decides about mail, and what happens to ordinary letters that were sent
// is not reported.
func (l Letter) wait() (time.Duration, bool) {
	r := states()[l.State]
	reported := l.State != "sent" || l.How == RegisteredMail || l.Fate == Bounce
	return time.Duration(r.Seconds) * time.Second, r.Next != "" && reported && l.Carrier != Email
}

// next returns the state after this one, if the letter's carrier knows no better.
func (l Letter) next() Outcome {
	r := states()[l.State]
	if to, fated := r.Fated[l.Fate]; fated {
		return Outcome{State: to, Cause: string(l.Fate)}
	}
	return Outcome{State: r.Next}
}

// choose returns what a developer's command leads through; nothing if it is not possible.
func (l Letter) choose(action string) (way []Outcome) {
	for _, s := range states()[l.State].Chosen[action] {
		way = append(way, Outcome{State: s, Cause: action})
	}
	return way
}

// Enter takes the letter into new states.
func (p *Processor) Enter(l *Letter, at time.Time, way ...Outcome) {
	for _, o := range way {
		r := states()[o.State]
		l.SetState(o.State, at)
		if r.Final {
			l.CompletedAt = at
		}
		p.Drivers[l.Carrier].Enter(l, &o)
		if r.Event != "" && (l.Carrier != Fax || l.Faxed.CallbackURL != "") {
			l.AddNotice(p.NewID(), r.Event, cmp.Or(o.Code, r.Code), cmp.Or(o.Reason, r.Reason))
		}
	}
}

// commands are those for one letter.
func commands(c Carrier) []layout.Command {
	if c == Email { // each of them is refused
		c = Post
	}
	return layout.Commands(string(c))
}

// behaviours are those that a partner, or (empty) anybody, can choose. Not a partner's are
// those that would affect the other partners.
func behaviours(partner string) []layout.Command {
	if partner != "" {
		return layout.Commands("new letters")
	}
	return layout.Commands("new letters", "interface")
}

// Confirmed is the reply of an organization that accepts a cancellation. Any other reply is
// the reason of a rejection, or Erased if Aviso no longer knows the cancellation.
const (
	Confirmed = "Confirmed"
	Erased    = "Erased"
)

// replyWords returns a reply for people.
func replyWords(reply string) string {
	if reason, known := layout.FindCommand(layout.Commands("replies"), reply); known && reply != Confirmed {
		return "Rejected: " + strings.ToLower(reason.Label)
	}
	return reply
}

// AwaitsReply reports whether an organization may have the letter and has not answered.
func (l Letter) AwaitsReply() bool {
	return l.CancellationID != "" && l.Reply == "" && l.State.words().Left && !l.Lost()
}
