package mailroom

import "time"

// Fate is what a carrier was noticeItem to let become of a letter.
type Fate string

// The fates. The empty one is the usual driver.
const (
	Reject Fate = "reject"
	Bounce Fate = "bounce"
	Lose   Fate = "lose"
)

// Behaviour is how a carrier treats letters to come, or whoever calls it.
type Behaviour string

// The behaviours. Those that are named as a fate give it to each new letter.
const (
	Normal    Behaviour = "normal"
	RejectAll Behaviour = "reject"
	BounceAll Behaviour = "bounce"
	DelayAll  Behaviour = "delay"
	LoseAll   Behaviour = "lose"
	Throttle  Behaviour = "throttle"
	Fail      Behaviour = "fail"
	Hang      Behaviour = "hang"
)

// Setting is how a carrier behaves, and until when.
type Setting struct {
	Carrier   Carrier   `json:"carrier"`
	Behaviour Behaviour `json:"behaviour"`
	Until     time.Time `json:"until,omitzero"`
}

// KeepUntil is when the setting is forgotten.
func (s Setting) KeepUntil() time.Time { return s.Until }

// Now is the behaviour at a moment.
func (s Setting) Now(now time.Time) Behaviour {
	if s.Behaviour == "" || !now.Before(s.Until) {
		return Normal
	}
	return s.Behaviour
}

// Receive marks a letter that comes in under the setting.
func (s Setting) Apply(l *Letter, now time.Time) {
	switch s.Now(now) {
	case RejectAll, BounceAll, LoseAll:
		l.Fate = Fate(s.Behaviour)
	case DelayAll:
		l.HeldUntil = s.Until
	default:
	}
}

// RetryAfter is what a carrier that throttles asks for.
const RetryAfter = 30 * time.Second
