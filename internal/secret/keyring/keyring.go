// Package keyring derives every key of the service from a stack's root secrets. It also seals data that partners
// carry for us (page tokens) or that we store for them (stored answers). A root secret is random text that Secrets
// Manager generates when the stack is created. HKDF (RFC 5869) derives the keys for different purposes, so a leaked
// key reveals nothing about another.
package keyring

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"

	"aviso/internal/observe"
)

// ErrNotSealedHere is returned for a sealed value that was altered, has another purpose or binding, or was sealed
// with a key that is no longer available.
var ErrNotSealedHere = errors.New("keyring: not sealed by this service for this use")

// Purposes of sealers that several functions use.
const (
	// PageTokens is for page tokens.
	PageTokens = "page"
	// WebhookKeys is for the keys that sign callbacks to partners.
	WebhookKeys = "webhook"
)

// minRoot is the minimum length of a root secret. 32 letters and digits have 190 bits.
const minRoot = 32

// Root holds root secrets. Current seals new values. Next and Previous are usually
// empty; during a rotation, Next opens values from instances that already use the
// next secret, and Previous opens older values.
type Root struct {
	observe.Hidden
	Current  string `json:"current"`
	Next     string `json:"next,omitempty"`
	Previous string `json:"previous,omitempty"`
}

// SecretReader is the part of Secrets Manager that Load needs.
type SecretReader interface {
	GetSecretValue(
		ctx context.Context, in *secretsmanager.GetSecretValueInput, opts ...func(*secretsmanager.Options),
	) (*secretsmanager.GetSecretValueOutput, error)
}

// Load reads a root secret by its ARN or name.
func Load(ctx context.Context, secrets SecretReader, id string) (Root, error) {
	out, err := secrets.GetSecretValue(ctx, &secretsmanager.GetSecretValueInput{SecretId: &id})
	if err != nil {
		return Root{}, fmt.Errorf("read secret: %w", err)
	}
	if out.SecretString == nil {
		return Root{}, errors.New("read secret: it has no text value")
	}
	var root Root
	if err := json.Unmarshal([]byte(*out.SecretString), &root); err != nil {
		return Root{}, errors.New("read secret: it is not a JSON object with current, next and previous")
	}
	for _, r := range []string{root.Current, root.Next, root.Previous} {
		if len(r) < minRoot && (r != "" || root.Current == "") {
			return Root{}, fmt.Errorf("read secret: its roots must have at least %d characters", minRoot)
		}
	}
	return root, nil
}

// Derive derives n key bytes from a root for one purpose.
func Derive(root, purpose string, n int) ([]byte, error) {
	key, err := hkdf.Key(sha256.New, []byte(root), nil, "aviso/"+purpose, n)
	if err != nil {
		return nil, fmt.Errorf("derive key: %w", err)
	}
	return key, nil
}

// Sealer encrypts and authenticates small values with AES-256-GCM.
type Sealer struct{ aeads []cipher.AEAD } // the first one seals; all of them open

// Sealer derives the sealing keys of one purpose.
func (r Root) Sealer(purpose string) (*Sealer, error) {
	if r.Current == "" {
		return nil, errors.New("sealer: no current root")
	}
	s := &Sealer{}
	for _, root := range []string{r.Current, r.Next, r.Previous} {
		if root == "" {
			continue
		}
		key, err := Derive(root, "seal/"+purpose, 32)
		if err != nil {
			return nil, err
		}
		block, err := aes.NewCipher(key)
		if err != nil {
			return nil, fmt.Errorf("sealer: %w", err)
		}
		aead, err := cipher.NewGCMWithRandomNonce(block)
		if err != nil {
			return nil, fmt.Errorf("sealer: %w", err)
		}
		s.aeads = append(s.aeads, aead)
	}
	return s, nil
}

// Seal encrypts plain. Only Open with the same binding can decrypt it.
func (s *Sealer) Seal(plain []byte, binding string) []byte {
	return s.aeads[0].Seal(nil, nil, plain, []byte(binding))
}

// Open decrypts a sealed value, or returns ErrNotSealedHere.
func (s *Sealer) Open(sealed []byte, binding string) ([]byte, error) {
	for _, aead := range s.aeads {
		if plain, err := aead.Open(nil, nil, sealed, []byte(binding)); err == nil {
			return plain, nil
		}
	}
	return nil, ErrNotSealedHere
}

// Reseal seals a sealed value again with the current root. It returns nil if the current root already seals the
// value, and ErrNotSealedHere if the value cannot be opened.
func (s *Sealer) Reseal(sealed []byte, binding string) ([]byte, error) {
	if _, err := s.aeads[0].Open(nil, nil, sealed, []byte(binding)); err == nil {
		return nil, nil
	}
	plain, err := s.Open(sealed, binding)
	if err != nil {
		return nil, err
	}
	return s.Seal(plain, binding), nil
}

// RandomToken returns at least 256 random bits as URL-safe text.
func RandomToken() string {
	// rand.Text returns 130 bits.
	return rand.Text() + rand.Text()
}
