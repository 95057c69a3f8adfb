package letterdispatchfn

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sesv2"

	"aviso/internal/app/bootstrap"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/carrier"
	"aviso/internal/cancellation/carrier/sesmail"
	"aviso/internal/identity/identitydb"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// Message is a message of LetterQueue: a job about a letter, or a mail to a partner. Only this function may send
// mail.
type Message struct {
	cancellation.Job
	Alert *notification.Alert `json:"alert"`
}

// Work returns the function that handles a message.
func Work(
	letter func(context.Context, cancellation.Job, int) error, alert func(context.Context, notification.Alert) error,
) func(context.Context, Message, int) error {
	return func(ctx context.Context, m Message, attempt int) error {
		if m.Alert == nil {
			return letter(ctx, m.Job, attempt)
		}
		err := alert(ctx, *m.Alert)
		var later *outcome.Later
		if err == nil || errors.As(err, &later) || attempt < fewAttempts {
			return err
		}
		slog.ErrorContext(ctx, "alert given up", "partner", m.Alert.Partner, "subscription", m.Alert.SubscriptionID,
			"error", err)
		return nil
	}
}

// newAlerts returns the function that mails partners. Without a sender, it does nothing.
func newAlerts(
	c bootstrap.Clients, s carrier.Settings, table, identityTable, console string,
) func(context.Context, notification.Alert) error {
	if s.MailFrom == "" {
		return func(context.Context, notification.Alert) error { return nil }
	}
	people := identitydb.New(c.Dynamo, identityTable)
	address := func(ctx context.Context, id owner.PartnerID) (string, error) {
		p, err := people.Partner(ctx, id)
		return p.AlertEmail, err
	}
	mailer := AlertMailer{
		Sender: sesmail.New(sesv2.NewFromConfig(c.Config)), From: s.MailFrom, ReplyTo: s.ReplyAddress,
		ConfigurationSet: s.ConfigurationSet, Redirect: redirect(s.Stage), Environment: string(s.Stage), Console: console,
		Now: time.Now,
	}
	store := notificationdb.New(c.Dynamo, table, "", nil, time.Now, bootstrap.NewID)
	return notification.NewAlerts(store, address, mailer.Send, time.Now).Send
}
