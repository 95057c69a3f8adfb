package mailroom

import "time"

// Fate is the outcome that a developer has chosen for a letter.
type Fate string

// These are the outcomes. The empty one is the normal outcome.
const (
	Reject Fate = "reject"
	Bounce Fate = "bounce"
	Lose   Fate = "lose"
)

// Behaviour is how a carrier treats new letters or its callers.
type Behaviour string

// These are the behaviours. Those named like a Fate give it to each new letter.
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

// Setting is the behaviour of a carrier and when it ends. Partner is empty if it is the
// behaviour with everybody.
type Setting struct {
	Carrier   Carrier   `json:"carrier"`
	Partner   string    `json:"-" dynamodbav:",omitempty"`
	Behaviour Behaviour `json:"behaviour"`
	Until     time.Time `json:"until,omitzero"`
}

// KeepUntil returns when the setting expires.
func (s Setting) KeepUntil() time.Time { return s.Until }

// Now returns the behaviour at a time.
func (s Setting) Now(now time.Time) Behaviour {
	if s.Behaviour == "" || !now.Before(s.Until) {
		return Normal
	}
	return s.Behaviour
}

// Apply applies the setting to a new letter, at a real time.
func (s Setting) Apply(l *Letter, now time.Time) {
	switch s.Now(now) {
	case RejectAll, BounceAll, LoseAll:
		l.Fate = Fate(s.Behaviour)
	case DelayAll:
		l.HeldUntil = s.Until.Add(l.Ahead)
	default:
	}
}

// RetryAfter is the delay that a throttling carrier asks for.
const RetryAfter = 30 * time.Second
