package console

import (
	"slices"
	"strconv"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/identity"
)

const keysPath = Path + "/keys"

func (c *Console) showKeys(call *Call) (Answer, error) {
	p, err := c.Partners.Get(call.Context(), call.Partner())
	if err != nil {
		return nil, err
	}
	page := pageOf("keys")
	page.Facts = Facts{{"Client ID", Code(p.ID)}, {"Token endpoint", Code(c.origin(call.Request) + "/oauth2/token")}}
	page.Form = formOf("createKey", keysPath, nil)
	for _, secret := range slices.Backward(p.Secrets) {
		if secret.ValidAt(call.Now) {
			page.List.Rows = append(page.List.Rows, secretRow(secret))
		}
	}
	return page, nil
}

func secretRow(s identity.ClientSecret) []any {
	if s.ExpiresAt.IsZero() {
		return []any{Code(s.Digest()), Badge{Good, "Newest"}, s.CreatedAt.Time(), nil, nil}
	}
	revoke := formOf("revokeKey", keysPath+"/"+s.Digest()+"/revoke", nil)
	revoke.ID = s.Digest()
	return []any{Code(s.Digest()), Badge{Waiting, "In its grace period"}, s.CreatedAt.Time(), s.ExpiresAt, *revoke}
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
	page := pageOf("newKey")
	page.Links = []Link{{keysPath, "I have copied it"}}
	page.Blocks = []Block{{"The secret with the digest " + newest, secret}, {
		"Try it", "curl -s -u " + string(p.ID) + ":" + secret + " -d grant_type=client_credentials " +
			c.origin(call.Request) + "/oauth2/token",
	}}
	if len(p.Secrets) > 1 {
		page.Facts = Facts{{"The previous one ends", At{Time: p.Secrets[0].ExpiresAt}}}
	}
	if call.Session.Secret != "" { // a session with the present secret continues with the new one
		call.Session.Secret = newest
		c.keep(call.w, call.Session)
	}
	return page, nil
}

func (c *Console) revokeSecret(call *Call) (Answer, error) {
	digest := call.PathValue("digest")
	if _, err := c.Partners.RevokeSecret(call.Context(), call.Partner(), digest); err != nil {
		return nil, err
	}
	call.Note(digest)
	return Redirect{keysPath, "The secret " + digest + " is revoked."}, nil
}
