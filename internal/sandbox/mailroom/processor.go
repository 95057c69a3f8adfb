package mailroom

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"time"

	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/sandboxdb"
)

// Step is a future change to a letter.
type Step struct {
	LetterID string `json:"letterId"`
	// From is the state that the step ends. A step with a NoticeID changes no state but
	// notifies the service.
	From     State  `json:"from,omitempty"`
	NoticeID string `json:"noticeId,omitempty"`
	// Attempt counts the earlier attempts to notify.
	Attempt int `json:"attempt,omitempty"`
	// Due is in real time.
	Due time.Time `json:"due"`
}

// Scheduler delivers steps later.
type Scheduler interface {
	// Schedule calls Processor.Advance with the step after a delay from 0 to MaxDelay. It
	// may do so late or more than once.
	Schedule(ctx context.Context, after time.Duration, step Step) error
}

// MaxDelay is the longest delay of a step, which is the limit of SQS. A step that is due
// later is rescheduled until then.
const MaxDelay = 15 * time.Minute

// Driver implements what differs between carriers.
type Driver interface {
	// Next returns what a letter gets into when the time of its state is over, given its
	// document; nothing for the usual way.
	Next(l *Letter, document []byte) []Outcome
	// Enter adds what the carrier knows when a letter has got into a state.
	Enter(l *Letter, o *Outcome)
	// Callback returns what is posted to notify the service.
	Callback(l Letter, n Notice, document []byte) Call
	// RetryDelays returns how long to wait after each attempt to notify but the last.
	RetryDelays() []time.Duration
	// Authenticate returns an *APIError if the caller may not use the interface.
	Authenticate(r *http.Request) error
	// ErrorReply formats an error as the carrier does.
	ErrorReply(e *APIError) Reply
}

// Processor takes letters through their states.
type Processor struct {
	Store     Store
	Scheduler Scheduler
	// BaseURL is the public address without a trailing slash. If it is empty, the address
	// of each request is used.
	BaseURL string
	Now     func() time.Time
	Log     *slog.Logger
	// Client sends notices, without redirects and with a timeout of 10 s.
	Client  *http.Client
	Drivers map[Carrier]Driver
	// PerPartner is set if each partner chooses the behaviour with its own letters.
	PerPartner bool
	// SlowAnswer is the delay of a response when an interface hangs.
	SlowAnswer time.Duration
	// NewID returns a UUID of version 7.
	NewID func() string
}

// NewClient returns a client for Processor.
func NewClient() *http.Client {
	return &http.Client{
		Timeout:       10 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Call is a POST to the service.
type Call struct {
	URL    string
	Header map[string]string
	Body   []byte
}

// post returns the status of a response, whose body does not matter.
func (p *Processor) post(ctx context.Context, c Call) (status int, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL, bytes.NewReader(c.Body))
	if err != nil {
		return 0, err
	}
	for name, value := range c.Header {
		req.Header.Set(name, value)
	}
	res, err := p.Client.Do(req)
	if err != nil {
		return 0, err
	}
	defer func() { _ = res.Body.Close() }()
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 64<<10)) // keeps the connection for the next one
	return res.StatusCode, nil
}

// TimeOf returns the time of the letter's user: the one that the service has told with the
// request in ctx, or with the letter.
func (p *Processor) TimeOf(ctx context.Context, l Letter) time.Time {
	if clock.From(ctx) == (clock.Setting{}) {
		ctx = clock.With(ctx, clock.Setting{Ahead: l.Ahead})
	}
	return clock.Now(ctx, p.Now)
}

// Arrive sets when a new letter arrives.
func (p *Processor) Arrive(ctx context.Context, l *Letter) {
	l.CreatedAt = clock.Now(ctx, p.Now)
	l.Ahead = clock.From(ctx).Ahead
	l.CreatedAhead = l.Ahead
}

// Put stores a new or changed letter with other records, and schedules what follows. The first
// step of a new letter is scheduled before it is stored: a step without a letter does no harm, but
// a letter without a step would never move.
func (p *Processor) Put(ctx context.Context, l Letter, more ...sandboxdb.Record) error {
	if l.Version == 0 {
		if err := p.scheduleSteps(ctx, l, false); err != nil {
			return err
		}
		return p.save(ctx, l, more...)
	}
	if err := p.save(ctx, l, more...); err != nil {
		return err
	}
	return p.scheduleSteps(ctx, l, false)
}

func (p *Processor) save(ctx context.Context, l Letter, more ...sandboxdb.Record) error {
	if err := p.Store.Save(ctx, append([]sandboxdb.Record{l}, more...)...); err != nil {
		return fmt.Errorf("save letter: %w", err)
	}
	return nil
}

// maxTries is how often update retries after a lost race.
const maxTries = 5

// update changes a letter that may change at the same time, and returns it. change reports
// whether there is something to save.
func (p *Processor) update(ctx context.Context, l Letter, change func(*Letter) (bool, error)) (Letter, error) {
	for range maxTries {
		if wanted, err := change(&l); err != nil || !wanted {
			return l, err
		}
		err := p.save(ctx, l)
		if err == nil {
			l.Version++
			return l, nil
		}
		if !errors.Is(err, outcome.ErrChanged) {
			return l, err
		}
		if l, err = p.Store.Letter(ctx, l.ID); err != nil {
			return l, err
		}
	}
	return l, fmt.Errorf("change letter: %w", outcome.ErrChanged)
}

// grace is how long a step waits for its letter, since it can arrive before the letter is
// stored. After that the letter was deleted.
const grace = time.Minute

// Advance runs a step. Running it twice changes nothing.
func (p *Processor) Advance(ctx context.Context, s Step) error {
	l, err := p.Store.Letter(ctx, s.LetterID)
	now := p.Now()
	switch {
	case errors.Is(err, outcome.ErrNotFound) && now.After(s.Due.Add(grace)):
		return nil
	case err != nil:
		return err
	case l.Lost():
		return nil
	case s.NoticeID == "" && l.State == s.From:
		if next, moves := p.move(l); moves { // it may be due at another time by now
			s = next
		}
	}
	switch {
	case now.Before(s.Due):
		return p.schedule(ctx, s)
	case s.NoticeID != "":
		return p.notify(ctx, l, s)
	case l.State == s.From:
		if l, err = p.advance(ctx, l); err != nil {
			return err
		}
	}
	// Schedule the follow-ups even if nothing changed: an earlier run may have failed
	// between the change and the scheduling.
	return p.scheduleSteps(ctx, l, false)
}

func (p *Processor) advance(ctx context.Context, l Letter) (Letter, error) {
	content, err := p.document(ctx, l)
	if err != nil {
		return l, err
	}
	way := p.Drivers[l.Carrier].Next(&l, content)
	if way == nil {
		way = []Outcome{l.next()}
	}
	p.Enter(&l, p.TimeOf(ctx, l), way...)
	return l, p.save(ctx, l)
}

// document returns the letter's document, or nothing if it was deleted.
func (p *Processor) document(ctx context.Context, l Letter) ([]byte, error) {
	if !l.HasFile {
		return nil, nil
	}
	d, err := sandboxdb.GetOr(ctx, p.Store.Store, Document{LetterID: l.ID})
	if err != nil {
		return nil, fmt.Errorf("read document: %w", err)
	}
	return d.Content, nil
}

// notify sends a notice and records the result. It records an attempt after making it:
// after a crash in between, the service receives the notice twice, which real carriers
// also do.
func (p *Processor) notify(ctx context.Context, l Letter, s Step) error {
	n := l.unsent(s)
	if n == nil {
		return nil
	}
	content, err := p.document(ctx, l)
	if err != nil {
		return err
	}
	status, err := p.post(ctx, p.Drivers[l.Carrier].Callback(l, *n, content))
	if err != nil {
		// The error is not logged: it contains the address, which may hold a secret.
		p.Log.WarnContext(ctx, "sandbox carrier got no response to its callback")
	}
	_, err = p.update(ctx, l, func(l *Letter) (bool, error) {
		n := l.unsent(s)
		if n == nil {
			return false, nil
		}
		n.Attempts, n.LastStatus, n.LastAt = s.Attempt+1, status, p.TimeOf(ctx, *l)
		n.Acknowledged = status >= 200 && status < 300
		if next, due := p.retry(*l, *n); due && !l.Lost() {
			// Schedule the retry before recording the attempt, so that no retry is lost.
			return true, p.schedule(ctx, next)
		}
		return true, nil
	})
	if errors.Is(err, outcome.ErrNotFound) {
		return nil // deleted in the meantime
	}
	return err
}

// unsent returns the notice of a step, or nil if the step is done.
func (l Letter) unsent(s Step) *Notice {
	i := slices.IndexFunc(l.Notices, func(n Notice) bool { return n.ID == s.NoticeID })
	if i < 0 || l.Notices[i].Acknowledged || l.Notices[i].Attempts > s.Attempt {
		return nil
	}
	return &l.Notices[i]
}

// move returns the step that ends the letter's state, and false if nothing ends it.
func (p *Processor) move(l Letter) (Step, bool) {
	wait, moves := l.wait()
	due := l.UpdatedAt.Add(wait)
	if l.HeldUntil.After(due) {
		due = l.HeldUntil
	}
	return Step{LetterID: l.ID, From: l.State, Due: due.Add(-l.Ahead)}, moves
}

// retry returns the step that sends a notice, and false if there is none.
func (p *Processor) retry(l Letter, n Notice) (Step, bool) {
	s := Step{LetterID: l.ID, NoticeID: n.ID, Attempt: n.Attempts, Due: n.At.Add(-l.Ahead)}
	if n.Attempts == 0 {
		return s, !n.Acknowledged
	}
	delays := p.Drivers[l.Carrier].RetryDelays()
	if n.Acknowledged || n.Attempts > len(delays) {
		return s, false
	}
	s.Due = n.LastAt.Add(delays[n.Attempts-1] - l.Ahead)
	return s, true
}

// waiting returns the steps that the letter waits for. Notices come before the next state.
func (p *Processor) waiting(l Letter) (steps []Step) {
	if l.Lost() {
		return nil
	}
	for _, n := range l.Notices {
		if s, due := p.retry(l, n); due {
			steps = append(steps, s)
		}
	}
	if s, moves := p.move(l); moves {
		steps = append(steps, s)
	}
	return steps
}

// scheduleSteps schedules what the letter waits for, with or without notices that were sent
// before: their next step is scheduled when they are sent.
func (p *Processor) scheduleSteps(ctx context.Context, l Letter, again bool) error {
	for _, s := range p.waiting(l) {
		if s.Attempt > 0 && !again {
			continue
		}
		if err := p.schedule(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// schedule schedules a step for when it is due, or an earlier wake-up if that is too far
// away.
func (p *Processor) schedule(ctx context.Context, s Step) error {
	after := min(max(s.Due.Sub(p.Now()), 0), MaxDelay)
	if err := p.Scheduler.Schedule(ctx, after, s); err != nil {
		return fmt.Errorf("schedule step: %w", err)
	}
	return nil
}

// all is more letters than a sandbox receives.
const all = 1 << 20

// of reads the letters of cancellations, newest first. It reads all letters; a sandbox receives
// few.
func (p *Processor) of(ctx context.Context, cancellations ...string) ([]Letter, error) {
	return p.Store.Letters(ctx, "", all, func(l Letter) bool { return slices.Contains(cancellations, l.CancellationID) })
}

// Apply runs a developer's command on a letter. It returns a *layout.Problem if the command is
// invalid or not possible now.
func (p *Processor) Apply(ctx context.Context, l Letter, form url.Values) error {
	action, now := form.Get("action"), p.TimeOf(ctx, l)
	_, known := layout.FindCommand(append(commands(l.Carrier), layout.Commands("delay")...), action)
	way := l.choose(action)
	switch {
	case !known:
		return layout.Invalid("The action does not exist.")
	case l.Carrier == Email:
		return layout.Conflict("SES decides what happens to mail, by its recipient's address.")
	case l.Lost():
		return layout.Conflict("This item is lost, so its state never changes again.")
	case action == "lose":
		l.Fate = Lose
	case action == "delay":
		d, err := layout.ReadMinutes(form)
		if err != nil {
			return err
		}
		if _, moves := l.wait(); !moves {
			return layout.Conflict("There is no next step to delay.")
		}
		l.HeldUntil = now.Add(d)
	case way == nil:
		return layout.Conflict("That is not possible in its present state.")
	}
	p.Enter(&l, now, way...)
	err := p.Put(ctx, l)
	if errors.Is(err, outcome.ErrChanged) {
		return layout.Conflict("Another request changed it. Please try again.")
	}
	return err
}

// UpdateSetting sets the behaviour for new letters of a partner, or (empty) of all.
func (p *Processor) UpdateSetting(ctx context.Context, partner string, form url.Values) error {
	behaviour := form.Get("behaviour")
	if _, known := layout.FindCommand(behaviours(partner), behaviour); !known {
		return layout.Invalid("The behaviour does not exist.")
	}
	d, err := layout.ReadMinutes(form)
	if err != nil {
		return err
	}
	carriers := Carriers()
	if chosen := Carrier(form.Get("carrier")); chosen != "" {
		if !slices.Contains(carriers, chosen) {
			return layout.Invalid("The carrier does not exist.")
		}
		carriers = []Carrier{chosen}
	}
	var settings []sandboxdb.Record
	for _, carrier := range carriers {
		settings = append(settings, Setting{carrier, partner, Behaviour(behaviour), p.Now().UTC().Add(d)})
	}
	if err := p.Store.Save(ctx, settings...); err != nil {
		return fmt.Errorf("save settings: %w", err)
	}
	return nil
}

// Setting returns the behaviour of a carrier now with a partner, or (empty) with everybody.
func (p *Processor) Setting(ctx context.Context, carrier Carrier, partner string) (Setting, error) {
	if !p.PerPartner {
		partner = ""
	}
	s, err := sandboxdb.GetOr(ctx, p.Store.Store, Setting{Carrier: carrier, Partner: partner})
	switch {
	case err != nil:
		return s, fmt.Errorf("read setting: %w", err)
	case s.Behaviour == Normal || !p.Now().Before(s.Until):
		return Setting{Carrier: carrier, Behaviour: Normal}, nil
	}
	return s, nil
}
