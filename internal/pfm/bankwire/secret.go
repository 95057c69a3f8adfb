package bankwire

import (
	"encoding/base64"
	"encoding/json"
	"errors"

	"aviso/internal/pfm"
)

// Sealer seals text, bound to a connection.
type Sealer interface {
	Seal(plain []byte, binding string) []byte
	Open(sealed []byte, binding string) ([]byte, error)
	// Reseal returns nil if the current key already sealed the value.
	Reseal(sealed []byte, binding string) ([]byte, error)
}

// ErrSecret is the error of Open.
var ErrSecret = errors.New("the session's secret cannot be opened")

// Open decodes the content of the session's secret.
func Open(by Sealer, s pfm.Session, into any) error {
	sealed, err := base64.RawStdEncoding.DecodeString(s.Secret)
	if err != nil || by == nil {
		return ErrSecret
	}
	plain, err := by.Open(sealed, s.ConnectionID)
	if err != nil || json.Unmarshal(plain, into) != nil {
		return ErrSecret
	}
	return nil
}

// Sealed returns the session with a secret that contains the value.
func Sealed(by Sealer, s pfm.Session, value any) (pfm.Session, error) {
	plain, err := json.Marshal(value)
	if err != nil || by == nil {
		return s, ErrSecret
	}
	s.Secret = base64.RawStdEncoding.EncodeToString(by.Seal(plain, s.ConnectionID))
	return s, nil
}

// Resealed returns the session with its secret sealed by the current key. A secret that cannot be opened stays
// unchanged; Open reports it.
func Resealed(by Sealer, s pfm.Session) pfm.Session {
	sealed, err := base64.RawStdEncoding.DecodeString(s.Secret)
	if err != nil {
		return s
	}
	if again, err := by.Reseal(sealed, s.ConnectionID); err == nil && again != nil {
		s.Secret = base64.RawStdEncoding.EncodeToString(again)
	}
	return s
}
