// Package pagetoken makes the tokens that say where a list goes on. A partner
// carries them and can neither read nor change them, and only the route that
// they are made for takes them. It knows no HTTP, so that functions without
// operations can make them, too.
package pagetoken

import (
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"aviso/internal/keyring"
	"aviso/internal/owner"
)

// Seal makes the token of a position at the given time, for one binding.
func Seal(sealer *keyring.Sealer, now time.Time, position, binding string) string {
	plain := strconv.FormatInt(now.Unix(), 10) + " " + position
	return base64.RawURLEncoding.EncodeToString(sealer.Seal([]byte(plain), binding))
}

// Bind ties a token to its use: a route (method and path), the user it is for, and
// the filters of the list. Lengths go in so that no two lists of filters read the
// same.
func Bind(route string, user owner.User, filters ...string) string {
	var b strings.Builder
	for _, part := range append([]string{route, string(user.Partner), string(user.ID)}, filters...) {
		b.WriteString(strconv.Itoa(len(part)))
		b.WriteByte(':')
		b.WriteString(part)
	}
	return b.String()
}
