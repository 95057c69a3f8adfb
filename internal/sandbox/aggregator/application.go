package aggregator

import (
	"context"
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"strings"
	"time"

	"aviso/internal/sandbox/sandboxdb"
)

// maxTokenLife is the longest life of a token.
const maxTokenLife = 24 * time.Hour

// Register registers an application, or replaces its key.
func Register(ctx context.Context, store *sandboxdb.Store, app Application) error {
	return store.Save(ctx, app)
}

func (s *server) register(r *http.Request) (any, error) {
	var body struct {
		Certificate  string   `json:"certificate"`
		RedirectURLs []string `json:"redirect_urls"`
	}
	if err := readJSON(r, &body); err != nil {
		return nil, err
	}
	key := publicKey(body.Certificate)
	if key == nil || len(body.RedirectURLs) == 0 {
		return nil, refuse(http.StatusUnprocessableEntity, "WRONG_REQUEST_PARAMETERS",
			"An RSA certificate or public key in PEM and redirect_urls are required")
	}
	app := Application{ID: s.NewID(), PublicKey: key, RedirectURLs: body.RedirectURLs, Registered: s.Now()}
	return map[string]string{"app_id": app.ID}, Register(r.Context(), s.Store, app)
}

// publicKey returns the RSA key in PKIX; nil if there is none.
func publicKey(text string) []byte {
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil
	}
	der := block.Bytes
	if cert, err := x509.ParseCertificate(der); err == nil {
		der = cert.RawSubjectPublicKeyInfo
	}
	if parseKey(der) == nil {
		return nil
	}
	return der
}

func parseKey(der []byte) *rsa.PublicKey {
	parsed, err := x509.ParsePKIXPublicKey(der)
	if err != nil {
		return nil
	}
	key, _ := parsed.(*rsa.PublicKey)
	return key
}

// authenticate checks the token of a call. These refusals have no code, like those of the
// real API.
func (s *server) authenticate(r *http.Request) (Application, error) {
	none := Application{}
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		return none, refuse(http.StatusUnauthorized, "", "Authorization header is not provided")
	}
	signed, signature := token, ""
	if i := strings.LastIndexByte(token, '.'); i >= 0 {
		signed, signature = token[:i], token[i+1:]
	}
	headerPart, claimsPart, _ := strings.Cut(signed, ".")
	var header struct{ Typ, Alg, Kid string }
	var claims struct {
		Iss, Aud string
		Iat, Exp int64
	}
	if !decodePart(headerPart, &header) || !decodePart(claimsPart, &claims) || header.Alg != "RS256" || header.Typ != "JWT" {
		return none, refuse(http.StatusUnauthorized, "", "Wrong token")
	}
	app, err := read(r.Context(), s, Application{ID: header.Kid},
		refuse(http.StatusForbidden, "", "Application does not exist"))
	if err != nil {
		return none, err
	}
	sum := sha256.Sum256([]byte(signed))
	sig, err := base64.RawURLEncoding.DecodeString(signature)
	if err != nil || rsa.VerifyPKCS1v15(parseKey(app.PublicKey), crypto.SHA256, sum[:], sig) != nil {
		return none, refuse(http.StatusUnauthorized, "", "Wrong signature")
	}
	const leeway = 60
	now := s.Now().Unix()
	if claims.Iss != "enablebanking.com" || claims.Aud != "api.enablebanking.com" || now >= claims.Exp ||
		claims.Iat > now+leeway || claims.Exp-claims.Iat > int64(maxTokenLife/time.Second) {
		return none, refuse(http.StatusUnauthorized, "", "Wrong claims")
	}
	return app, nil
}

func decodePart(part string, into any) bool {
	text, err := base64.RawURLEncoding.DecodeString(part)
	return err == nil && json.Unmarshal(text, into) == nil
}

func (s *server) getApplication(_ *http.Request, app Application) (any, error) {
	return map[string]any{
		"name": "Aviso sandbox", "description": nil, "kid": app.ID, "environment": "SANDBOX", "active": true,
		"redirect_urls": app.RedirectURLs, "countries": []string{"DE", "AT"}, "services": []string{"AIS"},
	}, nil
}
