package cancellationdb

import (
	"crypto/sha256"
	"encoding/hex"

	"aviso/internal/cancellation"
	"aviso/internal/owner"
)

// The sort keys of a user's rows. Cancellations are in the order of their
// making, since their ids grow with time.
const (
	cancellationPrefix = "N#"
	letterPrefix       = "L#"
	externalPrefix     = "X#"
	// last sorts after every character that ids hold.
	last = "~"
)

func cancellationKey(user owner.User, id string) (pk, sk string) {
	return user.Key(), cancellationPrefix + id
}

func letterKey(user owner.User, id string) (pk, sk string) { return user.Key(), letterPrefix + id }

// externalKey has a digest of the partner's identifier, which may be anything.
func externalKey(user owner.User, externalID string) (pk, sk string) {
	sum := sha256.Sum256([]byte(externalID))
	return user.Key(), externalPrefix + hex.EncodeToString(sum[:])
}

func ownerKey(id string) (pk, sk string) { return "CANCELLATION#" + id, "OWNER" }

// referenceKey has all paper in one place: the carrier's callbacks do not tell
// mail from registered mail.
func referenceKey(channel cancellation.ChannelKind, reference string) (pk, sk string) {
	kind := string(channel)
	if channel.OnPaper() {
		kind = string(cancellation.ChannelMail)
	}
	return "REFERENCE#" + kind + "#" + reference, "REFERENCE"
}
