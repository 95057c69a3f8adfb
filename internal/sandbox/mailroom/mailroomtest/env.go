// Package mailroomtest runs the sandbox's carriers in tests, with a clock that tests set.
package mailroomtest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"
	"github.com/stretchr/testify/require"

	"aviso/internal/clock"
	"aviso/internal/sandbox"
	"aviso/internal/sandbox/mailroom"
	"aviso/internal/sandbox/sandboxdb"
)

// BaseURL is the public address of the sandbox.
const BaseURL = "https://aviso.test"

// Start returns the time at which tests start.
func Start() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }

// Post returns the credentials of the post office.
func Post() mailroom.PostCredentials {
	return mailroom.PostCredentials{ClientID: "client", ClientSecret: "client-secret",
		OrganisationID: "a72dd1c9-0457-5e82-8dab-d578a21308e0", WebhookSecret: "signing-key"}
}

// Fax returns the credentials of the fax gateway.
func Fax() mailroom.FaxCredentials {
	return mailroom.FaxCredentials{ProjectID: "project", KeyID: "key", KeySecret: "key-secret"}
}

// Callback is a request from a carrier to the service.
type Callback struct {
	URL    string
	Header http.Header
	Body   []byte
}

// Env runs both carriers with a test clock.
type Env struct {
	Store     mailroom.Store
	Processor *mailroom.Processor
	mux       *http.ServeMux
	// Answer is the status that the service returns to callbacks: 200 if zero, no
	// response if negative.
	Answer int
	// Told is what the service says what time it is for the user.
	Told string
	// Fails, if set, is called before every read of a row and every write.
	Fails func() error

	mu        sync.Mutex
	now       time.Time
	steps     []due
	callbacks []Callback
}

type due struct {
	at   time.Time
	step mailroom.Step
}

// New returns an Env whose store is this table.
func New(db *dynamodb.Client, table string) *Env {
	w := &Env{now: Start(), mux: http.NewServeMux()}
	fail := middleware.InitializeMiddlewareFunc("fail", func(ctx context.Context, in middleware.InitializeInput,
		next middleware.InitializeHandler) (out middleware.InitializeOutput, _ middleware.Metadata, err error) {
		if _, lists := in.Parameters.(*dynamodb.QueryInput); !lists && w.Fails != nil {
			if err := w.Fails(); err != nil {
				return out, middleware.Metadata{}, err
			}
		}
		return next.HandleInitialize(ctx, in)
	})
	db = dynamodb.New(db.Options(), func(o *dynamodb.Options) {
		o.APIOptions = append(o.APIOptions, func(s *middleware.Stack) error {
			return s.Initialize.Add(fail, middleware.Before)
		})
	})
	w.Processor = sandbox.Carriers(sandbox.Options{
		BaseURL: BaseURL, Scheduler: w, Post: Post(), Fax: Fax(), MailToken: "mail-token", Now: w.Now,
		SlowAnswer: 20 * time.Millisecond, Log: slog.New(slog.DiscardHandler),
	}, w.mux, sandboxdb.New(db, table, w.Now), &http.Client{Transport: w})
	w.Store = w.Processor.Store
	return w
}

// Now returns the current time of the test clock.
func (w *Env) Now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

// Schedule implements mailroom.Scheduler's.
func (w *Env) Schedule(_ context.Context, after time.Duration, step mailroom.Step) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if after < 0 || after > mailroom.MaxDelay {
		panic("SQS cannot delay for " + after.String())
	}
	w.steps = append(w.steps, due{w.now.Add(after), step})
	return nil
}

// Steps returns the scheduled steps.
func (w *Env) Steps() []mailroom.Step {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []mailroom.Step
	for _, d := range w.steps {
		out = append(out, d.step)
	}
	return out
}

// AdvanceTime moves the clock and runs the steps that fall due. A failed step runs again
// after the queue's visibility timeout.
func (w *Env) AdvanceTime(t testing.TB, d time.Duration) {
	t.Helper()
	end := w.Now().Add(d)
	for {
		w.mu.Lock()
		slices.SortStableFunc(w.steps, func(a, b due) int { return a.at.Compare(b.at) })
		if len(w.steps) == 0 || w.steps[0].at.After(end) {
			w.now = end
			w.mu.Unlock()
			return
		}
		s := w.steps[0]
		w.steps = w.steps[1:]
		if s.at.After(w.now) {
			w.now = s.at
		}
		w.mu.Unlock()
		if err := w.Processor.Advance(t.Context(), s.step); err != nil {
			require.NotNil(t, w.Fails, err)
			w.mu.Lock()
			w.steps = append(w.steps, due{w.now.Add(2 * time.Minute), s.step})
			w.mu.Unlock()
		}
	}
}

// RoundTrip receives the callbacks of the carriers.
func (w *Env) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.callbacks = append(w.callbacks, Callback{r.URL.String(), r.Header.Clone(), body})
	status := w.Answer
	switch {
	case status < 0:
		return nil, context.DeadlineExceeded
	case status == 0:
		status = http.StatusOK
	}
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
}

// Callbacks returns the requests that the service has received so far.
func (w *Env) Callbacks() []Callback {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.callbacks)
}

// Do sends a request to a path of the sandbox or to a URL.
func (w *Env) Do(t testing.TB, method, target string, headers map[string]string,
	body []byte) *httptest.ResponseRecorder {
	t.Helper()
	if strings.HasPrefix(target, "/") {
		target = BaseURL + target
	}
	req := httptest.NewRequestWithContext(t.Context(), method, target, bytes.NewReader(body))
	req.Header.Set(clock.Header, w.Told)
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	rec := httptest.NewRecorder()
	w.mux.ServeHTTP(rec, req)
	return rec
}

// Form posts a form.
func (w *Env) Form(t testing.TB, path string, fields ...string) *httptest.ResponseRecorder {
	t.Helper()
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	return w.Do(t, http.MethodPost, path, map[string]string{"Content-Type": "application/x-www-form-urlencoded"},
		[]byte(form.Encode()))
}

// PDF returns an A4 letter with an address in the left window.
func PDF(t testing.TB, pages int, address ...string) []byte {
	t.Helper()
	return paper{width: 595, height: 842, pages: pages, address: address}.bytes()
}

// Letter returns a PDF in US letter format.
func Letter(t testing.TB) []byte {
	t.Helper()
	return paper{width: 612, height: 792, pages: 1, address: []string{"Somebody"}}.bytes()
}

// paper is a PDF without compression. Its first object is the tree of its pages.
type paper struct {
	width, height, pages int // points
	address              []string
}

func (p paper) bytes() []byte {
	const pageTree, font, firstPage = 1, 2, 3 // each page has its content after it
	escape := strings.NewReplacer("(", `\(`, ")", `\)`, `\`, `\\`).Replace
	b := bytes.NewBufferString("%PDF-1.4\n")
	var offsets []int
	add := func(format string, args ...any) {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(b, "%d 0 obj\n%s\nendobj\n", len(offsets), fmt.Sprintf(format, args...))
	}
	var kids, content strings.Builder
	for i, line := range append(p.address, "Dear all,") {
		top := 156 + 14*i // points from the upper edge
		if i == len(p.address) {
			top = 312
		}
		fmt.Fprintf(&content, "BT /F1 11 Tf 71 %d Td (%s) Tj ET\n", p.height-top, escape(line))
	}
	for i := range p.pages {
		fmt.Fprintf(&kids, "%d 0 R ", firstPage+2*i)
	}
	add("<</Type /Pages /Kids [%s] /Count %d /MediaBox [0 0 %d %d]>>", kids.String(), p.pages, p.width, p.height)
	add("<</Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding>>")
	for range p.pages {
		add("<</Type /Page /Parent %d 0 R /Resources <</Font <</F1 %d 0 R>>>> /Contents %d 0 R>>", pageTree, font, len(offsets)+2)
		add("<</Length %d>>\nstream\n%sendstream", content.Len(), content.String())
	}
	add("<</Type /Catalog /Pages %d 0 R>>", pageTree)
	xref := b.Len()
	fmt.Fprintf(b, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, offset := range offsets {
		fmt.Fprintf(b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(b, "trailer\n<</Size %d /Root %d 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, len(offsets), xref)
	return b.Bytes()
}
