package mailroom

import (
	"cmp"
	"strings"
	"time"

	"aviso/internal/sandbox/layout"
)

// State is the state of a letter, as its carrier calls it: the post office in lower case, the
// fax gateway in upper case.
type State string

// rule is what a state means for people, and how it ends.
type rule struct {
	// text is the state in words; class shows whether the letter has arrived (on) or never
	// will (off).
	text, class string
	// left means that the letter is out of Aviso's hands and did not fail, so that the
	// organization may answer.
	left bool
	// wait is how long a letter stays in the state, and next the state after it. Without
	// either it stays until somebody does something.
	wait time.Duration
	next State
	// fated is what comes instead of next, for letters with a fate.
	fated map[Behaviour]State
	// chosen maps the commands that are possible in the state to the states that they lead
	// through.
	chosen map[string][]State
	// final means that the carrier has done all it will.
	final bool
	// event is what the carrier tells the service when the state begins, with its code and
	// reason; nothing if it is empty.
	event, code, reason string
}

// states returns the rules of both carriers.
func states() map[State]rule {
	produced := map[string][]State{
		"deliver": {"sent", "delivered"}, "bounce": {"sent", "undeliverable"}, "reject": {"rejected"},
	}
	faxed := map[string][]State{"deliver": {"COMPLETED"}, "bounce": {"FAILURE"}, "reject": {"FAILURE"}}
	refused := map[Behaviour]State{Reject: "rejected"}
	const inspection, failed = "content_failed_inspection", "Content failed inspection"
	return map[State]rule{
		"validating": {text: "Being checked", wait: time.Second, next: "valid",
			chosen: map[string][]State{"reject": {"action_required"}}},
		"valid": {text: "Ready to send"},
		"action_required": {text: "Refused: not acceptable", class: "off",
			event: "issues", code: inspection, reason: failed},
		"invalid": {text: "Refused: not readable", class: "off",
			event: "issues", code: "file_not_readable", reason: "File is not readable"},
		"submitted":  {text: "At the post office", wait: time.Second, next: "processing", fated: refused, chosen: produced},
		"processing": {text: "Being printed", wait: 2 * time.Second, next: "sent", fated: refused, chosen: produced},
		"sent": {text: "Sent", left: true, wait: 2 * time.Second, next: "delivered",
			fated: map[Behaviour]State{Bounce: "undeliverable"}, event: "sent", code: "transferred_to_distributor",
			chosen: map[string][]State{"deliver": {"delivered"}, "bounce": {"undeliverable"}}},
		"delivered": {text: "Delivered", class: "on", left: true, final: true, event: "delivered", code: "delivered"},
		"undeliverable": {text: "Returned to sender", class: "off", final: true, event: "undeliverable",
			code: "undeliverable", reason: "Recipient could not be determined at the specified address."},
		"rejected": {text: "Refused by the post office", class: "off", final: true,
			event: "issues", code: inspection, reason: failed},
		"cancelling": {text: "Being stopped", wait: time.Second, next: "cancelled"},
		"cancelled":  {text: "Stopped before printing", final: true},
		"QUEUED":     {text: "Waiting for the line", wait: time.Second, next: "IN_PROGRESS", chosen: faxed},
		"IN_PROGRESS": {text: "Being transmitted", wait: 2 * time.Second, next: "COMPLETED", chosen: faxed,
			fated: map[Behaviour]State{Bounce: "FAILURE", Reject: "FAILURE"}},
		"COMPLETED": {text: "Delivered", class: "on", left: true, final: true, event: "FAX_COMPLETED"},
		"FAILURE":   {text: "Failed", class: "off", final: true, event: "FAX_COMPLETED"},
	}
}

// words returns the rule of a state; an unknown one is shown by its name.
func (s State) words() rule {
	if r, ok := states()[s]; ok {
		return r
	}
	return rule{text: string(s)}
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
	return r.wait, r.next != "" && reported && l.Carrier != Email
}

// next returns the state after this one, if the letter's carrier knows no better.
func (l Letter) next() Outcome {
	r := states()[l.State]
	if to, fated := r.fated[l.Fate]; fated {
		return Outcome{State: to, Cause: string(l.Fate)}
	}
	return Outcome{State: r.next}
}

// choose returns what a developer's command leads through; nothing if it is not possible.
func (l Letter) choose(action string) (way []Outcome) {
	for _, s := range states()[l.State].chosen[action] {
		way = append(way, Outcome{State: s, Cause: action})
	}
	return way
}

// Enter takes the letter into new states.
func (p *Processor) Enter(l *Letter, at time.Time, way ...Outcome) {
	for _, o := range way {
		r := states()[o.State]
		l.SetState(o.State, at)
		if r.final {
			l.CompletedAt = at
		}
		p.Drivers[l.Carrier].Enter(l, &o)
		if r.event != "" && (l.Carrier != Fax || l.Faxed.CallbackURL != "") {
			l.AddNotice(p.NewID(), r.event, cmp.Or(o.Code, r.code), cmp.Or(o.Reason, r.reason))
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
	return l.CancellationID != "" && l.Reply == "" && l.State.words().left && !l.Lost()
}
