package connection

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"strings"
)

// A link contains a secret. A browser that opens the link gets a key, which is the
// digest of the secret, and only such a browser can finish. We store the digest of the
// key. So neither the stored digest nor the key reveals the link, and every browser in
// which the user opens the link can finish.

// browserKey returns the key of the browsers that open a link with this secret.
func browserKey(link string) string { return digest(link) }

// accepts reports whether the key belongs to the connection's latest link.
func (c Connection) accepts(key string) bool { return isDigest(c.LinkHash, key) }

// IDOf returns the ID of the connection that the state belongs to, if it is
// one of ours.
func IDOf(state string) string {
	connectionID, _, _ := strings.Cut(state, ".")
	return connectionID
}

func digest(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// isDigest reports whether stored is the digest of the secret. Its duration does not
// depend on how much of the secret is right.
func isDigest(stored, secret string) bool {
	return subtle.ConstantTimeCompare([]byte(stored), []byte(digest(secret))) == 1
}
