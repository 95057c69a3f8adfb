package api

import (
	"context"

	"aviso/internal/accesstoken"
	"aviso/internal/owner"
)

// call is what the plumbing knows of the request under way. The steps of a
// route fill it in; the log line at the end reads it.
type call struct {
	id        string
	route     string
	principal accesstoken.Principal
	user      owner.UserID
	baseURL   string
	cause     error // of an internal error, for the log only
	replayed  bool
}

type callKey struct{}

func withCall(ctx context.Context, c *call) context.Context {
	return context.WithValue(ctx, callKey{}, c)
}

// callFrom is never nil, so that a handler in a test needs no plumbing.
func callFrom(ctx context.Context) *call {
	if c, ok := ctx.Value(callKey{}).(*call); ok {
		return c
	}
	return &call{}
}

// Partner is whom the access token speaks for.
func Partner(ctx context.Context) owner.PartnerID { return callFrom(ctx).principal.Partner }

// User is the acting user of the partner, from X-User-Id. Whether there is such
// a user is for the service to say.
func User(ctx context.Context) owner.User {
	c := callFrom(ctx)
	return owner.User{Partner: c.principal.Partner, ID: c.user}
}

// BaseURL is the public address of the service, without a slash at the end.
func BaseURL(ctx context.Context) string { return callFrom(ctx).baseURL }

// RequestID is the X-Request-Id of the request.
func RequestID(ctx context.Context) string { return callFrom(ctx).id }

// NoteCause puts why a page or redirect went wrong into the log line, without a
// problem document.
func NoteCause(ctx context.Context, err error) { callFrom(ctx).cause = err }
