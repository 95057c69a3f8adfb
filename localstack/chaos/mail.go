package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"aviso/localstack/chaos/history"
	"aviso/localstack/host"
	"aviso/localstack/ses"
	"aviso/localstack/template"
)

// mailTravel is the time between a mail's events.
const mailTravel = 300 * time.Millisecond

// mailServer is the SES of the run. The stack's own keeps events only in memory, and a kill
// loses them; this one outlives the stack, as SES does, and tells letter-feedback of
// each mail's events until it has listened twice.
type mailServer struct {
	server  *ses.Server
	dice    *dice
	weather *weather
	tell    func(name string, body []byte) error

	// pending counts the events that nobody has listened to yet.
	pending atomic.Int64
	events  sync.WaitGroup
	stop    context.Context
	newID   func() string
}

func newMailServer(
	ctx context.Context, checkout string, d *dice, w *weather, c *counter, newID func() string,
	invoke func(function string, body []byte) error, clock func() time.Time,
) (*mailServer, error) {
	s := &mailServer{dice: d, weather: w, tell: invoke, stop: ctx, newID: newID}
	tpl, err := template.Load(filepath.Join(checkout, "template.yaml"), func(name string) (string, bool) {
		value, ok := map[string]string{"Environment": "local", "BaseUrl": "http://localhost", "Architecture": "x86_64"}[name]
		return value, ok
	})
	if err != nil {
		return nil, err
	}
	s.server = ses.New(ses.Options{
		Accepted: func(m ses.Mail) { // notes which cancellation it is about
			for _, tag := range m.Tags {
				if tag.Name == "cancellationId" {
					c.note(history.Letter{Cancellation: tag.Value, Channel: "Email", Carrier: m.MessageID}, time.Now())
				}
			}
		},
		ConfigurationSets: tpl.ConfigurationSets, Identities: tpl.EmailIdentities,
		Travel: mailTravel, Tell: func(string) {}, Now: clock,
	})
	s.server.Start(s.publish)
	return s, nil
}

// publish tells letter-feedback of an event, until it has understood twice.
func (s *mailServer) publish(e host.Event) error {
	body, err := json.Marshal(map[string]any{
		"version": "0", "id": s.newID(), "detail-type": e.DetailType, "source": e.Source, "account": template.Account,
		"time": e.Time.UTC().Format(time.RFC3339), "region": template.Region, "resources": e.Resources, "detail": e.Detail,
	})
	if err != nil {
		return err
	}
	s.pending.Add(1)
	late := time.Duration(0)
	if s.weather.bad() && s.dice.in(4) {
		late = s.dice.wait(0, 5*time.Second)
	}
	s.events.Go(func() {
		defer s.pending.Add(-1)
		time.Sleep(late)
		for heard := 0; heard < 2 && s.stop.Err() == nil; {
			if s.tell("letter-feedback", body) == nil {
				heard++
			} else {
				time.Sleep(time.Second)
			}
		}
	})
	return nil
}

// pick implements relay.pick for calls to SES.
func (s *mailServer) pick(m message) fault {
	if !s.weather.bad() || m.Method != http.MethodPost || !strings.Contains(m.URL.Path, "outbound-emails") || !s.dice.in(12) {
		return fault{}
	}
	failing := &answer{
		status: http.StatusInternalServerError, body: []byte(`{"message":"broken on purpose"}`),
		header: http.Header{"Content-Type": {"application/json"}, "X-Amzn-Errortype": {"InternalServiceErrorException"}},
	}
	throttled := &answer{
		status: http.StatusTooManyRequests, body: []byte(`{"message":"broken on purpose"}`),
		header: http.Header{"Content-Type": {"application/json"}, "X-Amzn-Errortype": {"TooManyRequestsException"}},
	}
	f := pick(s.dice, []fault{
		{name: "cut before the effect", lost: true, cut: true},
		{name: "cut after the effect", cut: true},
		{name: "500 after the effect", instead: failing},
		{name: "throttled", lost: true, instead: throttled},
		{name: "answered after the time-out", hold: carrierTimeout},
	})
	f.name += " mail"
	return f
}

// invoker calls a function of the running stack, as EventBridge does.
func invoker(address func() (string, error)) func(function string, body []byte) error {
	client := &http.Client{Timeout: 25 * time.Second}
	return func(function string, body []byte) error {
		at, err := address()
		if err != nil {
			return err
		}
		request, err := http.NewRequest(http.MethodPost,
			at+"/2015-03-31/functions/"+function+"/invocations", bytes.NewReader(body))
		if err != nil {
			return err
		}
		request.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=local")
		response, err := client.Do(request)
		if err != nil {
			return err
		}
		defer func() { _ = response.Body.Close() }()
		text, err := io.ReadAll(response.Body)
		if err != nil {
			return err
		}
		if response.StatusCode != http.StatusOK || response.Header.Get("X-Amz-Function-Error") != "" {
			return fmt.Errorf("%s answered %d: %s", function, response.StatusCode, text)
		}
		return nil
	}
}
