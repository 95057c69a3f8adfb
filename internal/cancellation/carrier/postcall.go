package carrier

import (
	"context"
	"encoding/json"
	"net/http"

	"aviso/internal/cancellation"
)

const jsonAPI = "application/vnd.api+json"

// call makes a call with a token. If the API rejects the token, call retries once
// with a new one: tokens become invalid early when the secret changes. It returns
// the response's status even with a failure.
func (p *Post) call(ctx context.Context, r request) (response, *cancellation.CarrierError) {
	r.media = jsonAPI
	for attempt := 0; ; attempt++ {
		token, failure := p.tokens.get(ctx)
		if failure != nil {
			return response{}, failure
		}
		r.authorization = "Bearer " + token
		a, failure := p.client.do(ctx, r)
		if a.status != http.StatusUnauthorized || attempt > 0 {
			return a, failure
		}
		p.tokens.forget(token)
	}
}

// letterCall makes a call that returns a letter. If id is set, the letter must have
// that ID.
func (p *Post) letterCall(ctx context.Context, r request, id string) (letter, *cancellation.CarrierError) {
	a, failure := p.call(ctx, r)
	if failure != nil {
		return letter{}, failure
	}
	return parseLetter(r.operation, a, id)
}

func parseLetter(operation string, a response, id string) (letter, *cancellation.CarrierError) {
	var answered struct {
		Data letter `json:"data"`
	}
	l := &answered.Data
	if json.Unmarshal(a.body, &answered) != nil || l.Type != typeLetters || !idPattern.MatchString(l.ID) || id != "" && l.ID != id {
		return letter{}, malformed(operation)
	}
	return *l, nil
}
