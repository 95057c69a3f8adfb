package console

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/identity"
)

const keysPath = Path + "/keys"

// keysPage is what the page of client secrets shows.
type keysPage struct {
	Facts   []Fact
	Secrets Table
	Create  Form
}

func (c *Console) showKeys(call *Call) (Answer, error) {
	p, err := c.Partners.Get(call.Context(), call.Partner())
	if err != nil {
		return nil, err
	}
	table := Table{Caption: "Client secrets", Columns: []string{"Secret", "State", "Created", "Ends", "Change"}}
	for _, secret := range slices.Backward(p.Secrets) {
		if secret.ValidAt(call.Now) {
			table.Rows = append(table.Rows, secretRow(secret))
		}
	}
	return Page{
		Title: "Client secrets", Section: keysPath, Template: "keys",
		Lead: "With the client ID and a secret, your server gets access tokens.",
		Data: keysPage{
			Facts:   []Fact{{"Client ID", Code(p.ID)}, {"Token endpoint", Code(c.origin(call.Request) + "/oauth2/token")}},
			Secrets: table,
			Create: Form{
				ID: "create", Action: keysPath, Submit: "create a secret",
				Confirm: "The new secret is shown once. The present one stays valid for the grace period, and any older one ends now.",
				Fields: []Field{{
					Name: "graceHours", Label: "Grace period", Kind: "choice", Value: "24",
					Hint: "Long enough to bring the new secret to every server.",
					Options: []Option{
						{"0", "None: the present secret ends now"}, {"1", "1 hour"}, {"24", "1 day"}, {"168", "7 days"},
						{"720", "30 days"},
					},
				}},
			},
		},
	}, nil
}

func secretRow(s identity.ClientSecret) []any {
	if s.ExpiresAt.IsZero() {
		return []any{Code(s.Digest()), Badge{Good, "Newest"}, s.CreatedAt.Time(), nil, nil}
	}
	return []any{Code(s.Digest()), Badge{Waiting, "In its grace period"}, s.CreatedAt.Time(), s.ExpiresAt, Form{
		ID: s.Digest(), Action: Path + "/keys/" + s.Digest() + "/revoke", Submit: "revoke", Danger: true,
		Confirm: "Servers that still use this secret get no tokens from now on.",
	}}
}

// newSecretPage shows a secret for the only time.
type newSecretPage struct {
	Secret Block
	Facts  []Fact
	// Example is a call with it; nil for none. Back is where all secrets are.
	Example *Block
	Back    string
}

func (c *Console) createSecret(call *Call) (Answer, error) {
	hours, err := strconv.Atoi(call.Form.Get("graceHours"))
	if err != nil || hours < 0 || time.Duration(hours) > identity.MaxGrace/time.Hour {
		return nil, apierror.New(apierror.ValidationFailed, "The grace period must be 0 to 720 hours.")
	}
	p, secret, err := c.Partners.RotateSecret(call.Context(), call.Partner(), time.Duration(hours)*time.Hour)
	if err != nil {
		return nil, err
	}
	newest := p.Secrets[len(p.Secrets)-1].Digest()
	call.Note(newest + ", the one before has a grace of " + strconv.Itoa(hours) + " h")
	data := newSecretPage{
		Back: keysPath, Secret: Block{"The secret with the digest " + newest, secret},
		Example: &Block{
			"Try it",
			"curl -s -u " + string(p.ID) + ":" + secret + " -d grant_type=client_credentials " + c.origin(call.Request) + "/oauth2/token",
		},
	}
	if len(p.Secrets) > 1 {
		data.Facts = []Fact{{"The previous one ends", At{p.Secrets[0].ExpiresAt}}}
	}
	page := Page{
		Title: "Your new client secret", Section: keysPath, Template: "newsecret", Crumbs: []Link{{keysPath, "Client secrets"}},
		Lead: "Copy it now. It is not stored, and nobody can show it again.", Data: data,
	}
	if call.Session.Secret == "" {
		return page, nil
	}
	// Whoever signed in with the present secret goes on with the new one.
	call.Session.Secret = newest
	return after{func(w http.ResponseWriter) { c.keep(w, call.Session) }, page}, nil
}

func (c *Console) revokeSecret(call *Call) (Answer, error) {
	digest := call.PathValue("digest")
	if _, err := c.Partners.RevokeSecret(call.Context(), call.Partner(), digest); err != nil {
		return nil, err
	}
	call.Note(digest)
	return Redirect{keysPath, "The secret " + digest + " is revoked."}, nil
}
