package budget

import (
	"archive/zip"
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	aviso "aviso.example/client"
)

// person is somebody whom the sandbox's banks know. Fields are what they would type into a form.
type person struct {
	ID, Name string
	About    [2]string
	Fields   map[string]string
}

//nolint:gochecknoglobals // read once
var people = sync.OnceValue(func() (all []person) {
	read("people.json", &all)
	return all
})

func personByID(id string) person {
	for _, p := range people() {
		if p.ID == id {
			return p
		}
	}
	return person{}
}

const sessionLife = 30 * 24 * time.Hour

func (a *App) cookie(name, value string, life time.Duration) *http.Cookie {
	return &http.Cookie{ //nolint:gosec // it is secure where the app is
		Name: name, Value: value, Path: a.prefix + "/", MaxAge: int(life.Seconds()), HttpOnly: true,
		Secure: strings.HasPrefix(a.PublicURL, "https://"), SameSite: http.SameSiteLaxMode,
	}
}

// externalID is the app's own ID of a user at Aviso. It does not tell the cookie.
func externalID(token string) string {
	sum := sha256.Sum256([]byte(token))
	return "budget-" + hex.EncodeToString(sum[:16])
}

// identify finds out who visits. The cookie has the sandbox's person and a random token; nobody has
// an account. Aviso knows the user by the token's hash, so a restart of the app signs nobody out.
func (v *visit) identify() error {
	value := ""
	if cookie, err := v.r.Cookie("session"); err == nil {
		value = cookie.Value
	}
	who, token, ok := strings.Cut(value, ".")
	if !ok {
		return nil // nobody yet
	}
	known, _ := v.people.Load(token)
	id, ok := known.(string)
	if !ok {
		user, err := v.client.Users.Find(v.r.Context(), &aviso.FindUserParams{ExternalID: externalID(token)})
		if errors.Is(err, aviso.ErrNotFound) {
			return nil
		} else if err != nil {
			return err
		}
		id = user.UserID
		v.people.Store(token, id)
	}
	v.user, v.who = v.client.User(id), personByID(who)
	return nil
}

func (v *visit) welcome() error {
	if v.user != nil {
		return v.goTo("/spending")
	}
	return v.show("welcome", people())
}

// start makes a user of Aviso for a person.
func (v *visit) start() error {
	token := rand.Text()
	_, err := v.client.Users.Create(v.r.Context(), aviso.CreateUserRequest{
		ExternalID: externalID(token), CountryCode: "DE", LanguageCode: v.code,
	})
	if err != nil {
		return err
	}
	http.SetCookie(v.w, v.cookie("session", v.r.PostFormValue("person")+"."+token, sessionLife))
	return v.goTo("/terms")
}

// leave erases the user at Aviso: bank connections, letters, everything.
func (v *visit) leave() error {
	if v.user != nil {
		if _, err := v.client.Users.Delete(v.r.Context(), v.user.ID); err != nil && !errors.Is(err, aviso.ErrNotFound) {
			return err
		}
		v.people.Clear()
	}
	http.SetCookie(v.w, v.cookie("session", "", -time.Second))
	return v.goTo("/")
}

// takeAway sends the user a copy of all data: the archives that Aviso links to, as one.
func (v *visit) takeAway() error {
	export, err := v.client.Users.CreateExport(v.r.Context(), v.user.ID)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	all := zip.NewWriter(&out)
	for _, file := range export.Files {
		if err := v.copyInto(all, file.URL); err != nil {
			return fmt.Errorf("%s: %w", file.Name, err)
		}
	}
	if err := all.Close(); err != nil {
		return err
	}
	v.w.Header().Set("Content-Type", "application/zip")
	v.w.Header().Set("Content-Disposition", `attachment; filename="groschen.zip"`)
	_, err = v.w.Write(out.Bytes())
	return err
}

func (v *visit) copyInto(all *zip.Writer, url string) error {
	req, err := http.NewRequestWithContext(v.r.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d: %w", res.StatusCode, err)
	}
	part, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		return err
	}
	for _, f := range part.File {
		if err := all.Copy(f); err != nil {
			return err
		}
	}
	return nil
}

// missingTerms returns the terms of these types that the user has not accepted in their present version.
func (v *visit) missingTerms(types ...string) (missing []aviso.Terms, err error) {
	all, err := v.client.Terms.List(v.r.Context())
	if err != nil {
		return nil, err
	}
	accepted, err := v.user.Terms.ListAcceptances(v.r.Context())
	if err != nil {
		return nil, err
	}
	has := map[string]bool{}
	for _, t := range accepted {
		has[t.TermsType+t.Version] = true
	}
	for _, wanted := range types {
		for _, t := range all {
			if t.TermsType == wanted && !has[t.TermsType+t.Version] {
				missing = append(missing, t)
			}
		}
	}
	return missing, nil
}

func (v *visit) accept(terms []aviso.Terms) error {
	for _, t := range terms {
		if _, err := v.user.Terms.Accept(v.r.Context(), aviso.AcceptTermsRequest{TermsType: t.TermsType, Version: t.Version}); err != nil {
			return err
		}
	}
	return nil
}

func (v *visit) terms() error {
	missing, err := v.missingTerms("Operator", "BankingSupplier")
	if err != nil {
		return err
	}
	if len(missing) == 0 {
		return v.goTo("/banks")
	}
	return v.show("terms", missing)
}

func (v *visit) acceptTerms() error {
	missing, err := v.missingTerms("Operator", "BankingSupplier")
	if err != nil {
		return err
	}
	if v.r.PostFormValue("accepted") == "" {
		return v.goTo("/terms")
	}
	if err := v.accept(missing); err != nil {
		return err
	}
	return v.goTo("/banks")
}
