package mailroom_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/sandbox/mailroom"
	"aviso/internal/sandbox/mailroom/mailroomtest"
)

func TestInspect(t *testing.T) {
	sheet, err := mailroom.Inspect(mailroomtest.PDF(t, 3, "Stromwerk"))
	require.NoError(t, err)
	assert.Equal(t, mailroom.PageInfo{Pages: 3, A4: true}, sheet)
	sheet, err = mailroom.Inspect(mailroomtest.Letter(t))
	require.NoError(t, err)
	assert.Equal(t, mailroom.PageInfo{Pages: 1}, sheet)

	window, err := mailroom.Window(mailroomtest.PDF(t, 2, "Stromwerk AG", "12345 Berlin"), false)
	require.NoError(t, err)
	assert.Equal(t, "Stromwerk AG\n12345 Berlin", window, "not the text below it")
}

func TestInspectRejectsInvalidPDFs(t *testing.T) {
	good := mailroomtest.PDF(t, 1, "Stromwerk")
	for name, content := range map[string][]byte{
		"nothing":            nil,
		"text":               []byte("Dear all"),
		"a header":           []byte("%PDF-1.7"),
		"half a document":    good[:len(good)/2],
		"a document no page": bytes.ReplaceAll(good, []byte("/Kids [3 0 R"), []byte("/Kids [9 9 R")),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := mailroom.Inspect(content)
			require.ErrorIs(t, err, mailroom.ErrUnreadable)
		})
	}
}
