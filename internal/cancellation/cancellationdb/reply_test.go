package cancellationdb_test

import (
	"bytes"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/cancellation/reply"
	"aviso/internal/outcome"
	"aviso/localstack/tests/cancellationtest"
)

func TestReplies(t *testing.T) {
	s, user := newTables(t), cancellationtest.User()
	c := a(1)
	c.ReplyAddress = reply.NewAddress("replies.example")
	c = s.create(t, c)
	token := reply.Token(c.ReplyAddress)
	_, id, err := s.ByReplyToken(t.Context(), token)
	require.NoError(t, err)
	assert.Equal(t, c.ID, id)

	raw := bytes.Repeat([]byte("a mail of a megabyte\r\n"), 50_000)
	r := reply.Reply{ID: uuid.NewString(), From: "a@b.example", Text: "text", Digest: evidence.Of(raw), Size: len(raw)}
	require.NoError(t, s.SaveReply(t.Context(), user, c.ID, r, raw))
	all, err := s.Replies(t.Context(), user, c.ID)
	require.NoError(t, err)
	require.Len(t, all, 1)
	assert.Equal(t, r.Digest, all[0].Digest)
	kept, err := s.RawReply(t.Context(), user, c.ID, all[0])
	require.NoError(t, err)
	assert.Equal(t, raw, kept, "its parts in their order")
	documents, err := s.ReceivedDocuments(t.Context(), user, c.ID)
	require.NoError(t, err)
	assert.Equal(t, raw, documents[r.Digest].Body)
	require.ErrorIs(t, s.UpdateReply(t.Context(), user, c.ID, r), outcome.ErrChanged, "a lost race")

	require.NoError(t, s.DeleteCancellations(t.Context(), user, []cancellation.Cancellation{c}))
	_, _, err = s.ByReplyToken(t.Context(), token)
	require.ErrorIs(t, err, outcome.ErrNotFound, "the address")
	all, err = s.Replies(t.Context(), user, c.ID)
	require.NoError(t, err)
	assert.Empty(t, all)
	_, err = s.RawReply(t.Context(), user, c.ID, r)
	require.ErrorIs(t, err, outcome.ErrNotFound, "the mail")
}
