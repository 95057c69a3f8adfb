// Package pfmfn builds the function pfm, which serves banks, connections, accounts,
// transactions and insights, and the pages that a user opens on the way to the bank.
package pfmfn

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"aviso/internal/api/apigateway"
	"aviso/internal/app/bankclient"
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/contractterms"
	"aviso/internal/app/httpapi"
	"aviso/internal/aws/config"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/identity"
	"aviso/internal/identity/identitydb"
	"aviso/internal/outbound"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/pfmapi"
	"aviso/internal/pfm/pfmdb"
	"aviso/internal/pfm/transaction"
	"aviso/internal/secret/keyring"
)

// New builds the function.
func New(ctx context.Context, env config.Env) (lambda.Handler, error) {
	return keyring.Reloading(ctx, env, time.Now, Build)
}

// Build builds the function once. New also rebuilds it when its secrets change.
func Build(ctx context.Context, env config.Env, cache *keyring.Cache) (lambda.Handler, error) {
	r := config.NewReader(env)
	table, outboxTable := r.Required("PFM_TABLE"), r.Required("OUTBOX_TABLE")
	cancellationTable := r.Required("CANCELLATION_TABLE")
	consentDays := 0
	if r.Optional("CONSENT_PAGE", "off") == "on" {
		consentDays = r.Int("CONSENT_RECORD_DAYS", 1095, 365)
	}
	e, err := httpapi.New(ctx, "pfm", httpapi.UserAndData, env, r, cache)
	if err != nil {
		return nil, err
	}
	store := pfmdb.New(e.Dynamo, table, outboxTable, time.Now, bootstrap.NewID)
	store.RequireUsers(r.Required("IDENTITY_TABLE"))
	catalogue := cancellationdb.New(e.Dynamo, cancellationTable, outboxTable, time.Now, bootstrap.NewID)
	agreements := identity.NewAgreements(e.Identity, time.Now)
	// A user is waiting, and the function times out after 20 s.
	timeouts := outbound.Timeouts{Connect: 3 * time.Second, Header: 10 * time.Second, Total: 12 * time.Second}
	bank, err := bankclient.New(e.Clients, e.Stage, e.Sealing, timeouts, store.IsClaimed)
	if err != nil {
		return nil, err
	}
	terms := contractterms.New(catalogue.FirstProducts, catalogue.Products, time.Now)
	services := func(gate owner.Gate) pfmapi.Services {
		return pfmapi.Services{
			Entity: entityIn(e.Identity, e.Stage), Production: e.Stage == config.Production,
			Providers: &pfm.Providers{Store: store},
			Connections: connection.New(connection.Deps{
				Store: store, Bank: bank, Gate: gate, AnyUser: agreements.Gate(),
				ReturnURL: identity.NewPartners(e.Identity).ReturnURL,
				Brand: func(ctx context.Context, user owner.User) string {
					a, _ := e.Identity.Addressee(ctx, user) // without a name, the bank's page just does not show it
					return a.PartnerName
				},
				ConsentDays: consentDays,
				Disabled:    e.Disabled, Clocks: e.Clocks, Now: time.Now, NewID: bootstrap.NewID, NewSecret: keyring.RandomToken,
			}),
			Reading: transaction.NewReading(store, gate, time.Now),
			Subscriptions: contract.NewSubscriptions(
				store, terms.Cancellables, terms.Deadlines, terms.SpecialRights, gate, time.Now),
			Addressee: func(ctx context.Context, user owner.User) (pfmapi.Addressee, error) {
				a, err := e.Identity.Addressee(ctx, user)
				return pfmapi.Addressee(a), err
			},
		}
	}
	served, exported := services(agreements.Gate(identity.PFMTerms()...)), services(agreements.Gate())
	served.ForExport = &exported
	pfmapi.Register(e.Router, served)
	return apigateway.HandlerBehind(apigateway.EdgeOf(env, time.Now), e.Router.Handler()), nil
}

// entityIn returns what reads the licensed entity. Sandboxes have one without a licence if the operator names none.
func entityIn(people *identitydb.Store, stage config.Stage) func(context.Context) (pfmapi.Entity, error) {
	return func(ctx context.Context) (pfmapi.Entity, error) {
		e, err := people.Entity(ctx)
		if errors.Is(err, outcome.ErrNotFound) && stage != config.Production {
			return pfmapi.Entity{
				Name: "Aviso Sandbox", Register: "no licence, no real accounts", PrivacyNotice: "https://aviso.example/privacy",
			}, nil
		}
		return pfmapi.Entity(e), err
	}
}
