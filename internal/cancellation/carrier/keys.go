package carrier

import (
	"crypto/hmac"
	"crypto/sha256"
	"slices"

	"aviso/internal/observe/redact"
)

// keys authenticate callbacks. The first one signs, and all are accepted.
type keys []redact.Secret

// currentAndPrevious omits an empty previous key, because anybody can sign with an empty
// one.
func currentAndPrevious(current, previous redact.Secret) keys {
	if previous == "" {
		return keys{current}
	}
	return keys{current, previous}
}

// signed reports whether the signature is one of the text. It compares in constant time.
func (k keys) signed(signature, text []byte) bool {
	return slices.ContainsFunc(k, func(key redact.Secret) bool { return hmac.Equal(signature, mac(key, text)) })
}

// mac returns the HMAC-SHA256 of a text.
func mac(key redact.Secret, text []byte) []byte {
	h := hmac.New(sha256.New, []byte(key))
	h.Write(text)
	return h.Sum(nil)
}
