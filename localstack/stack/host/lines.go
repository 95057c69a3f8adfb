package host

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/uuid"
	"github.com/tidwall/gjson"

	"aviso/internal/clock"
	"aviso/localstack/template"
)

// oneMessage is the only filter pattern of CloudWatch Logs that the host supports. The matching lines name their
// function in the member Service.
var oneMessage = regexp.MustCompile(`^\{ \$\.(msg) = ("\w+") \}$`)

// LineTap is between the functions' logger, which makes one call per line, and its file.
type LineTap struct {
	out io.Writer
	mu  sync.Mutex
	// subscribed, guarded by mu, also get matching lines.
	subscribed []*subscription
}

// NewLineTap returns a LineTap that passes all lines on to out.
func NewLineTap(out io.Writer) *LineTap { return &LineTap{out: out} }

// Write implements io.Writer.
func (t *LineTap) Write(line []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range t.subscribed {
		if bytes.Contains(line, s.message) && slices.Contains(s.from, gjson.GetBytes(line, "Service").Str) {
			s.add(line)
		}
	}
	return t.out.Write(line)
}

// subscription passes the lines of one log group to a function, as CloudWatch Logs does.
type subscription struct {
	template.LogSubscription
	// message matches the lines. They come from the functions that write to the log group.
	message []byte
	from    []string
	h       *Host
	stream  string
	to      *function
	mu      sync.Mutex
	// Guarded by mu: the number of lines so far, and the waiting ones.
	lines   int
	waiting []events.CloudwatchLogsLogEvent
}

const (
	// linesEvery is the interval for passing on lines, which takes CloudWatch Logs seconds. linesAtOnce is the maximum
	// per call.
	linesEvery  = time.Second
	linesAtOnce = 500
)

// subscriptions connects the template's log subscriptions with the tap.
func (h *Host) subscriptions() error {
	var subscribed []*subscription
	for _, l := range h.Template.LogSubscriptions {
		m := oneMessage.FindStringSubmatch(l.Pattern)
		if m == nil {
			return fmt.Errorf("%s of %s: the local stack supports only filter patterns that match %s", l.Name, l.Function, oneMessage)
		}
		s := &subscription{LogSubscription: l, h: h, to: h.functions[l.Function], stream: uuid.NewString()}
		s.message = []byte(`"` + m[1] + `":` + m[2])
		for _, f := range h.Template.Functions {
			if f.LogGroup == l.LogGroup {
				s.from = append(s.from, f.Name)
			}
		}
		subscribed = append(subscribed, s)
		h.pollers = append(h.pollers, s.run)
	}
	if h.Lines == nil {
		return nil
	}
	h.Lines.mu.Lock()
	defer h.Lines.mu.Unlock()
	h.Lines.subscribed = subscribed
	return nil
}

// add adds a line without making its function wait.
func (s *subscription) add(line []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines++
	at := time.Now().UnixMilli()
	s.waiting = append(s.waiting, events.CloudwatchLogsLogEvent{
		ID: fmt.Sprintf("%038d%018d", at, s.lines), Timestamp: at, Message: string(bytes.TrimRight(line, "\n")),
	})
}

// run passes lines on in order, and once more when intake ends.
func (s *subscription) run(intake context.Context) {
	for clock.Wait(intake, linesEvery) {
		s.pass()
	}
	s.pass()
}

func (s *subscription) pass() {
	for {
		s.mu.Lock()
		n := min(len(s.waiting), linesAtOnce)
		lines := s.waiting[:n:n]
		s.waiting = s.waiting[n:]
		s.mu.Unlock()
		if n == 0 {
			return
		}
		payload, err := s.event(lines)
		if err != nil {
			s.h.failed("pack log lines", s.to.Name, err)
			return
		}
		s.h.callUntilDone(fmt.Sprintf("%d lines of %s", n, s.GroupName), s.to, payload)
	}
}

// event returns the lines as an event of CloudWatch Logs: JSON, gzip, base64.
func (s *subscription) event(lines []events.CloudwatchLogsLogEvent) ([]byte, error) {
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestSpeed) // a valid level
	err := json.NewEncoder(z).Encode(events.CloudwatchLogsData{
		Owner: template.Account, LogGroup: s.GroupName, LogStream: s.stream, SubscriptionFilters: []string{s.Name},
		MessageType: "DATA_MESSAGE", LogEvents: lines,
	})
	if err := errors.Join(err, z.Close()); err != nil {
		return nil, err
	}
	data := base64.StdEncoding.EncodeToString(packed.Bytes())
	return json.Marshal(events.CloudwatchLogsEvent{AWSLogs: events.CloudwatchLogsRawData{Data: data}})
}
