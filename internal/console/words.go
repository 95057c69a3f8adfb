package console

import (
	"cmp"
	_ "embed" // the words
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"aviso/internal/cancellation"
	"aviso/internal/console/feed"
	"aviso/internal/notification"
	"aviso/internal/pfm/connection"
)

// wordsFile has a comment about each of its parts.
//
//go:embed words.yaml
var wordsFile []byte

// pagesFile has the fixed texts of all kinds of pages.
//
//go:embed pages.yaml
var pagesFile []byte

// words are the console's texts about states, events, callbacks and answers.
type words struct {
	Connections, Cancellations, Events map[string]Advice
	Badges                             map[string]map[string]Badge
	Channels, Steps                    map[string]string
	Missed, Answers                    map[string]string
	Callbacks                          []advice
	Pages                              map[string]Page
	Tables                             map[string]Table
	Forms                              map[string]Form
	Nothing                            map[string]Empty
}

// allWords reads the words for the first page that needs them.
var allWords = sync.OnceValue(func() (w words) { //nolint:gochecknoglobals // computed on first use
	if err := errors.Join(yaml.Unmarshal(wordsFile, &w), yaml.Unmarshal(pagesFile, &w)); err != nil {
		panic("words.yaml, pages.yaml: " + err.Error()) // the tests read them
	}
	return w
})

// named returns a part of pages.yaml.
func named[T any](parts map[string]T, name string) T {
	part, known := parts[name]
	if !known {
		panic("pages.yaml does not have " + name) // the tests open all pages
	}
	return part
}

// pageOf returns a page of pages.yaml. Its table has no rows yet.
func pageOf(name string) Page { return named(allWords().Pages, name) }

// tableOf returns a table of pages.yaml, without rows.
func tableOf(name string) Table { return named(allWords().Tables, name) }

// emptyOf returns the text of pages.yaml for an empty list.
func emptyOf(name string) Empty { return named(allWords().Nothing, name) }

// badgeOf returns the badge of a state from words.yaml. Without a text there, the badge shows the state's name in
// words.
func badgeOf(kind, state string) Badge {
	badges := named(allWords().Badges, kind)
	b, known := badges[state]
	if !known {
		b = badges["others"]
	}
	return Badge{b.Tone, cmp.Or(b.Text, spaced(state))}
}

// formOf returns a form of pages.yaml, filled with earlier input.
func formOf(name, action string, values url.Values) *Form {
	f := named(allWords().Forms, name)
	f.Action, f.Fields = action, slices.Clone(f.Fields)
	for i := range f.Fields {
		field := &f.Fields[i]
		field.Value, field.Checked = cmp.Or(values.Get(field.Name), field.Value), values[field.Name]
		if field.Types {
			field.Options = append(slices.Clip(field.Options), typeOptions(func(string) bool { return true })...)
		}
	}
	return &f
}

// typeOptions returns options for the wanted event types.
func typeOptions(wanted func(eventType string) bool) (options []Option) {
	for _, t := range notification.EventTypes() {
		if wanted(t.Type) {
			options = append(options, Option{t.Type, t.Type})
		}
	}
	return options
}

// Advice explains a state or an event: its meaning, who can change it, and what to do, if anything.
type Advice struct {
	Tone             Tone
	Means, Who, Next string
}

// adviceIn returns the words for a status and a reason.
func adviceIn(states map[string]Advice, status, reason string) (a Advice, known bool) {
	if a, known = states[strings.TrimSpace(status+" "+reason)]; known {
		return a, true
	}
	return Advice{
		Waiting, "The reason is " + reason + ", for which this page has no words yet.", "We, the operator of Aviso",
		"Look it up in the reference, or send us the ID of this page.",
	}, false
}

// connectionBadge returns the badge of a connection's state.
func connectionBadge(k connection.Connection) Badge {
	if k.Status == connection.Active && k.SyncFailing {
		return Badge{Bad, "Active, reads fail"}
	}
	return badgeOf("connection", string(k.Status))
}

// connectionAdvice explains a connection's state, and what to do.
func connectionAdvice(k connection.Connection) Advice {
	a, known := adviceIn(allWords().Connections, string(k.Status), string(k.Reason))
	if known && k.Status == connection.Active && k.SyncFailing {
		a.Tone = Bad
		a.Means += " All retries have failed, and your subscriptions got connection.sync_failed. " +
			"The data of the last success stays readable."
	}
	return a
}

// cancellationBadge returns the badge of a cancellation's state.
func cancellationBadge(k cancellation.Cancellation) Badge {
	return badgeOf("cancellation", string(k.Status.Shown()))
}

// cancellationAdvice explains a cancellation's state, and what to do.
func cancellationAdvice(k cancellation.Cancellation) Advice {
	a, known := adviceIn(allWords().Cancellations, string(k.Status.Shown()), string(k.Reason))
	switch {
	case !known:
	case k.Status == cancellation.StatusSent && k.Channel().Kind == cancellation.ChannelMail:
		a.Means += " Nobody reports the arrival of ordinary mail, so this state stays until the organization answers."
	case k.Objects == nil:
	case k.Status == cancellation.StatusDelivered:
		a.Next = "Nothing. The debits of the cancellation show a refund."
	case k.Status == cancellation.StatusDeliveryFailed:
		a.Next = "Tell the user, or send another objection."
	}
	return a
}

// channelInWords is the name of a channel in words.
func channelInWords(kind cancellation.ChannelKind) string {
	return cmp.Or(allWords().Channels[string(kind)], string(kind))
}

// stepInWords describes a step of the history. again is set if the status occurred before.
func stepInWords(status cancellation.Status, again bool) string {
	steps := allWords().Steps
	if again {
		return cmp.Or(steps[string(status)+" again"], steps[string(status)])
	}
	return steps[string(status)]
}

// storyOf describes an event type in words, or by its name if there are no words.
func storyOf(eventType string) Advice {
	if story, known := allWords().Events[eventType]; known {
		return story
	}
	return Advice{Tone: Neutral, Means: eventType}
}

// tell describes an event in words. A simulated event asks for nothing, because nothing happened.
func tell(e feed.Event) Advice {
	story := storyOf(e.Type)
	if _, reason := about(e); reason != "" {
		story.Means += " Reason: " + reason + "."
	}
	if e.IsSimulated && e.Type != "webhook.ping" {
		return Advice{Tone: Neutral, Means: "Simulated: nothing has happened. A real one says: " + story.Means}
	}
	return story
}

// missed says how to read the data of an exhausted event from the API.
func missed(eventType string) string {
	area, _, _ := strings.Cut(eventType, ".")
	texts := allWords().Missed
	return cmp.Or(texts[eventType], texts[area], texts["others"])
}

// about returns the ID of an event's connection or cancellation and the reason in words, or "".
func about(e feed.Event) (id, reason string) {
	var data struct{ ConnectionID, CancellationID, StatusReason string }
	if json.Unmarshal([]byte(e.Data), &data) != nil {
		return "", ""
	}
	return cmp.Or(data.ConnectionID, data.CancellationID), strings.ToLower(spaced(data.StatusReason))
}

// subject returns the ID of an event's connection or cancellation.
func subject(e feed.Event) string {
	id, _ := about(e)
	return id
}

// spaced turns a name such as ActionRequired into words: "Action required".
func spaced(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && 'A' <= r && r <= 'Z' {
			b.WriteByte(' ')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return strings.NewReplacer("Http ", "HTTP ", "Dns ", "DNS ", "Tls ", "TLS ").Replace(b.String())
}

// nextAfter says what to do about an answer, or "".
func nextAfter(status int) string {
	texts := allWords().Answers
	return cmp.Or(texts[strconv.Itoa(status)], texts[fmt.Sprintf("%dxx", status/100)])
}

// advice explains the result of a callback to somebody who was just woken up by it.
type advice struct {
	// Outcome, Status, From and Detail match attempts.
	Outcome notification.Outcome
	Status  []int
	From    int
	Detail  string

	// Badge is the result in a word or two.
	Badge string
	// Why says why the call was not acknowledged.
	Why string
	// Do says what to do, the likeliest first.
	Do []string
	// Answer shows an example of an acknowledgement. Probe suggests a call by hand.
	Answer, Probe bool
}

// explains reports whether the advice matches an attempt.
func (v advice) explains(a notification.Attempt) bool {
	return (v.Outcome == "" || v.Outcome == a.Outcome) && (v.Status == nil || slices.Contains(v.Status, a.HTTPStatus)) &&
		a.HTTPStatus >= v.From && strings.Contains(a.Detail, v.Detail)
}

// adviceOn explains the result of an attempt.
func adviceOn(a notification.Attempt) advice {
	all := allWords().Callbacks
	v := all[slices.IndexFunc(all, func(v advice) bool { return v.explains(a) })] // the last matches every attempt
	values := strings.NewReplacer("{status}", strconv.Itoa(a.HTTPStatus), "{detail}", a.Detail)
	v.Badge, v.Why = values.Replace(v.Badge), values.Replace(v.Why)
	return v
}

// outcomeBadge is the result of an attempt in a word or two.
func outcomeBadge(a notification.Attempt) Badge {
	if a.Outcome == notification.OutcomeAcknowledged {
		return Badge{Good, adviceOn(a).Badge}
	}
	return Badge{Bad, adviceOn(a).Badge}
}
