package operatorfn

import (
	"context"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/identity"
)

// answerPartner lists the valid secrets of the partner, the newest last, but never their hashes.
func answerPartner(p identity.Partner, err error) (any, error) { return answerSecret(p, "", err) }

// answerSecret is answerPartner with a new client secret, which no later answer repeats.
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
		"returnUrls": orEmpty(p.ReturnURLs), "alertEmail": p.AlertEmail, "disabled": p.Disabled,
		"historyDays": p.HistoryDays, "secrets": secrets,
	}
	if clientSecret != "" {
		a["clientSecret"] = clientSecret
	}
	return a, nil
}

func (o *operations) createPartner(ctx context.Context, e event) (any, error) {
	return answerSecret(o.partners.Create(ctx, identity.Partner{
		ID: e.ID, Name: e.Name, DisplayName: e.DisplayName, Scopes: e.Scopes, ReturnURLs: e.ReturnURLs,
		AlertEmail: e.AlertEmail,
	}))
}

func (o *operations) showPartner(ctx context.Context, e event) (any, error) {
	return answerPartner(o.partners.Get(ctx, e.ID))
}

func (o *operations) rotatePartnerSecret(ctx context.Context, e event) (any, error) {
	most := int(identity.MaxGrace / time.Hour)
	if e.GraceHours < 0 || e.GraceHours > most { // a larger number could overflow below
		return nil, apierror.New(apierror.ValidationFailed, "graceHours must be a whole number from 0 to 720.")
	}
	return answerSecret(o.partners.RotateSecret(ctx, e.ID, time.Duration(e.GraceHours)*time.Hour))
}

func (o *operations) disablePartner(ctx context.Context, e event) (any, error) {
	return answerPartner(o.partners.SetDisabled(ctx, e.ID, true))
}

func (o *operations) enablePartner(ctx context.Context, e event) (any, error) {
	if err := o.webhooks.Resume(ctx, e.ID); err != nil {
		return nil, err
	}
	return answerPartner(o.partners.SetDisabled(ctx, e.ID, false))
}

func (o *operations) setReturnURLs(ctx context.Context, e event) (any, error) {
	if e.ReturnURLs == nil { // a partner without return URLs has an empty list
		return nil, apierror.New(apierror.ValidationFailed, "returnUrls is required: a list, which may be empty.")
	}
	return answerPartner(o.partners.SetReturnURLs(ctx, e.ID, e.ReturnURLs))
}

func (o *operations) setDisplayName(ctx context.Context, e event) (any, error) {
	return answerPartner(o.partners.SetDisplayName(ctx, e.ID, e.DisplayName))
}

func (o *operations) setHistoryDays(ctx context.Context, e event) (any, error) {
	return answerPartner(o.partners.SetHistoryDays(ctx, e.ID, e.HistoryDays))
}

func (o *operations) setAlertEmail(ctx context.Context, e event) (any, error) {
	return answerPartner(o.partners.SetAlertEmail(ctx, e.ID, e.AlertEmail))
}

func (o *operations) publishTerms(ctx context.Context, e event) (any, error) {
	err := o.terms.Publish(ctx, identity.Terms{
		Type: e.TermsType, Version: e.Version, URL: e.URL, EffectiveFrom: e.EffectiveFrom,
	})
	return answer{
		"termsType": e.TermsType, "version": e.Version, "url": e.URL, "effectiveFrom": orNull(e.EffectiveFrom),
	}, err
}

func (o *operations) setLicensedEntity(ctx context.Context, e event) (any, error) {
	err := o.terms.SetEntity(ctx, identity.Entity{Name: e.Name, Register: e.Register, PrivacyNotice: e.URL})
	return answer{"name": e.Name, "register": e.Register, "url": e.URL}, err
}
