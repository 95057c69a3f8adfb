package replyreaderfn

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/cancellation/reply/inbox"
	"aviso/internal/clock"
	"aviso/internal/outcome"
)

// A test's mail waits a little for a letter that is on its way, because its sender gets no other chance.
const (
	patience = 5 * time.Second
	pause    = 250 * time.Millisecond
)

// testMail returns what receives mail that a partner delivers.
func testMail(in *inbox.Inbox) func(context.Context, []byte) error {
	return func(ctx context.Context, raw []byte) error {
		m, err := inbox.Parse(raw)
		if err != nil {
			return apierror.New(apierror.MalformedRequest, "The body is not a mail: it needs a head with the field From.")
		}
		d := inbox.Delivery{To: m.To, Raw: raw, Verdicts: verdicts(m.Authentication)}
		for waited := time.Duration(0); ; waited += pause {
			err := in.Receive(ctx, d)
			if _, early := errors.AsType[*outcome.Later](err); !early {
				return err
			}
			if waited >= patience || !clock.Wait(ctx, pause) {
				return apierror.New(apierror.Conflict, "The letter has not been sent yet.")
			}
		}
	}
}

// result matches a method and its result in the field Authentication-Results (RFC 8601).
var result = regexp.MustCompile(`\b(spf|dkim|dmarc)\s*=\s*(pass|fail|none|neutral|softfail|temperror|permerror)\b`)

// verdicts returns what the mail itself says, because there is no server that found it out.
func verdicts(results string) (v inbox.Verdicts) {
	for _, m := range result.FindAllStringSubmatch(strings.ToLower(results), -1) {
		status := strings.ToUpper(m[2])
		switch m[1] {
		case "spf":
			v.SPF = status
		case "dkim":
			v.DKIM = status
		default:
			v.DMARC = status
		}
	}
	return v
}
