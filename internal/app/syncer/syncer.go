// Package syncer builds the syncs that bank-sync and clock run.
package syncer

import (
	"context"
	"fmt"
	"time"

	"aviso/internal/app/bankclient"
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/secretreload"
	"aviso/internal/aws/config"
	"aviso/internal/outbound"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/pfmdb"
	"aviso/internal/secret/keyring"
)

// Parts are a Syncer and what it was built from.
type Parts struct {
	*connection.Syncer
	bootstrap.Clients
	Store *pfmdb.Store
	Bank  pfm.Supplier
}

// New reads the variables of the connections, the users and the sealing secret.
func New(ctx context.Context, env config.Env, r *config.Reader, cache *secretreload.Cache) (Parts, error) {
	table, outboxTable := r.Required("PFM_TABLE"), r.Required("OUTBOX_TABLE")
	stage, sealingSecret, identityTable := r.Stage(), r.Required("SEALING_SECRET"), r.Required("IDENTITY_TABLE")
	if err := r.Err(); err != nil {
		return Parts{}, err
	}
	c, err := bootstrap.NewClients(env)
	if err != nil {
		return Parts{}, err
	}
	store := pfmdb.New(c.Dynamo, table, outboxTable, time.Now, bootstrap.NewID)
	store.RequireUsers(identityTable)
	store.PaceRows()
	defer bootstrap.StartWarmUp(ctx, func(ctx context.Context) error {
		_, err := store.Provider(ctx, bootstrap.MissingID)
		return err
	})()
	sealing, err := keyring.Load(ctx, cache.Reader(c.Config), sealingSecret)
	if err != nil {
		return Parts{}, fmt.Errorf("sealing secret: %w", err)
	}
	bank, _, err := bankclient.New(c, stage, sealing, outbound.Timeouts{
		Connect: 5 * time.Second, Header: 15 * time.Second, Total: 30 * time.Second,
	})
	if err != nil {
		return Parts{}, err
	}
	pages, err := sealing.Sealer(keyring.PageTokens)
	if err != nil {
		return Parts{}, err
	}
	syncer := connection.NewSyncer(store, bank, enriched, ChangesToken(pages, time.Now), time.Now, bootstrap.NewID)
	syncer.Watches().OrganizationOf = organizations()
	return Parts{Syncer: syncer, Clients: c, Store: store, Bank: bank}, nil
}
