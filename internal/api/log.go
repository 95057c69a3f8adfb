package api

import (
	"cmp"
	"log/slog"
	"net/http"
	"time"

	"github.com/aws/aws-lambda-go/lambdacontext"

	"aviso/internal/observe"
	"aviso/internal/outcome"
)

// log writes one line for each request, without personal data: no user's ID, token, body or query.
func (r *Router) log(req *http.Request, c *call, a *answer, started time.Time, calls *observe.Calls) {
	cold := false
	r.coldOnce.Do(func() { cold = true })
	took := r.opts.Now().Sub(started)
	route := cmp.Or(c.route, "unknown")
	level := slog.LevelInfo
	attrs := []slog.Attr{
		slog.String("requestId", c.id),
		slog.String("Service", r.opts.Service),
		slog.String("Route", route),
		slog.String("operation", c.operation),
		slog.String("problem", string(c.code)),
		slog.String("method", req.Method),
		slog.Int("status", a.status),
		slog.Float64("Duration", observe.Milliseconds(took)),
		slog.Int64("AwsCalls", calls.Count()), slog.Int64("AwsRetries", calls.Retries()),
		slog.Int("bytes", len(a.body)),
		slog.Bool("coldStart", cold),
		slog.String("partner", string(c.principal.Partner)),
		slog.Bool("replayed", c.replayed),
		slog.String("userDigest", User(req.Context()).Digest()),
		slog.Int("Failures", failures(a.status)),
	}
	if len(c.faults) > 0 {
		attrs = append(attrs, slog.Any("faults", c.faults))
	}
	if n := failures(a.status); n > 0 {
		metrics := []observe.Metric{observe.ServerErrors}
		attrs = append(attrs, slog.Int(string(observe.ServerErrors), n))
		if !outcome.IsWait(c.cause) { // failures of banks and carriers must not stop a deployment
			metrics = append(metrics, observe.VersionErrors)
			attrs = append(attrs,
				slog.Int(string(observe.VersionErrors), n), slog.String("Version", lambdacontext.FunctionVersion))
		}
		attrs = append(attrs, observe.EMF(started, metrics...))
	}
	if c.cause != nil {
		level = slog.LevelError
		attrs = append(attrs, slog.String("error", c.cause.Error()))
	}
	r.opts.Log.LogAttrs(req.Context(), level, "request", attrs...)
}

func failures(status int) int {
	if status >= http.StatusInternalServerError {
		return 1
	}
	return 0
}
