// Package owner identifies the owner of data: a partner, or one of its users. Every
// store method takes an owner right after the context, so that no row is read or
// written without its owner. Its Gate admits calls that act for a user.
package owner

// PartnerID identifies a partner. It equals the OAuth 2.0 client ID, which the
// operator assigns and which never changes.
type PartnerID string

// UserID is the UUID of a Partner User, in lower case.
type UserID string

// User is one end user of one partner. The same UserID under another partner
// is another user.
type User struct {
	Partner PartnerID
	ID      UserID
}

// Key returns the start of every partition key with the user's data.
func (u User) Key() string { return u.Partner.Key() + "#U#" + string(u.ID) }

// Key returns the start of every partition key with the partner's data.
func (p PartnerID) Key() string { return "P#" + string(p) }
