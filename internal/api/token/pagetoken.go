package token

import (
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"aviso/internal/owner"
	"aviso/internal/secret/keyring"
)

// SealPage returns a page token, which says where a list continues. A partner can neither read nor change it, and
// only the route in its binding accepts it.
func SealPage(sealer *keyring.Sealer, now time.Time, position, binding string) string {
	plain := strconv.FormatInt(now.Unix(), 10) + " " + position
	return base64.RawURLEncoding.EncodeToString(sealer.Seal([]byte(plain), binding))
}

// BindPage binds a token to its use: a route (method and path), the user, and the filters of the list. It includes
// lengths, so that different lists of filters never have the same binding.
func BindPage(route string, user owner.User, filters ...string) string {
	var b strings.Builder
	for _, part := range append([]string{route, string(user.Partner), string(user.ID)}, filters...) {
		b.WriteString(strconv.Itoa(len(part)))
		b.WriteByte(':')
		b.WriteString(part)
	}
	return b.String()
}
