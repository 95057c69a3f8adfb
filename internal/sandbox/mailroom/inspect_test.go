package mailroom_test

import (
	"bytes"
	"strings"
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
		"nothing":                         nil,
		"text":                            []byte("Dear all"),
		"a header":                        []byte("%PDF-1.7"),
		"half a document":                 good[:len(good)/2],
		"a document no page":              bytes.ReplaceAll(good, []byte("/Kids [3 0 R"), []byte("/Kids [9 9 R")),
		"a document of a billion objects": bytes.Replace(good, []byte("xref\n0 "), []byte("xref\n999999999"), 1),
		// Its page tree is its own parent.
		"an endless document": bytes.ReplaceAll(good, []byte("/Kids [3 0 R"), []byte("/Kids [1 0 R")),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := mailroom.Inspect(content)
			require.ErrorIs(t, err, mailroom.ErrUnreadable)
		})
	}
}

// Numbers in texts and names are not counts.
func TestInspectAcceptsLongNumbersInText(t *testing.T) {
	named := mailroomtest.Named(t, "Kundennummer 12345678901 (alt)", "F"+strings.Repeat("1234567890", 4), "Stromwerk AG (12345678901)")
	window, err := mailroom.Window(named, false)
	require.NoError(t, err)
	assert.Equal(t, "Stromwerk AG (12345678901)", window)
}

// Reading any input ends and does not panic.
func FuzzInspect(f *testing.F) {
	f.Add(mailroomtest.PDF(f, 2, "Stromwerk AG", "12345 Berlin"))
	f.Add(
		[]byte(
			"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[2 0 R]/Count 1>>endobj trailer<</Root 1 0 R>>",
		),
	)
	f.Fuzz(func(t *testing.T, content []byte) {
		sheet, err := mailroom.Inspect(content)
		if err != nil {
			assert.ErrorIs(t, err, mailroom.ErrUnreadable)
			return
		}
		assert.Positive(t, sheet.Pages)
		_, err = mailroom.Window(content, false)
		if err != nil {
			assert.ErrorIs(t, err, mailroom.ErrUnreadable)
		}
	})
}
