// Package cancellationfn builds the function cancellation, which serves the catalogue
// and cancellations.
package cancellationfn

import (
	"context"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"aviso/internal/apigateway"
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/httpapi"
	"aviso/internal/app/secretreload"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationapi"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/letter"
	"aviso/internal/config"
	"aviso/internal/identity"
	"aviso/internal/owner"
)

// gate admits calls to the cancellation area. Reading needs a user; cancelling also
// needs the user's acceptance of the cancellation provider's terms.
type gate struct{ agreements *identity.Agreements }

func (g gate) Admit(ctx context.Context, user owner.User) error {
	return g.agreements.Admit(ctx, user)
}

func (g gate) AdmitCancelling(ctx context.Context, user owner.User) error {
	return g.agreements.Admit(ctx, user, identity.TermsCancellationProvider)
}

// New builds the function.
func New(ctx context.Context, env config.Env) (lambda.Handler, error) {
	return secretreload.New(ctx, env, time.Now, build)
}

func build(ctx context.Context, env config.Env, cache *secretreload.Cache) (lambda.Handler, error) {
	r := config.NewReader(env)
	table, outboxTable, channels := r.Required("CANCELLATION_TABLE"), r.Required("OUTBOX_TABLE"), enabledChannels(r)
	e, err := httpapi.New(ctx, "cancellation", env, r, cache)
	if err != nil {
		return nil, err
	}
	store := cancellationdb.New(e.Dynamo, table, outboxTable, time.Now, bootstrap.NewID)
	store.RequireUsers(r.Required("IDENTITY_TABLE"))
	catalogue := cancellation.NewCatalogue(store)
	cancellationapi.Register(e.Router, cancellationapi.Services{
		Catalogue: catalogue,
		Deadlines: cancellation.NewDeadlines(catalogue, time.Now),
		Requests: cancellation.NewRequests(cancellation.RequestDeps{
			Store: store, Product: catalogue.OrganizationProduct,
			Gate:   gate{identity.NewAgreements(e.Identity, time.Now)},
			Writer: letter.New(), Enabled: channels, Now: time.Now, NewID: bootstrap.NewSortableID,
		}),
	})
	return apigateway.Handler(e.Router.Handler()), nil
}

// enabledChannels returns the channels that have a carrier. Outside production, the
// sandbox is the default carrier of paper letters and faxes.
func enabledChannels(r *config.Reader) []cancellation.ChannelKind {
	sandbox := r.Stage() != config.Production
	var channels []cancellation.ChannelKind
	if r.Optional("MAIL_FROM", "") != "" {
		channels = append(channels, cancellation.ChannelEmail)
	}
	if sandbox || r.Optional("POST_CREDENTIALS", "") != "" {
		channels = append(channels, cancellation.ChannelMail, cancellation.ChannelRegisteredMail)
	}
	if sandbox || r.Optional("FAX_CREDENTIALS", "") != "" {
		channels = append(channels, cancellation.ChannelFax)
	}
	return channels
}
