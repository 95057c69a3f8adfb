// Package owner identifies the owner of data: a partner, or one of its users. Every
// store method takes an owner right after the context, so that no row is read or
// written without its owner. Its Gate admits calls that act for a user.
package owner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"golang.org/x/sync/errgroup"
)

// PartnerID identifies a partner. It equals the OAuth 2.0 client ID, which the
// operator assigns and which never changes.
type PartnerID string

// UserID is the UUID of a Partner User, in lower case.
type UserID string

// User is one end user of one partner. The same UserID under another partner
// is another user. Structs embed it to store and send it.
type User struct {
	Partner PartnerID `dynamodbav:"partner" json:"partner"`
	ID      UserID    `dynamodbav:"user" json:"user"`
}

// Key returns the start of every partition key with the user's data.
func (u User) Key() string { return u.Partner.Key() + "#U#" + string(u.ID) }

// Digest stands for the user in logs. Only who knows the user's ID can tell its owner; "" stands for none.
func (u User) Digest() string {
	if u.ID == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(u.Key()))
	return hex.EncodeToString(sum[:8])
}

// Tombstone stands for an erased user in restores: as Digest, but whole.
func (u User) Tombstone() string {
	sum := sha256.Sum256([]byte(u.Key()))
	return hex.EncodeToString(sum[:])
}

// Key returns the start of every partition key with the partner's data.
func (p PartnerID) Key() string { return "P#" + string(p) }

// Destination is where a partner's users return to.
type Destination struct {
	// To is the URL; empty if the wanted one is not among those Registered.
	To         string
	Registered []string
	// HistoryDays is how far back the partner may read accounts; 0 for as far as banks give.
	HistoryDays int
}

// Disabled reports whether the operator has disabled a partner. The answer may be a minute old.
type Disabled func(ctx context.Context, partner PartnerID) (bool, error)

// Has calls d. If d is nil, no partner is disabled.
func (d Disabled) Has(ctx context.Context, partner PartnerID) (bool, error) {
	if d == nil {
		return false, nil
	}
	return d(ctx, partner)
}

// Gate decides whether a call for a user is allowed. A refusal is an *apierror.Error.
type Gate interface {
	Admit(ctx context.Context, user User) error
}

// Read runs a read and the gate in parallel, which saves a round trip. It returns the data only if the call is
// allowed. The gate's refusal takes precedence over an error of the read.
func Read[T any](ctx context.Context, g Gate, user User, read func(context.Context) (T, error)) (T, error) {
	var admitting errgroup.Group
	admitting.Go(func() error { return g.Admit(ctx, user) })
	out, err := read(ctx)
	if refusal := admitting.Wait(); refusal != nil {
		return *new(T), refusal
	}
	return out, err
}
