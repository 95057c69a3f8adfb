package identityapi

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"aviso/internal/api"
	"aviso/internal/dynamo/owner"
	"aviso/internal/identity"
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
		ID: "createToken", Method: http.MethodPost, Path: "/oauth2/token", Tag: "Authentication",
		Summary: "Get an access token",
		Description: "Client credentials grant (RFC 6749 §4.4). The client authenticates with HTTP Basic, " +
			"or with client_id and client_secret in the form.",
		Form: true,
	}, tokenDocument, func(w http.ResponseWriter, req *http.Request) {
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

// readForm parses the body's parameters. A duplicate parameter is an error (§3.2).
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

// credentials returns the client's ID and secret, which must come from exactly one of
// the two places (§2.3). In HTTP Basic both are form-encoded first (§2.3.1). basic is
// true if there is an Authorization header, even without Basic credentials, so that
// the response then has a WWW-Authenticate header.
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

func tokenDocument(schemas huma.Registry) huma.Operation {
	text := func(description string) *huma.Schema {
		return &huma.Schema{Type: huma.TypeString, Description: description}
	}
	constant := func(value, description string) *huma.Schema {
		return &huma.Schema{Type: huma.TypeString, Enum: []any{value}, Description: description}
	}
	object := func(name, text string, properties map[string]*huma.Schema, required ...string) *huma.Schema {
		return api.Named(schemas, name, &huma.Schema{
			Type: huma.TypeObject, Description: text, Required: required, Properties: properties,
		})
	}
	content := func(mediaType string, schema *huma.Schema, example map[string]any) map[string]*huma.MediaType {
		return map[string]*huma.MediaType{mediaType: {Schema: schema, Example: example}}
	}
	fault := object("TokenError", "An error of OAuth 2.0 (RFC 6749 §5.2).", map[string]*huma.Schema{
		"error": {Type: huma.TypeString, Description: "What is wrong (RFC 6749 §5.2).", Enum: []any{
			"invalid_request", "unsupported_grant_type", "invalid_scope", "invalid_client",
		}},
		"error_description": text("What is wrong, for the developer."),
	}, "error")
	refusal := func(description, code string) *huma.Response {
		return &huma.Response{Description: description, Content: content("application/json", fault,
			map[string]any{"error": code, "error_description": "For the developer."})}
	}
	form := object("CreateTokenRequest", "The request for a token (RFC 6749 §4.4.2).", map[string]*huma.Schema{
		"grant_type":    constant("client_credentials", "The only grant."),
		"scope":         text("A space-separated subset of the client's scopes. Default: all of them."),
		"client_id":     text("Required unless sent with HTTP Basic."),
		"client_secret": text("Required unless sent with HTTP Basic."),
	}, "grant_type")
	token := object("TokenResponse", "An access token (RFC 6749 §5.1).", map[string]*huma.Schema{
		"access_token": text("Send it as Authorization: Bearer <token>. A JWT (RFC 9068), but do not read it."),
		"token_type":   constant("Bearer", "How to send the token."),
		"expires_in": {
			Type: huma.TypeInteger, Format: "int32",
			Description: "For how many seconds the token is valid. Get a new one shortly before.",
		},
		"scope": text("The granted scopes, separated by spaces."),
	}, "access_token", "token_type", "expires_in", "scope")
	unknownClient := refusal("`invalid_client`: the client could not be authenticated.", "invalid_client")
	unknownClient.Headers = map[string]*huma.Param{"WWW-Authenticate": {
		Description: "Only if the request had the header Authorization.", Schema: &huma.Schema{Type: huma.TypeString},
		Example: basicChallenge,
	}}
	return huma.Operation{
		RequestBody: &huma.RequestBody{Required: true, Content: content("application/x-www-form-urlencoded", form,
			map[string]any{"grant_type": "client_credentials", "scope": "identity pfm"})},
		Responses: map[string]*huma.Response{
			"200": {Description: "OK", Content: content("application/json", token, map[string]any{
				"access_token": "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.c2ln", "token_type": "Bearer",
				"expires_in": 3600, "scope": "identity pfm",
			})},
			"400": refusal("`invalid_request`, `unsupported_grant_type`, `invalid_scope`", "invalid_request"),
			"401": unknownClient,
			"413": api.ProblemResponse("The body is larger than 256 KB."),
			"415": api.ProblemResponse("The body is not a form."),
			"500": api.ProblemResponse("Internal error."),
			"503": api.ProblemResponse("Temporarily unavailable."),
		},
		Security: []map[string][]string{{"client": {}}, {}},
	}
}
