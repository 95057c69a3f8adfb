package keyring_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/internal/secret/keyring"
)

const (
	young = "young-secret-0123456789abcdefghijklmnop"
	old   = "old-secret-0123456789abcdefghijklmnopqr"
)

// secret is Secrets Manager with one secret.
type secret struct {
	text *string
	err  error
}

func (s secret) GetSecretValue(
	_ context.Context,
	in *secretsmanager.GetSecretValueInput,
	_ ...func(*secretsmanager.Options),
) (*secretsmanager.GetSecretValueOutput, error) {
	if *in.SecretId != "arn:root" {
		return nil, errors.New("no such secret")
	}
	return &secretsmanager.GetSecretValueOutput{SecretString: s.text}, s.err
}

func load(t *testing.T, text string) (keyring.Root, error) {
	t.Helper()
	return keyring.Load(t.Context(), secret{text: &text}, "arn:root")
}

func TestLoad(t *testing.T) {
	t.Parallel()

	t.Run("reads one root or more", func(t *testing.T) {
		t.Parallel()
		root, err := load(t, `{"current":"`+young+`"}`)
		require.NoError(t, err)
		assert.Equal(t, young, root.Current)
		assert.Empty(t, root.Previous)
		root, err = load(t, `{"current":"`+young+`","previous":"`+old+`"}`)
		require.NoError(t, err)
		assert.Equal(t, old, root.Previous)
		root, err = load(t, `{"current":"`+old+`","next":"`+young+`"}`)
		require.NoError(t, err)
		assert.Equal(t, keyring.Root{Current: old, Next: young}, root)
	})

	t.Run("refuses an invalid root without revealing it", func(t *testing.T) {
		t.Parallel()
		for _, text := range []string{
			"", "{}", "null", young, `{"current":""}`, `{"current":"hunter2"}`, `{"current":"` + strings.Repeat("x", 31) + `"}`,
			`{"current":"` + young + `","previous":"hunter2"}`, `{"previous":"` + young + `"}`, `{"next":"` + young + `"}`, `{"current":"` + young + `","next":"hunter2"}`, `{"current":["hunter2"]}`, `"hunter2`,
		} {
			root, err := load(t, text)
			require.Error(t, err, text)
			assert.Empty(t, root.Current)
			assert.NotContains(t, err.Error(), "hunter2")
			assert.NotContains(t, err.Error(), young)
		}
	})

	t.Run("fails if the secret cannot be read", func(t *testing.T) {
		t.Parallel()
		away := errors.New("away")
		_, err := keyring.Load(t.Context(), secret{err: away}, "arn:root")
		require.ErrorIs(t, err, away)
		_, err = keyring.Load(t.Context(), secret{}, "arn:root")
		require.Error(t, err, "a secret may have bytes instead of text")
	})
}

func TestRootIsNeverPrinted(t *testing.T) {
	t.Parallel()
	root := keyring.Root{Current: young, Next: old, Previous: old}
	nested := struct {
		Name string
		Root keyring.Root
		Ptr  *keyring.Root
	}{"n", root, &root}
	var printed strings.Builder
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%T %v"} {
		for _, value := range []any{root, &root, nested, []keyring.Root{root}, map[string]keyring.Root{"a": root}} {
			fmt.Fprintf(&printed, verb, value)
		}
	}
	var log bytes.Buffer
	for _, h := range []slog.Handler{slog.NewJSONHandler(&log, nil), slog.NewTextHandler(&log, nil)} {
		slog.New(h).Info("start", "root", root, "pointer", &root, "nested", nested, "list", []any{root})
	}
	text, err := json.Marshal(nested)
	require.NoError(t, err)
	sealer, err := root.Sealer("page")
	require.NoError(t, err)
	all := printed.String() + log.String() + string(text) + root.String() + fmt.Sprintf("%+v %#v", sealer, sealer)
	for _, s := range []string{young, old} {
		assert.NotContains(t, all, s)
		assert.NotContains(t, all, hex.EncodeToString([]byte(s)))
	}
	assert.Contains(t, all, "[secret]")
}

func TestDerive(t *testing.T) {
	t.Parallel()
	derive := func(root, purpose string, n int) string {
		key, err := keyring.Derive(root, purpose, n)
		require.NoError(t, err)
		assert.Len(t, key, n)
		return hex.EncodeToString(key)
	}
	page := derive(young, "page", 32)
	assert.Equal(t, page, derive(young, "page", 32))
	assert.NotEqual(t, page, derive(young, "answer", 32))
	assert.NotEqual(t, page, derive(old, "page", 32))
	// Computed with another implementation of HKDF-SHA-256 (RFC 5869): a different
	// value here would make everything sealed so far unreadable.
	assert.Equal(t, "8d85297dc2e8cc76fc96650e9e8f88d2", derive("a root secret that never changes", "seal/page", 16))
}

// A restored row is opened with another implementation: ops/restore.py opens the same one.
func TestSealedRowStaysReadable(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("testdata/sealed.json")
	require.NoError(t, err)
	var row struct {
		Root, Purpose, PK, SK string
		Sealed                []byte
	}
	require.NoError(t, json.Unmarshal(content, &row))
	sealer, err := keyring.Root{Current: row.Root}.Sealer(row.Purpose)
	require.NoError(t, err)
	plain, err := sealer.Open(row.Sealed, row.PK+row.SK)
	require.NoError(t, err)
	assert.Equal(t, "whsec_c", string(plain))
}

func TestSealer(t *testing.T) {
	t.Parallel()
	sealer := func(t require.TestingT, r keyring.Root, purpose string) *keyring.Sealer {
		s, err := r.Sealer(purpose)
		require.NoError(t, err)
		return s
	}
	root := keyring.Root{Current: young}

	t.Run("opens what it sealed with the same binding", func(t *testing.T) {
		t.Parallel()
		s := sealer(t, root, "page")
		rapid.Check(t, func(t *rapid.T) {
			plain, binding := rapid.SliceOf(rapid.Byte()).Draw(t, "plain"), rapid.String().Draw(t, "binding")
			sealed := s.Seal(plain, binding)
			opened, err := s.Open(sealed, binding)
			require.NoError(t, err)
			assert.True(t, bytes.Equal(plain, opened))
			other := rapid.String().Filter(func(o string) bool { return o != binding }).Draw(t, "other")
			_, err = s.Open(sealed, other)
			require.ErrorIs(t, err, keyring.ErrNotSealedHere)
			i := rapid.IntRange(0, len(sealed)-1).Draw(t, "at")
			sealed[i] ^= rapid.ByteRange(1, 255).Draw(t, "flip")
			_, err = s.Open(sealed, binding)
			require.ErrorIs(t, err, keyring.ErrNotSealedHere)
		})
	})

	t.Run("opens nothing else", func(t *testing.T) {
		t.Parallel()
		s := sealer(t, root, "page")
		rapid.Check(t, func(t *rapid.T) {
			_, err := s.Open(rapid.SliceOf(rapid.Byte()).Draw(t, "sealed"), "")
			require.ErrorIs(t, err, keyring.ErrNotSealedHere)
		})
	})

	t.Run("seals the same value differently each time", func(t *testing.T) {
		t.Parallel()
		s := sealer(t, root, "page")
		once := s.Seal([]byte("a"), "b")
		assert.NotEqual(t, once, s.Seal([]byte("a"), "b"))
	})

	t.Run("with another purpose or root opens nothing", func(t *testing.T) {
		t.Parallel()
		sealed := sealer(t, root, "page").Seal([]byte("a"), "b")
		for _, s := range []*keyring.Sealer{sealer(t, root, "answer"), sealer(t, keyring.Root{Current: old}, "page")} {
			_, err := s.Open(sealed, "b")
			require.ErrorIs(t, err, keyring.ErrNotSealedHere)
		}
	})

	t.Run("opens values of the previous root until it is removed", func(t *testing.T) {
		t.Parallel()
		before := sealer(t, keyring.Root{Current: old}, "page").Seal([]byte("a"), "b")
		rotated := sealer(t, keyring.Root{Current: young, Previous: old}, "page")
		opened, err := rotated.Open(before, "b")
		require.NoError(t, err)
		assert.Equal(t, "a", string(opened))
		after := rotated.Seal([]byte("c"), "b")
		s := sealer(t, root, "page")
		opened, err = s.Open(after, "b")
		require.NoError(t, err, "new values are sealed under the current root")
		assert.Equal(t, "c", string(opened))
		_, err = s.Open(before, "b")
		require.ErrorIs(t, err, keyring.ErrNotSealedHere)
	})

	t.Run("opens values of the next root", func(t *testing.T) {
		t.Parallel()
		ahead := sealer(t, keyring.Root{Current: young, Previous: old}, "page").Seal([]byte("a"), "b")
		behind := sealer(t, keyring.Root{Current: old, Next: young}, "page")
		opened, err := behind.Open(ahead, "b")
		require.NoError(t, err)
		assert.Equal(t, "a", string(opened))
		_, err = sealer(t, keyring.Root{Current: old}, "page").Open(behind.Seal([]byte("a"), "b"), "b")
		assert.NoError(t, err, "it still seals with the current root")
	})

	t.Run("reseals values of another root", func(t *testing.T) {
		t.Parallel()
		before := sealer(t, keyring.Root{Current: old}, "page").Seal([]byte("a"), "b")
		rotated := sealer(t, keyring.Root{Current: young, Previous: old}, "page")
		fresh, err := rotated.Reseal(before, "b")
		require.NoError(t, err)
		opened, err := sealer(t, root, "page").Open(fresh, "b")
		require.NoError(t, err)
		assert.Equal(t, "a", string(opened))
		again, err := rotated.Reseal(fresh, "b")
		require.NoError(t, err)
		assert.Nil(t, again, "there is nothing to do")
		_, err = rotated.Reseal(before, "c")
		assert.ErrorIs(t, err, keyring.ErrNotSealedHere)
	})

	t.Run("needs a current root", func(t *testing.T) {
		t.Parallel()
		for _, r := range []keyring.Root{{}, {Previous: old}, {Next: old}} {
			_, err := r.Sealer("page")
			require.Error(t, err)
		}
	})
}

func TestRandomToken(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 1000 {
		token := keyring.RandomToken()
		assert.Regexp(t, `^[A-Z2-7]{52}$`, token)
		assert.False(t, seen[token])
		seen[token] = true
	}
}
