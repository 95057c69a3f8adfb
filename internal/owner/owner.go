// Package owner names whose data a call may touch: a partner, or one of a
// partner's users. Every store method takes one of these right after the
// context, so that no row is read or written without saying whose it is.
package owner

// PartnerID identifies a partner. It equals the OAuth 2.0 client id, which the
// operator assigns once and which never changes.
type PartnerID string

// UserID is the UUID of a Partner User, in lower case.
type UserID string

// User is one end user of one partner. The same UserID under another partner
// is another user.
type User struct {
	Partner PartnerID
	ID      UserID
}

// Key is the leading part of every partition key that holds the user's data.
func (u User) Key() string { return u.Partner.Key() + "#U#" + string(u.ID) }

// Key is the leading part of every partition key that holds the partner's data.
func (p PartnerID) Key() string { return "P#" + string(p) }
