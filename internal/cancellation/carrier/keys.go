package carrier

import (
	"crypto/hmac"
	"crypto/sha256"
	"slices"

	"aviso/internal/observe"
)

// keys authenticate callbacks. The first one signs, and all are accepted.
type keys []observe.Secret

// currentAndPrevious omits an empty previous key, because anybody can sign with an empty
// one.
func currentAndPrevious(current, previous observe.Secret) keys {
	if previous == "" {
		return keys{current}
	}
	return keys{current, previous}
}

// signed reports whether the signature is one of the text. It compares in constant time.
func (k keys) signed(signature, text []byte) bool {
	return slices.ContainsFunc(k, func(key observe.Secret) bool { return hmac.Equal(signature, mac(key, text)) })
}

// mac returns the HMAC-SHA256 of a text.
func mac(key observe.Secret, text []byte) []byte {
	h := hmac.New(sha256.New, []byte(key))
	h.Write(text)
	return h.Sum(nil)
}
