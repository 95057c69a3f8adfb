package operatorfn

import (
	"context"
	"log/slog"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/dynamo/owner"
	"aviso/internal/identity"
)

// defaultGraceHours is how long the previous client secret stays valid.
const defaultGraceHours = 24

// answerPartner answers without the hashes of the secrets, of which it lists the valid ones, the
// newest last.
func answerPartner(p identity.Partner, err error) (any, error) { return answerSecret(p, "", err) }

// answerSecret is answerPartner with a new client secret, which is shown once.
func answerSecret(p identity.Partner, clientSecret string, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	secrets := []answer{}
	for _, s := range p.Secrets {
		if s.ValidAt(time.Now()) {
			secrets = append(secrets, answer{"expiresAt": orNull(s.ExpiresAt)})
		}
	}
	a := answer{
		"id": p.ID, "name": p.Name, "displayName": p.PublicName(), "scopes": orEmpty(p.Scopes),
		"returnUrls": orEmpty(p.ReturnURLs), "alertEmail": p.AlertEmail, "disabled": p.Disabled, "secrets": secrets,
	}
	if clientSecret != "" {
		a["clientSecret"] = clientSecret
	}
	return a, nil
}

// ofPartner is the event of commands that need only a partner.
type ofPartner struct {
	ID owner.PartnerID `json:"id"`
}

func (e ofPartner) about() []slog.Attr { return []slog.Attr{slog.String("partner", string(e.ID))} }

type newPartner struct {
	ofPartner
	Name        string   `json:"name"`
	DisplayName string   `json:"displayName"`
	Scopes      []string `json:"scopes"`
	ReturnURLs  []string `json:"returnUrls"`
	AlertEmail  string   `json:"alertEmail"`
}

func (o *operations) createPartner(ctx context.Context, e newPartner) (any, error) {
	return answerSecret(o.partners.Create(ctx, identity.Partner{
		ID: e.ID, Name: e.Name, DisplayName: e.DisplayName, Scopes: e.Scopes, ReturnURLs: e.ReturnURLs,
		AlertEmail: e.AlertEmail,
	}))
}

func (o *operations) showPartner(ctx context.Context, e ofPartner) (any, error) {
	return answerPartner(o.partners.Get(ctx, e.ID))
}

type secretRotation struct {
	ofPartner
	GraceHours *int `json:"graceHours"`
}

func (o *operations) rotatePartnerSecret(ctx context.Context, e secretRotation) (any, error) {
	hours := defaultGraceHours
	if e.GraceHours != nil {
		hours = *e.GraceHours
	}
	if most := int(identity.MaxGrace / time.Hour); hours < 0 || hours > most { // before the multiplication
		return nil, apierror.New(apierror.ValidationFailed, "graceHours must be a whole number from 0 to 720.")
	}
	return answerSecret(o.partners.RotateSecret(ctx, e.ID, time.Duration(hours)*time.Hour))
}

func (o *operations) disablePartner(ctx context.Context, e ofPartner) (any, error) {
	return answerPartner(o.partners.SetDisabled(ctx, e.ID, true))
}

func (o *operations) enablePartner(ctx context.Context, e ofPartner) (any, error) {
	return answerPartner(o.partners.SetDisabled(ctx, e.ID, false))
}

type partnerReturnURLs struct {
	ofPartner
	ReturnURLs []string `json:"returnUrls"`
}

func (o *operations) setReturnURLs(ctx context.Context, e partnerReturnURLs) (any, error) {
	if e.ReturnURLs == nil { // a partner without return URLs has an empty list
		return nil, apierror.New(apierror.ValidationFailed, "returnUrls is required: a list, which may be empty.")
	}
	return answerPartner(o.partners.SetReturnURLs(ctx, e.ID, e.ReturnURLs))
}

type partnerDisplayName struct {
	ofPartner
	DisplayName string `json:"displayName"`
}

func (o *operations) setDisplayName(ctx context.Context, e partnerDisplayName) (any, error) {
	return answerPartner(o.partners.SetDisplayName(ctx, e.ID, e.DisplayName))
}

type partnerAlertEmail struct {
	ofPartner
	AlertEmail string `json:"alertEmail"`
}

func (o *operations) setAlertEmail(ctx context.Context, e partnerAlertEmail) (any, error) {
	return answerPartner(o.partners.SetAlertEmail(ctx, e.ID, e.AlertEmail))
}

// termsEvent is the event of publish-terms, and also its answer.
type termsEvent struct {
	TermsType identity.TermsType `json:"termsType"`
	Version   string             `json:"version"`
	URL       string             `json:"url"`
}

func (e termsEvent) about() []slog.Attr {
	return []slog.Attr{slog.String("termsType", string(e.TermsType)), slog.String("version", e.Version)}
}

func (o *operations) publishTerms(ctx context.Context, e termsEvent) (any, error) {
	return e, o.terms.Publish(ctx, identity.Terms{Type: e.TermsType, Version: e.Version, URL: e.URL})
}
