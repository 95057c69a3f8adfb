package carrier

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"

	"aviso/internal/cancellation"
)

const jsonAPI = "application/vnd.api+json"

// apiCall is a call to Pingen's API. header and body are optional.
type apiCall struct {
	operation string
	method    string
	url       *url.URL
	header    map[string]string
	body      any
}

// call makes a call with a token. If the API rejects the token, call retries once
// with a new one: tokens become invalid early when the secret changes. It returns
// the response's status even with a failure.
func (p *Post) call(ctx context.Context, c apiCall) (response, *cancellation.CarrierError) {
	r := request{operation: c.operation, method: c.method, url: c.url, header: map[string]string{"Accept": jsonAPI}}
	maps.Copy(r.header, c.header)
	if c.body != nil {
		body, err := json.Marshal(c.body)
		if err != nil {
			e := busy(c.operation, 0)
			e.Err = err
			return response{}, e
		}
		r.body, r.header["Content-Type"] = body, jsonAPI
	}
	for attempt := 0; ; attempt++ {
		token, failure := p.tokens.get(ctx)
		if failure != nil {
			return response{}, failure
		}
		r.header["Authorization"] = "Bearer " + token
		a, err := p.client.do(ctx, r)
		switch {
		case err != nil:
			return response{}, noResponse(c.operation, err)
		case a.ok():
			return a, nil
		case a.status != http.StatusUnauthorized || attempt > 0:
			return a, p.client.failed(c.operation, a)
		}
		p.tokens.forget(token)
	}
}

// letterCall makes a call that returns a letter. If id is set, the letter must have
// that ID.
func (p *Post) letterCall(ctx context.Context, c apiCall, id string) (letter, *cancellation.CarrierError) {
	a, failure := p.call(ctx, c)
	if failure != nil {
		return letter{}, failure
	}
	return parseLetter(c.operation, a, id)
}

func parseLetter(operation string, a response, id string) (letter, *cancellation.CarrierError) {
	var answered struct {
		Data letter `json:"data"`
	}
	l := &answered.Data
	if unmarshal(a.body, &answered) != nil || l.Type != typeLetters || !idShape.fits(l.ID) || id != "" && l.ID != id {
		return letter{}, malformed(operation)
	}
	return *l, nil
}
