package carrier

import (
	"context"
	"net/url"

	"aviso/internal/observe"
)

// SandboxOptions are the options of MailCopy and LetterClock.
type SandboxOptions struct {
	Common
	// BaseURL is that of the sandbox's mailbox or clock; required.
	BaseURL string
	// Token authenticates us there; required.
	Token observe.Secret
}

// sandbox makes calls to a part of the sandbox.
type sandbox struct {
	client *client
	base   *url.URL
	token  observe.Secret
}

func newSandbox(o SandboxOptions) (sandbox, error) {
	base, err := parseBase("BaseURL", o.BaseURL)
	return sandbox{client: newClient(o.Common), base: base, token: o.Token}, err
}

// call makes a call. body and into are optional.
func (s sandbox) call(ctx context.Context, operation, method, path string, body, into any) error {
	_, failure := s.client.do(ctx, request{
		operation: operation, method: method, url: s.base.JoinPath(path), authorization: "Bearer " + s.token,
		body: body, into: into,
	})
	if failure != nil {
		return failure
	}
	return nil
}
