package identityapi

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"aviso/internal/api"
	"aviso/internal/identity"
	"aviso/internal/owner"
)

// tokenResponse is the response of RFC 6749 §5.1.
type tokenResponse struct {
	AccessToken string `json:"access_token"`
	TokenType   string `json:"token_type"`
	ExpiresIn   int    `json:"expires_in"`
	Scope       string `json:"scope"`
}

// tokenError is the error of RFC 6749 §5.2. Only this endpoint does not return problem
// documents, because OAuth clients expect this format.
type tokenError struct {
	Error       string `json:"error"`
	Description string `json:"error_description"`
}

// basicChallenge asks for the client's ID and secret (RFC 7617).
const basicChallenge = `Basic realm="aviso", charset="UTF-8"`

func registerToken(r *api.Router, tokens *identity.Tokens) {
	r.Raw(api.Operation{
		ID: "createToken", Method: http.MethodPost, Path: "/oauth2/token", Form: true,
	}, func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Pragma", "no-cache") // required by RFC 6749 §5.1 in addition to no-store
		form, problem := readForm(req)
		if problem != "" {
			refuse(w, http.StatusBadRequest, "invalid_request", problem)
			return
		}
		id, secret, basic, problem := credentials(req, form)
		if problem != "" {
			refuse(w, http.StatusBadRequest, "invalid_request", problem)
			return
		}
		switch form.Get("grant_type") {
		case "client_credentials":
		case "":
			refuse(w, http.StatusBadRequest, "invalid_request", "grant_type is missing.")
			return
		default:
			refuse(w, http.StatusBadRequest, "unsupported_grant_type", "Only client_credentials is supported.")
			return
		}
		ctx := req.Context()
		t, err := tokens.Issue(ctx, owner.PartnerID(id), secret, form.Get("scope"), api.BaseURL(ctx))
		switch {
		case errors.Is(err, identity.ErrInvalidClient):
			if basic {
				w.Header().Set("WWW-Authenticate", basicChallenge)
			}
			refuse(w, http.StatusUnauthorized, "invalid_client", "The client is unknown or its secret is wrong.")
		case errors.Is(err, identity.ErrInvalidScope):
			refuse(w, http.StatusBadRequest, "invalid_scope", "A scope is unknown or not granted to the client.")
		case err != nil:
			api.WriteProblem(w, req, err)
		default:
			write(w, http.StatusOK, tokenResponse{
				AccessToken: t.AccessToken, TokenType: "Bearer", ExpiresIn: int(t.ExpiresIn.Seconds()),
				Scope: strings.Join(t.Scopes, " "),
			})
		}
	})
}

// readForm parses the body's parameters. Duplicate parameters are an error (§3.2).
func readForm(req *http.Request) (url.Values, string) {
	if err := req.ParseForm(); err != nil {
		return nil, "The form could not be parsed."
	}
	for name, values := range req.PostForm {
		if !utf8.ValidString(name) || !utf8.ValidString(values[0]) {
			return nil, "The form is not UTF-8."
		}
		if len(values) > 1 {
			switch name {
			case "grant_type", "scope", "client_id", "client_secret":
				return nil, name + " is sent more than once."
			}
		}
	}
	return req.PostForm, ""
}

// credentials returns the client's ID and secret, which must come from exactly one of the two places (§2.3). In HTTP
// Basic both are form-encoded first (§2.3.1). basic is true if there is any Authorization header; the response then
// has a WWW-Authenticate header.
func credentials(req *http.Request, form url.Values) (id, secret string, basic bool, problem string) {
	if req.Header.Get("Authorization") == "" {
		return form.Get("client_id"), form.Get("client_secret"), false, ""
	}
	if form.Get("client_secret") != "" {
		return "", "", true, "The client authenticates in two ways. Use only one."
	}
	rawID, rawSecret, ok := req.BasicAuth()
	if !ok {
		return "", "", true, ""
	}
	id, err1 := url.QueryUnescape(rawID)
	secret, err2 := url.QueryUnescape(rawSecret)
	if err1 != nil || err2 != nil {
		return "", "", true, "The Basic credentials are not form-encoded."
	}
	if sent := form.Get("client_id"); sent != "" && sent != id {
		return "", "", true, "client_id differs from the Basic credentials."
	}
	return id, secret, true, ""
}

func refuse(w http.ResponseWriter, status int, code, description string) {
	write(w, status, tokenError{Error: code, Description: description})
}

func write(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}
