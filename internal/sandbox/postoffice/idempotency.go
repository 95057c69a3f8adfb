package postoffice

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"time"
	"unicode/utf8"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/mailroom"
)

// change is what a call does to a letter, and its response.
type change struct {
	letter mailroom.Letter
	// document is the document of a new letter.
	document []byte
	status   int
	// silent means that the response has no body.
	silent bool
}

// replayLife is how long an idempotency key is stored.
const replayLife = 24 * time.Hour

// idempotent runs a change only once for each key. It stores the response in the same
// write as the change, so that neither exists without the other.
func (s *Server) idempotent(call func(*http.Request) (change, error)) mailroom.Call {
	return func(r *http.Request) (mailroom.Reply, error) {
		key, request, err := s.key(r)
		if err != nil {
			return mailroom.Reply{}, err
		}
		if key != "" {
			if a, err := s.replay(r.Context(), key, request); !errors.Is(err, outcome.ErrNotFound) {
				return a, err
			}
		}
		c, err := call(r)
		if err != nil {
			return mailroom.Reply{}, err
		}
		a := mailroom.Reply{Status: c.status}
		if !c.silent {
			a = s.reply(c.status, c.letter)
		}
		var more []mailroom.Record
		if key != "" {
			more = append(more, mailroom.Answer{ID: key, Request: request, Status: a.Status, Body: a.Body,
				Forget: s.Now().Add(replayLife)})
		}
		if c.document == nil {
			err = s.Processor.Change(r.Context(), c.letter, more...)
		} else {
			more = append(more, mailroom.Document{LetterID: c.letter.ID, Content: c.document,
				Forget: c.letter.KeepUntil()})
			err = s.Processor.Receive(r.Context(), c.letter, more...)
		}
		if errors.Is(err, outcome.ErrChanged) && key != "" {
			// The same request may just have finished.
			if a, replayed := s.replay(r.Context(), key, request); replayed == nil {
				return a, nil
			}
		}
		return a, err
	}
}

// key reads the idempotency key and returns digests of it and of the request.
func (s *Server) key(r *http.Request) (key, request string, err error) {
	sent := r.Header.Get("Idempotency-Key")
	if sent == "" {
		return "", "", nil
	}
	if utf8.RuneCountInString(sent) > 64 {
		return "", "", badRequest("The Idempotency-Key must have 1 to 64 characters.")
	}
	body, err := readBody(r)
	if err != nil {
		return "", "", err
	}
	return digest(s.credentials.OrganisationID + "\n" + sent),
		digest(r.Method + "\n" + r.URL.Path + "\n" + string(body)), nil
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// replay returns the stored response for the key, or ErrNotFound.
func (s *Server) replay(ctx context.Context, key, request string) (mailroom.Reply, error) {
	was, err := s.Processor.Store.Answer(ctx, key)
	switch {
	case err != nil:
		return mailroom.Reply{}, err
	case was.Request != request:
		return mailroom.Reply{}, mailroom.NewError(http.StatusUnprocessableEntity,
			"The Idempotency-Key was used for a different request.")
	}
	header := map[string]string{"Idempotent-Replayed": "true"}
	if len(was.Body) > 0 {
		header["Content-Type"] = mediaType
	}
	return mailroom.Reply{Status: was.Status, Header: header, Body: was.Body}, nil
}
