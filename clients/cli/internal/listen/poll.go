package listen

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	aviso "aviso.example/client"
)

const (
	// pollEvery is the time between two reads of the attempts.
	pollEvery = 2 * time.Second
	// pollPage is how many attempts are read at once.
	pollPage = 50
)

// sandboxReceiver is the path of a receiver that acknowledges everything, in environments with
// a sandbox.
const sandboxReceiver = "/sandbox/receiver"

// poller reads what was sent to a subscription in its attempts.
type poller struct {
	webhooks     *aviso.WebhooksService
	subscription string
	key          string
	forwardTo    string // may be empty
	screen       *screen
	now          func() time.Time
	// known has the IDs of attempts and events that were shown.
	known map[string]bool
	// lost are the headlines of the events that could not be forwarded.
	lost []string
}

// poll subscribes the sandbox's receiver until ctx ends, and shows what it gets.
func poll(ctx context.Context, o Options, service Service, s *screen) error {
	if o.behaviour.fault != none {
		return fmt.Errorf("--%s needs a service that reaches this machine: give the address of a tunnel with --url https://…",
			o.behaviour.fault)
	}
	address := strings.TrimRight(service.BaseURL, "/") + sandboxReceiver
	if err := findReceiver(ctx, address); err != nil {
		return err
	}
	webhooks := service.Client.Webhooks
	id, key, err := subscribe(ctx, webhooks, address+"?machine="+machine(), o.Events)
	if err != nil {
		return err
	}
	s.print(subscribed(o.Events) + " (subscription " + id + ").")
	s.print("The service does not call this machine: what it sends is read from the API every two seconds. Stop with Ctrl-C.")
	p := &poller{
		webhooks: webhooks, subscription: id, key: key, forwardTo: o.ForwardTo, screen: s, now: time.Now, known: map[string]bool{},
	}
	err = p.run(ctx)
	p.report()
	return errors.Join(err, leave(ctx, webhooks, id, s))
}

// findReceiver returns an error if the environment has no receiver of its own.
func findReceiver(ctx context.Context, address string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, http.NoBody)
	if err != nil {
		return err
	}
	client := &http.Client{Timeout: 30 * time.Second}
	resp, err := client.Do(req)
	if err != nil {
		return fmt.Errorf("%w: %w", aviso.ErrConnectionFailed, err)
	}
	_ = resp.Body.Close()
	switch {
	case resp.StatusCode == http.StatusOK:
		return nil
	case resp.StatusCode >= http.StatusInternalServerError || resp.StatusCode == http.StatusTooManyRequests:
		return fmt.Errorf("%w: %s answered %d", aviso.ErrServer, address, resp.StatusCode)
	}
	return errors.New("this environment has no sandbox, so it has to reach this machine: give the address of a tunnel with " +
		"--url https://…, or set AVISO_WEBHOOK_SECRET=whsec_… if you have subscribed yourself")
}

// machine tells this machine from a colleague's, whose subscription must stay. It does not
// tell the name.
func machine() string {
	name, _ := os.Hostname() // without a name, all such machines are one
	return fmt.Sprintf("%x", sha256.Sum256([]byte(name)))[:12]
}

// run reads until ctx ends, and a last time then.
func (p *poller) run(ctx context.Context) error {
	for ctx.Err() == nil {
		pause := pollEvery
		if err := p.round(ctx); err != nil && ctx.Err() == nil {
			if !passes(err) {
				return fmt.Errorf("read attempts: %w", err)
			}
			p.screen.print("\nTrying again: " + err.Error())
			if problem, ok := errors.AsType[*aviso.Error](err); ok {
				pause = max(pause, problem.RetryAfter)
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), endWithin)
	defer cancel()
	if err := p.round(ending); err != nil {
		return fmt.Errorf("read the last attempts: %w", err)
	}
	return nil
}

// passes reports whether the client may find the service in order a little later.
func passes(err error) bool {
	return errors.Is(err, aviso.ErrConnectionFailed) || errors.Is(err, aviso.ErrServer) || errors.Is(err, aviso.ErrRateLimited)
}

// round shows what is new, the oldest first.
func (p *poller) round(ctx context.Context) error {
	fresh, err := p.fresh(ctx)
	for _, t := range slices.Backward(fresh) {
		if !p.known[t.EventID] {
			p.show(ctx, t)
		}
		p.known[t.AttemptID], p.known[t.EventID] = true, true
	}
	return err
}

// fresh returns the attempts that are not known, the newest first. It reads on while a page has
// no known one: attempts that end at once may become visible in any order.
func (p *poller) fresh(ctx context.Context) ([]aviso.DeliveryAttempt, error) {
	var fresh []aviso.DeliveryAttempt
	params := aviso.ListDeliveryAttemptsParams{Limit: pollPage}
	for {
		page, err := p.webhooks.ListDeliveryAttemptsPage(ctx, p.subscription, &params)
		if err != nil {
			return nil, err
		}
		met := false
		for _, t := range page.Items {
			if p.known[t.AttemptID] {
				met = true
			} else {
				fresh = append(fresh, t)
			}
		}
		if params.NextToken = page.NextToken; met || page.NextToken == "" {
			return fresh, nil
		}
	}
}

// show prints an event, and forwards it.
func (p *poller) show(ctx context.Context, t aviso.DeliveryAttempt) {
	begun := p.now()
	c := callback{at: t.StartedAt.Local(), body: t.Payload, verified: "read from the API", delivery: t.AttemptNumber}
	answer := reply{status: t.HTTPStatus, text: "acknowledged by the sandbox"}
	if t.Outcome != "Acknowledged" {
		answer.text = strings.TrimSuffix(t.Outcome+": "+t.Detail, ": ")
	}
	acknowledged := true
	switch {
	case len(t.Payload) == 0:
		c.body, _ = json.Marshal(map[string]string{"eventId": t.EventID, "eventType": t.EventType}) // cannot fail
		c.verified, acknowledged = "the service does not keep what it sent", false
	case p.forwardTo != "":
		c.verified += " and signed again"
		answer = forward(ctx, p.forwardTo, t.Payload, sign(t.EventID, t.Payload, p.key, begun))
		if acknowledged = answer.acknowledges(); !acknowledged {
			answer.text += "; not acknowledged"
		}
	}
	if p.forwardTo != "" && !acknowledged {
		p.lost = append(p.lost, c.headline())
	}
	p.screen.callback(c, answer, max(p.now().Sub(begun), time.Duration(t.DurationMs)*time.Millisecond))
}

// report prints the events that did not reach the developer's receiver. The service has them
// acknowledged and does not send them again.
func (p *poller) report() {
	if len(p.lost) > 0 {
		p.screen.print("\nNot forwarded, or not acknowledged:\n" + indent + strings.Join(p.lost, "\n"+indent))
	}
}

// acknowledges reports whether the reply is what the service expects of a receiver.
func (a reply) acknowledges() bool {
	var ack acknowledgement
	if a.status != http.StatusOK || json.Unmarshal(a.body, &ack) != nil {
		return false
	}
	_, err := time.Parse(time.RFC3339, cmp.Or(ack.Timestamp, "-"))
	return ack.IsAcknowledged && err == nil
}
