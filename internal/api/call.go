package api

import (
	"context"
	"net/http"

	"github.com/google/uuid"

	"aviso/internal/api/apierror"
	"aviso/internal/api/token"
	"aviso/internal/owner"
)

// call is the state of the current request. The steps of a route fill it in; the log
// line at the end reads it.
type call struct {
	id        string
	route     string
	operation string
	principal token.Principal
	user      owner.UserID
	baseURL   string
	cause     error         // cause of an internal error; only logged
	code      apierror.Code // of the problem document in the answer
	faults    []string      // the template's fields in it, with what is wrong; not what was sent
	replayed  bool
	input     any              // of the operation
	body      []byte           // of a request in JSON
	invalid   []apierror.Field // the parts of the body that do not match its schema
	// key is a digest of the idempotency key and its request; empty without one.
	key string
	// pending is the answer that the operation's transaction stores; nil without an idempotency key.
	pending *pendingAnswer
}

type callKey struct{}

func withCall(ctx context.Context, c *call) context.Context {
	return context.WithValue(ctx, callKey{}, c)
}

// callFrom returns the call of ctx. It never returns nil, so tests can call a handler directly.
func callFrom(ctx context.Context) *call {
	if c, ok := ctx.Value(callKey{}).(*call); ok {
		return c
	}
	return &call{}
}

// problem returns the problem document for err. It notes the code for the log line, and the cause of an internal
// error.
func (c *call) problem(err error) *Problem {
	p := NewProblem(c.id, err)
	c.code, c.faults = p.Code, faultsIn(p)
	if p.Status >= http.StatusInternalServerError && c.cause == nil {
		c.cause = err
	}
	return p
}

// maxFaults limits the faults in a log line.
const maxFaults = 20

// faultsIn returns the template's fields that a problem names, each with its code.
func faultsIn(p *Problem) (faults []string) {
	for _, f := range p.Errors {
		if f.FieldKey != "" && len(faults) < maxFaults {
			faults = append(faults, f.FieldKey+" "+f.Code)
		}
	}
	return faults
}

// Partner returns the partner that the access token was issued to.
func Partner(ctx context.Context) owner.PartnerID { return callFrom(ctx).principal.Partner }

// HasScope reports whether the access token has a scope.
func HasScope(ctx context.Context, s Scope) bool { return callFrom(ctx).principal.Has(string(s)) }

// User returns the acting user of the partner, from X-User-Id. The service checks
// whether that user exists.
func User(ctx context.Context) owner.User {
	c := callFrom(ctx)
	return owner.User{Partner: c.principal.Partner, ID: c.user}
}

// BaseURL returns the public address of the service, without a trailing slash.
func BaseURL(ctx context.Context) string { return callFrom(ctx).baseURL }

// RequestID returns the X-Request-Id of the request.
func RequestID(ctx context.Context) string { return callFrom(ctx).id }

// RequestUUID returns a UUID for objects that the request creates in another system. A request repeated with its
// idempotency key gets the same UUID.
func RequestUUID(ctx context.Context) string {
	c := callFrom(ctx)
	if c.key == "" {
		return uuid.NewString()
	}
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte(string(c.principal.Partner)+"/"+string(c.user)+"/"+c.key)).String()
}

// NoteCause logs why a page or redirect failed, without a problem document. A failure of another service is a normal
// *outcome.Later.
func NoteCause(ctx context.Context, err error) { callFrom(ctx).cause = err }
