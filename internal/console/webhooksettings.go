package console

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"aviso/internal/api/apierror"
	"aviso/internal/aws/config"
	"aviso/internal/notification"
)

// maxDescription is the API's limit in characters.
const maxDescription = 500

func (c *Console) showSettings(call *Call, sub notification.Subscription) (Answer, error) {
	values := url.Values{"serverUrl": {sub.ServerURL}, "description": {sub.Description}, "events": sub.Events}
	if sub.KeepsAnswers {
		values.Set("answers", "keep")
	}
	return c.settingsForm(call, sub, values, nil), nil
}

// settingsForm returns the page with these values and the faults of a refusal.
func (c *Console) settingsForm(
	call *Call, sub notification.Subscription, values url.Values, refusal *apierror.Error,
) Page {
	base := webhooksPath + "/" + sub.ID
	form := formOf("settings", base+"/settings", values)
	form.Fields[0].Hint = c.allowedPorts() + " " + form.Fields[0].Hint
	if c.Stage != config.Production { // elsewhere, answers are always kept
		form.Fields = form.Fields[:len(form.Fields)-1]
	}
	page := webhookPageOf(call, "settings", sub, "/settings")
	page.Problem, page.Status = form.judge(refusal)
	page.Form, page.More = form, statusForm(base, sub)
	return page
}

// allowedPorts describes the allowed addresses of receivers in this environment.
func (c *Console) allowedPorts() string {
	switch c.Stage {
	case config.Local:
		return "Any port of this machine."
	case config.Production:
		return "https, or http on port 80, 8080 or 8888."
	default:
		return "https on port 443, 8443 or 8843, or http on 80, 8080 or 8888."
	}
}

// statusForm returns the form that pauses or activates a subscription; nil if neither is possible.
func statusForm(base string, sub notification.Subscription) *Form {
	switch {
	case sub.Status == notification.SubscriptionActive:
		return formOf("pause", base+"/pause", nil)
	case sub.Reason == notification.ReasonByOperator:
		return nil
	}
	return formOf("activate", base+"/activate", nil)
}

func (c *Console) saveSettings(call *Call, sub notification.Subscription) (Answer, error) {
	address, description := strings.TrimSpace(call.Form.Get("serverUrl")), strings.TrimSpace(call.Form.Get("description"))
	events := call.Form["events"]
	if slices.Contains(events, notification.AllEvents) {
		events = []string{notification.AllEvents}
	}
	var faults []apierror.Field
	if len(events) == 0 {
		faults = append(faults, apierror.Field{Pointer: "/events", Detail: "Choose one at least."})
	}
	if utf8.RuneCountInString(description) > maxDescription {
		faults = append(faults, apierror.Field{Pointer: "/description", Detail: "At most 500 characters."})
	}
	if len(faults) > 0 {
		return c.settingsForm(call, sub, call.Form, apierror.Invalid(faults...)), nil
	}
	in := notification.SubscriptionInput{ServerURL: &address, Description: &description, Events: events}
	if c.Stage == config.Production {
		in.KeepsAnswers = new(call.Form.Has("answers"))
	}
	_, err := c.Webhooks.Subscriptions.Update(call.Context(), call.Partner(), sub.ID, in)
	if refusal, ok := errors.AsType[*apierror.Error](err); ok && refusal.Code == apierror.ValidationFailed {
		return c.settingsForm(call, sub, call.Form, refusal), nil
	}
	if err != nil {
		return nil, err
	}
	return Redirect{webhooksPath + "/" + sub.ID, "The settings are saved."}, nil
}

func (c *Console) pauseWebhook(call *Call) (Answer, error) {
	return c.setWebhookStatus(call, notification.SubscriptionPaused, "The subscription is paused.")
}

func (c *Console) activateWebhook(call *Call) (Answer, error) {
	return c.setWebhookStatus(call, notification.SubscriptionActive,
		"The subscription is active. Events are sent from now on.")
}

func (c *Console) setWebhookStatus(call *Call, status notification.SubscriptionStatus, done string) (Answer, error) {
	sub, err := c.Webhooks.Subscriptions.SetStatus(call.Context(), call.Partner(), call.PathValue("subscription"), status)
	if err != nil {
		return nil, err
	}
	return Redirect{webhooksPath + "/" + sub.ID, done}, nil
}
