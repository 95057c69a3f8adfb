package app

import (
	"context"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/google/uuid"

	"aviso/internal/api"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationapi"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/letter"
	"aviso/internal/config"
	"aviso/internal/identity"
	"aviso/internal/owner"
)

// cancellationGate admits calls of the cancellation area: reading needs a user,
// cancelling the terms of the cancellation provider as well.
type cancellationGate struct{ agreements *identity.Agreements }

func (g cancellationGate) Admit(ctx context.Context, user owner.User) error {
	return g.agreements.Admit(ctx, user)
}

func (g cancellationGate) AdmitCancelling(ctx context.Context, user owner.User) error {
	return g.agreements.Admit(ctx, user, identity.TermsCancellationProvider)
}

// Cancellation is the function of the catalogue and of cancellations.
func Cancellation(ctx context.Context, env config.Env) (lambda.Handler, error) {
	return renewed(ctx, env, time.Now, buildCancellation)
}

func buildCancellation(ctx context.Context, env config.Env, held *heldSecrets) (lambda.Handler, error) {
	r := config.NewReader(env)
	table, outboxTable, channels := r.Required("CANCELLATION_TABLE"), r.Required("OUTBOX_TABLE"), enabledChannels(r)
	e, err := newEdge(ctx, "cancellation", env, r, held)
	if err != nil {
		return nil, err
	}
	store := cancellationdb.New(e.dynamo, table, outboxTable, time.Now, newID)
	cancellationapi.Register(e.router, cancellationapi.Services{
		Catalogue: cancellation.NewCatalogue(store),
		Requests: cancellation.NewRequests(cancellation.RequestDeps{
			Store: store, Products: cancellation.NewCatalogue(store), Gate: cancellationGate{identity.NewAgreements(e.identity, time.Now)},
			Writer: letter.New(), Enabled: channels, Now: time.Now, NewID: newSortableID,
		}),
	})
	return api.LambdaHandler(e.router.Handler()), nil
}

// newSortableID makes UUIDs that grow with time (version 7, RFC 9562).
func newSortableID() string { return uuid.Must(uuid.NewV7()).String() }

// enabledChannels are those that have a carrier here. Outside production the
// sandbox is the carrier of paper and faxes where no other is named.
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
