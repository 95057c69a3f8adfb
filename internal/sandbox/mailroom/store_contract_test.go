package mailroom_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/mailroom"
	"aviso/internal/sandbox/sandboxdb"
)

// contract checks what every store must do.
func contract(t *testing.T, s mailroom.Store, now time.Time) {
	t.Helper()
	ctx := t.Context()
	newLetter := func(c mailroom.Carrier) mailroom.Letter {
		return mailroom.Letter{ID: uuid.Must(uuid.NewV7()).String(), Carrier: c, CreatedAt: now}
	}

	t.Run("returns saved records, with the next version of each letter", func(t *testing.T) {
		l := newLetter(mailroom.Fax)
		l.SetState("QUEUED", now)
		l.AddNotice("n", "FAX_COMPLETED", "code", "reason")
		l.Ahead, l.CreatedAhead = 2*time.Hour, time.Hour
		l.Faxed.Labels = map[string]string{"cancellationId": "c"}
		d := mailroom.Document{LetterID: l.ID, Content: make([]byte, mailroom.MaxDocument), Forget: l.KeepUntil()}
		require.NoError(t, s.Save(ctx, l, d))
		got, err := s.Letter(ctx, l.ID)
		require.NoError(t, err)
		l.Version = 1
		assert.Equal(t, l, got)
		file, err := sandboxdb.Get(ctx, s.Store, mailroom.Document{LetterID: l.ID})
		require.NoError(t, err)
		assert.Equal(t, d.Content, file.Content)
	})
	t.Run("returns ErrNotFound for unknown records", func(t *testing.T) {
		_, err := s.Letter(ctx, "none")
		require.ErrorIs(t, err, outcome.ErrNotFound)
		_, err = sandboxdb.Get(ctx, s.Store, mailroom.Document{LetterID: "none"})
		require.ErrorIs(t, err, outcome.ErrNotFound)
		_, err = sandboxdb.Get(ctx, s.Store, mailroom.Answer{ID: "none"})
		require.ErrorIs(t, err, outcome.ErrNotFound)
		_, err = sandboxdb.Get(ctx, s.Store, mailroom.Setting{Carrier: "none", Partner: ""})
		require.ErrorIs(t, err, outcome.ErrNotFound)
	})
	t.Run("rejects a changed letter and all records of the transaction", func(t *testing.T) {
		l := newLetter(mailroom.Post)
		require.NoError(t, s.Save(ctx, l))
		require.ErrorIs(t, s.Save(ctx, l), outcome.ErrChanged)
		l.Version = 1
		require.NoError(t, s.Save(ctx, l))
		require.ErrorIs(t, s.Save(ctx, l, mailroom.Answer{ID: "with-a-stale-letter", Forget: now.Add(time.Hour)}), outcome.ErrChanged)
		_, err := sandboxdb.Get(ctx, s.Store, mailroom.Answer{ID: "with-a-stale-letter"})
		assert.ErrorIs(t, err, outcome.ErrNotFound)
	})
	t.Run("keeps the first answer for a key", func(t *testing.T) {
		a := mailroom.Answer{ID: "key", Request: "first", Status: 201, Body: []byte("{}"), Forget: now.Add(time.Hour)}
		require.NoError(t, s.Save(ctx, a))
		l := newLetter(mailroom.Post)
		b := a
		b.Request = "second"
		require.ErrorIs(t, s.Save(ctx, l, b), outcome.ErrChanged)
		got, err := sandboxdb.Get(ctx, s.Store, mailroom.Answer{ID: "key"})
		require.NoError(t, err)
		assert.Equal(t, "first", got.Request)
		_, err = s.Letter(ctx, l.ID)
		assert.ErrorIs(t, err, outcome.ErrNotFound)
	})
	t.Run("overwrites settings and documents", func(t *testing.T) {
		for _, b := range []mailroom.Behaviour{mailroom.Hang, mailroom.Normal} {
			require.NoError(t, s.Save(ctx, mailroom.Setting{Carrier: mailroom.Post, Behaviour: b, Until: now.Add(time.Hour)}))
			got, err := sandboxdb.Get(ctx, s.Store, mailroom.Setting{Carrier: mailroom.Post, Partner: ""})
			require.NoError(t, err)
			assert.Equal(t, b, got.Behaviour)
		}
		for _, content := range []string{"one", "two"} {
			require.NoError(t, s.Save(ctx, mailroom.Document{LetterID: "u", Content: []byte(content), Forget: now.Add(time.Hour)}))
		}
		got, err := sandboxdb.Get(ctx, s.Store, mailroom.Document{LetterID: "u"})
		require.NoError(t, err)
		assert.Equal(t, "two", string(got.Content))
	})
	t.Run("lists letters newest first, by carrier, cursor and limit", func(t *testing.T) {
		var ids []string
		for _, c := range []mailroom.Carrier{mailroom.Post, mailroom.Fax, mailroom.Post} {
			l := newLetter(c)
			require.NoError(t, s.Save(ctx, l))
			ids = append(ids, l.ID)
		}
		list := func(c mailroom.Carrier, before string, limit int) []string {
			wanted := func(l mailroom.Letter) bool { return c == "" || l.Carrier == c }
			letters, err := s.Letters(ctx, before, limit, wanted)
			require.NoError(t, err)
			var out []string
			for _, l := range letters {
				out = append(out, l.ID)
			}
			return out
		}
		assert.Equal(t, []string{ids[2], ids[1], ids[0]}, list("", "", 3))
		assert.Equal(t, []string{ids[2], ids[0]}, list(mailroom.Post, "", 2))
		assert.Equal(t, []string{ids[1]}, list("", ids[2], 1))
		assert.Equal(t, []string{ids[1]}, list(mailroom.Fax, ids[2], 1))
	})
	t.Run("keeps partners' letters and settings apart", func(t *testing.T) {
		theirs := newLetter(mailroom.Post)
		theirs.Partner = "partner"
		require.NoError(t, s.Save(ctx, theirs, mailroom.Setting{
			Carrier: mailroom.Post, Partner: "partner", Behaviour: mailroom.Lose, Until: now.Add(time.Hour),
		}))
		later := newLetter(mailroom.Post)
		require.NoError(t, s.Save(ctx, later))
		list := func(partner, before string) []mailroom.Letter {
			letters, err := s.Letters(ctx, before, 1, mailroom.From(partner))
			require.NoError(t, err)
			return letters
		}
		require.Len(t, list("partner", ""), 1)
		assert.Equal(t, theirs.ID, list("partner", "")[0].ID)
		assert.Empty(t, list("partner", theirs.ID))
		assert.Empty(t, list("partner-2", ""))
		setting, err := sandboxdb.Get(ctx, s.Store, mailroom.Setting{Carrier: mailroom.Post, Partner: "partner"})
		require.NoError(t, err)
		assert.Equal(t, mailroom.Lose, setting.Behaviour)
		setting, err = sandboxdb.Get(ctx, s.Store, mailroom.Setting{Carrier: mailroom.Post, Partner: ""})
		require.NoError(t, err)
		assert.NotEqual(t, mailroom.Lose, setting.Behaviour)
	})
	t.Run("deletes records, even unknown ones", func(t *testing.T) {
		l := newLetter(mailroom.Post)
		d := mailroom.Document{LetterID: l.ID, Forget: l.KeepUntil()}
		require.NoError(t, s.Save(ctx, l, d))
		require.NoError(t, s.Delete(ctx, l, d))
		require.NoError(t, s.Delete(ctx, l, d))
		_, err := s.Letter(ctx, l.ID)
		require.ErrorIs(t, err, outcome.ErrNotFound)
		_, err = sandboxdb.Get(ctx, s.Store, mailroom.Document{LetterID: l.ID})
		assert.ErrorIs(t, err, outcome.ErrNotFound)
	})
}
