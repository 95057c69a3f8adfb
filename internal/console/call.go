package console

import (
	"errors"
	"fmt"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/aws/config"
	"aviso/internal/console/feed"
	"aviso/internal/identity"
	"aviso/internal/observe"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// maxForm is far larger than any of the console's forms.
const maxForm = 64 << 10

// Call is one authorized request.
type Call struct {
	*http.Request
	// Session is empty on a route for Anybody.
	Session Session
	// Form has the fields of a POST.
	Form url.Values
	Now  time.Time

	w      http.ResponseWriter
	status int // of the answer; 0 until there is one
	detail string
	entry  feed.Entry // of the audit log
}

// Partner returns the partner whose data the call may see.
func (c *Call) Partner() owner.PartnerID { return c.Session.Partner }

// Note adds the object of the action, such as its ID, to the audit log. It must not be a secret.
func (c *Call) Note(detail string) { c.detail = detail }

// Answer is the answer to a call: a Page, a Redirect or a File.
type Answer interface {
	write(console *Console, c *Call) error
}

// Redirect sends the browser to another page, which shows Done.
type Redirect struct{ To, Done string }

func (r Redirect) write(console *Console, c *Call) error {
	if r.Done != "" {
		c.Session.Flash = r.Done
		console.keep(c.w, c.Session)
	}
	c.w.Header().Set("Location", r.To)
	c.send(http.StatusSeeOther, "", nil)
	return nil
}

// send writes an answer whose other headers are already set.
func (c *Call) send(status int, media string, body []byte) {
	if media != "" {
		c.w.Header().Set("Content-Type", media)
	}
	c.status = status
	c.w.WriteHeader(status)
	_, _ = c.w.Write(body)
}

// handle answers the requests of a route. It checks the session and the role, writes the audit log, and turns errors
// into pages.
func (c *Console) handle(route Route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id, ok := observe.ParseTrace(r.Header.Get(observe.TraceHeader))
		if !ok {
			id = observe.NewTrace()
		}
		call := &Call{Request: r.WithContext(observe.WithTrace(r.Context(), id)), Now: c.Now(), w: w}
		c.setHeaders(w.Header())
		var cause error
		defer func() {
			if p := recover(); p != nil {
				cause = c.fail(call, fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
			}
			c.logLine(call, route, cause)
		}()
		answer, err := c.answer(call, route)
		if err == nil {
			err = answer.write(c, call)
		}
		if err != nil {
			cause = c.fail(call, err)
		}
	})
}

// answer admits the call and runs the route's handler.
func (c *Console) answer(call *Call, route Route) (Answer, error) {
	if route.Role > Anybody {
		session, err := c.session(call.Request)
		if errors.Is(err, errNoSession) {
			return c.toSignIn(call), nil
		}
		if errors.Is(err, identity.ErrDisabled) {
			c.setCookie(call.w, sessionCookie, "", 0)
			return disabledPage(), nil
		}
		if err != nil {
			return nil, err
		}
		call.Session = session
		c.renew(call)
		if session.Role < route.Role {
			return forbidden(session.Role, route.Role), nil
		}
	}
	ids, ok := idsIn(route.Path, call.Request)
	if !ok {
		return notFoundPage(), nil
	}
	if call.Method == http.MethodPost {
		if err := call.readForm(); err != nil {
			return nil, err
		}
	}
	if route.Role == Anybody || route.Action == "" {
		return route.Do(call)
	}
	return c.audited(call, route, ids)
}

// readForm reads the fields of a form.
func (c *Call) readForm() error {
	media, _, err := mime.ParseMediaType(c.Header.Get("Content-Type"))
	if err != nil || media != "application/x-www-form-urlencoded" {
		return apierror.New(apierror.UnsupportedMediaType, "This is not a form. Go back and try again.")
	}
	c.Body = http.MaxBytesReader(c.w, c.Body, maxForm)
	if err := c.ParseForm(); err != nil {
		return apierror.New(apierror.MalformedRequest, "The form could not be read. Go back and try again.")
	}
	c.Form = c.PostForm
	return nil
}

// fail writes the page for an error, and returns the error if it is our failure.
func (c *Console) fail(call *Call, err error) (cause error) {
	page := pageOfError(err)
	if page.Status == http.StatusInternalServerError {
		cause = err
		page.Note = string(observe.TraceFrom(call.Context()))
	}
	if err := page.write(c, call); err != nil {
		cause = errors.Join(cause, err)
		call.send(http.StatusInternalServerError, "text/plain; charset=utf-8", []byte("This page is not available.\n"))
	}
	return cause
}

// pageOfError returns the page for an error of a handler.
func pageOfError(err error) Page {
	if isNotFound(err) {
		return notFoundPage()
	}
	refusal, ok := errors.AsType[*apierror.Error](err)
	if !ok {
		return Page{Status: http.StatusInternalServerError, Title: "This page is not available", Template: "trouble"}
	}
	return messagePage(refusalStatus(refusal.Code), "That did not work", refusal.Detail)
}

func refusalStatus(code apierror.Code) int {
	switch code {
	case apierror.ValidationFailed:
		return http.StatusUnprocessableEntity
	case apierror.MalformedRequest:
		return http.StatusBadRequest
	case apierror.UnsupportedMediaType:
		return http.StatusUnsupportedMediaType
	case apierror.RateLimited, apierror.RefreshTooEarly:
		return http.StatusTooManyRequests
	default:
		return http.StatusConflict
	}
}

// setHeaders sets the headers of every answer. A page loads files only from the console.
func (c *Console) setHeaders(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; "+
		"form-action 'self'; frame-ancestors 'none'; base-uri 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	if c.secure() {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
}

// logLine writes the one line of a request.
func (c *Console) logLine(call *Call, route Route, cause error) {
	level := slog.LevelInfo
	attrs := []slog.Attr{
		slog.String("Service", "console"), slog.String("Route", strings.TrimSpace(route.Method+" "+route.Path)),
		slog.String("method", call.Method), slog.Int("status", call.status),
		slog.Float64("Duration", observe.Milliseconds(c.Now().Sub(call.Now))),
		slog.String("partner", string(call.Partner())), slog.String("role", call.Session.Role.String()),
	}
	if call.entry.Action != "" {
		attrs = append(attrs, slog.String("action", call.entry.Action), slog.String("auditId", call.entry.ID))
	}
	if cause != nil {
		level = slog.LevelError
		attrs = append(attrs, slog.String("error", cause.Error()))
	}
	c.Log.LogAttrs(call.Context(), level, "request", attrs...)
}

// isNotFound reports whether an error means that the object does not exist.
func isNotFound(err error) bool {
	return errors.Is(err, outcome.ErrNotFound) || apierror.Is(err, apierror.NotFound)
}

// docs links to the documentation, which only the local stack serves.
func (c *Console) docs(to, text string) Link {
	if c.Stage != config.Local {
		return Link{}
	}
	return Link{to, text}
}

func messagePage(status int, title, text string) Page {
	return Page{Status: status, Title: title, Template: "message", Note: text, Links: []Link{{Path, "Overview"}}}
}

func notFoundPage() Page {
	return messagePage(http.StatusNotFound, "There is no such page",
		"It may have been deleted, its data may have expired, or it belongs to another partner.")
}

func forbidden(has, needs Role) Page {
	return messagePage(http.StatusForbidden, "Your role may not do this",
		fmt.Sprintf("It needs the role %s, and yours is %s. Ask whoever manages your accounts.", needs, has))
}

// disabledPage tells a disabled partner's people why they see nothing.
func disabledPage() Page {
	return messagePage(http.StatusForbidden, "Your company is disabled", "The operator of Aviso has disabled it. "+
		"Its calls get 401, its syncs and letters wait, and it gets no callbacks. Ask the operator.")
}

func pageNotFound(call *Call) (Answer, error) {
	if call.URL.Path == Path+"/" {
		return Redirect{To: Path}, nil
	}
	return notFoundPage(), nil
}

func crossOrigin(*Call) (Answer, error) {
	return messagePage(http.StatusForbidden, "This form came from another site",
		"The console accepts forms from its own pages only. Open the page here and try again."), nil
}

// methodNotAllowed returns a handler for a path whose routes have other methods.
func methodNotAllowed(methods []string) Handler {
	slices.Sort(methods)
	return func(call *Call) (Answer, error) {
		call.w.Header().Set("Allow", strings.Join(methods, ", "))
		return messagePage(http.StatusMethodNotAllowed, "Method not allowed", "Go back and try again."), nil
	}
}
