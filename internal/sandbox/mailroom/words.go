package mailroom

import (
	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"aviso/internal/sandbox/layout"
)

// word is a state for people.
type word struct {
	text string
	// class shows whether the letter has arrived (on) or never will (off).
	class string
	// left means that the letter is out of Aviso's hands and did not fail, so that the
	// organization may answer.
	left bool
}

// words returns the words for the states, which are named as the carriers name them: the
// post office in lower case, the fax gateway in upper case.
func words() map[State]word {
	return map[State]word{
		"validating":      {text: "Being checked"},
		"valid":           {text: "Ready to send"},
		"action_required": {text: "Refused: not acceptable", class: "off"},
		"invalid":         {text: "Refused: not readable", class: "off"},
		"submitted":       {text: "At the post office"},
		"processing":      {text: "Being printed"},
		"sent":            {text: "Sent", left: true},
		"delivered":       {text: "Delivered", class: "on", left: true},
		"undeliverable":   {text: "Returned to sender", class: "off"},
		"rejected":        {text: "Refused by the post office", class: "off"},
		"cancelling":      {text: "Being stopped"},
		"cancelled":       {text: "Stopped before printing"},
		"QUEUED":          {text: "Waiting for the line"},
		"IN_PROGRESS":     {text: "Being transmitted"},
		"COMPLETED":       {text: "Delivered", class: "on", left: true},
		"FAILURE":         {text: "Failed", class: "off"},
	}
}

func wordFor(s State) word {
	if w, ok := words()[s]; ok {
		return w
	}
	return word{text: string(s)}
}

// stateTag shows the state in words.
func stateTag(l Letter) g.Node {
	w := wordFor(l.State)
	return layout.Tag(w.class, w.text)
}

// stateAndName shows a state in words, and its name for programs.
func stateAndName(s State) g.Node {
	return g.Group{g.Text(wordFor(s).text + " "), h.Code(g.Text(string(s)))}
}

// lostTag marks a lost letter.
func lostTag(l Letter) g.Node {
	return g.If(l.Lost(), g.Group{g.Text(" "), layout.Tag("off", "Lost")})
}

// Confirmed is the reply of an organization that accepts a cancellation. Any other reply is
// the reason of a rejection, or Erased if Aviso no longer knows the cancellation.
const (
	Confirmed = "Confirmed"
	Erased    = "Erased"
)

// replyWords returns a reply for people.
func replyWords(reply string) string {
	if reason, ok := map[string]string{
		"UserNotFound": "customer not found", "InconsistentData": "inconsistent data",
		"AlreadyCancelled": "already cancelled", "BindingPeriod": "binding period",
	}[reply]; ok {
		return "Rejected: " + reason
	}
	return reply
}

// AwaitsReply reports whether an organization may have the letter and has not answered.
func (l Letter) AwaitsReply() bool {
	return l.CancellationID != "" && l.Reply == "" && wordFor(l.State).left && !l.Lost()
}
