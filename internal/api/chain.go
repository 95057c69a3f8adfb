package api

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"aviso/internal/api/apierror"
	"aviso/internal/api/token"
	"aviso/internal/clock"
	"aviso/internal/owner"
)

// chain runs the steps before a route's handler: token, rate limit, scope, user, query, body, idempotency key. The
// first refusal ends the request.
func (r *Router) chain(rt *route, h http.Handler) http.Handler {
	if rt.Creates {
		h = r.idempotent(rt.ActsElsewhere, h)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		c := callFrom(req.Context())
		c.route, c.operation = rt.Method+" "+rt.Path, rt.ID
		if rt.Deprecated != nil {
			for name, value := range rt.Deprecated.Headers() {
				w.Header().Set(name, value)
			}
		}
		for _, step := range []func(http.ResponseWriter, *http.Request, *route) error{
			r.authenticate, r.admit, r.actFor, r.checkRequestID, r.checkText, r.checkQuery, r.readBody,
		} {
			if err := step(w, req, rt); err != nil {
				WriteProblem(w, req, err)
				return
			}
		}
		ctx, err := clock.For(req.Context(), r.opts.Clocks, r.userOf(req))
		if err != nil {
			WriteProblem(w, req, err)
			return
		}
		h.ServeHTTP(w, req.WithContext(ctx))
	})
}

// authenticate verifies the access token (RFC 6750).
func (r *Router) authenticate(w http.ResponseWriter, req *http.Request, rt *route) error {
	if rt.Scope == Public {
		return nil
	}
	c := callFrom(req.Context())
	scheme, bearer, _ := strings.Cut(req.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || strings.TrimSpace(bearer) == "" {
		w.Header().Set(headerAuthenticate, "Bearer")
		return apierror.New(apierror.Unauthorized, "The request needs an access token: Authorization: Bearer <token>.")
	}
	principal, err := r.opts.VerifyToken(req.Context(), strings.TrimSpace(bearer), c.baseURL)
	if errors.Is(err, token.ErrInvalid) {
		w.Header().Set(headerAuthenticate, `Bearer error="invalid_token"`)
		return apierror.New(apierror.Unauthorized, "The access token is invalid or has expired.")
	}
	if err != nil {
		return err
	}
	c.principal = principal
	return nil
}

// admit checks the partner's rate limit, then its scopes.
func (r *Router) admit(w http.ResponseWriter, req *http.Request, rt *route) error {
	if rt.Scope == Public {
		return nil
	}
	p := callFrom(req.Context()).principal
	if err := r.limits.take(p.Partner, w.Header()); err != nil {
		return err
	}
	if !p.Has(string(rt.Scope)) {
		w.Header().Set(headerAuthenticate, `Bearer error="insufficient_scope", scope="`+string(rt.Scope)+`"`)
		return apierror.New(apierror.InsufficientScope, "The access token lacks the scope "+string(rt.Scope)+".")
	}
	return nil
}

// actFor reads the acting user. The service checks whether that user exists.
func (r *Router) actFor(_ http.ResponseWriter, req *http.Request, rt *route) error {
	if !rt.ForUser {
		return nil
	}
	sent := req.Header.Get(headerUser)
	id, err := uuid.Parse(sent)
	if err != nil || len(sent) != len(id.String()) {
		return apierror.WithFields(apierror.UserIDRequired,
			"Send the ID of the user that the request is for, in the header X-User-Id.",
			apierror.Field{Header: headerUser, Code: "uuid", Detail: "Must be the UUID of a Partner User."})
	}
	callFrom(req.Context()).user = owner.UserID(id.String())
	return nil
}

// userOf returns the request's user: the acting user, or the user in the path.
func (r *Router) userOf(req *http.Request) owner.User {
	c := callFrom(req.Context())
	return owner.User{Partner: c.principal.Partner, ID: cmp.Or(c.user, owner.UserID(req.PathValue("userId")))}
}

// checkRequestID rejects a request ID that is not safe to echo, as the operation's description says.
func (r *Router) checkRequestID(_ http.ResponseWriter, req *http.Request, rt *route) error {
	if rt.raw || isRequestID(sentRequestID(req)) {
		return nil
	}
	return apierror.Invalid(apierror.Field{
		Header: headerRequestID, Code: "invalid",
		Detail: fmt.Sprintf("Must have at most %d characters, all of them visible ASCII.", maxRequestID),
	})
}

// readBody reads the whole body and checks its size and media type.
func (r *Router) readBody(w http.ResponseWriter, req *http.Request, rt *route) error {
	if !rt.hasBody && !rt.Form {
		return nil
	}
	if coding := req.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		w.Header().Set("Accept-Encoding", "identity") // RFC 9110, 12.5.3
		return apierror.New(apierror.UnsupportedMediaType, "Send the body without a content coding, such as gzip.")
	}
	body, err := io.ReadAll(io.LimitReader(req.Body, MaxBody+1))
	if err != nil {
		return apierror.New(apierror.MalformedRequest, "The body is incomplete.")
	}
	if len(body) > MaxBody {
		return apierror.New(apierror.PayloadTooLarge, "The body may be at most 256 KB.")
	}
	req.Body = io.NopCloser(bytes.NewReader(body))
	want := "application/json"
	if rt.Form {
		want = "application/x-www-form-urlencoded"
	}
	media, params, err := mime.ParseMediaType(req.Header.Get("Content-Type"))
	if len(body) > 0 && (err != nil || media != want || !utf8Charset(params["charset"])) {
		return apierror.New(apierror.UnsupportedMediaType, "Send the body as "+want+" in UTF-8.")
	}
	req.Header.Set("Content-Type", want) // the only spelling that Huma recognizes
	if rt.Form || len(body) == 0 {
		return nil
	}
	callFrom(req.Context()).body = body
	return checkJSON(body)
}

func utf8Charset(charset string) bool { return charset == "" || strings.EqualFold(charset, "utf-8") }
