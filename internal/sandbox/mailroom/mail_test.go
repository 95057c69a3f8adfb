package mailroom_test

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/sandbox/mailroom"
	"aviso/internal/sandbox/mailroom/mailroomtest"
)

const mailPath = "/sandbox/mail/0198c2f4-7a33-7c1e-9d51-5f0a1b2c3d99"

// sendMail passes on a mail as letter-dispatch does.
func sendMail(t *testing.T, w *mailroomtest.Env, token string, pdf []byte) *httptest.ResponseRecorder {
	t.Helper()
	body, err := json.Marshal(map[string]any{
		"cancellationId": shipment, "partnerId": "one", "to": "kuendigung@vidorma.example",
		"subject": "Kündigung", "text": "Sehr geehrte Damen und Herren,\n\nich kündige.", "pdf": pdf,
	})
	require.NoError(t, err)
	return w.Do(t, "PUT", mailPath, map[string]string{"Authorization": "Bearer " + token}, body)
}

func TestMailIsListedBesideLettersAndFaxes(t *testing.T) {
	w := newEnv(t)
	sendFax(t, w)
	for range 2 { // letter-dispatch may repeat it
		require.Equal(t, 204, sendMail(t, w, "mail-token", mailroomtest.PDF(t, 2, "Vidorma")).Code)
	}
	rec := w.Do(t, "GET", mailroom.PagePath, map[string]string{"Accept": "application/json"}, nil)
	var list struct {
		Letters []struct{ Href, File, Carrier, How, To, Subject, CancellationID, State string }
	}
	require.NoError(t, json.Unmarshal(rec.Body.Bytes(), &list))
	require.Len(t, list.Letters, 2)
	mail := list.Letters[0]
	assert.Equal(t, []string{"email", "Email", "kuendigung@vidorma.example", "Kündigung", shipment, "sent"},
		[]string{mail.Carrier, mail.How, mail.To, mail.Subject, mail.CancellationID, mail.State})

	text, all := fit(t, w.Do(t, "GET", mailroom.PagePath, nil, nil))
	assert.Contains(t, text, "kuendigung@vidorma.example")
	assert.Len(t, elements(all, "a", "href", mail.Href), 1)
	assert.Len(t, elements(all, "a", "href", mail.File), 1, "the list links to the PDF")
	assert.NotEmpty(t, elements(all, "a", "href", "/sandbox/replies?cancellation="+shipment), "and to the answer")

	text, all = fit(t, w.Do(t, "GET", mail.Href, nil, nil))
	for _, part := range []string{"Kündigung", "ich kündige.", "kuendigung@vidorma.example", shipment, "<dd>2</dd>"} {
		assert.Contains(t, text, part)
	}
	assert.Empty(t, elements(all, "form", "", ""), "SES decides what happens to mail")
	assert.Equal(t, "application/pdf", w.Do(t, "GET", mail.File, nil, nil).Header().Get("Content-Type"))
	for _, action := range []string{"deliver", "bounce", "reject", "lose", "delay"} {
		assert.Equal(t, 409, w.Form(t, mail.Href, "action", action).Code, action)
	}
}

func TestMailThatBouncesIsNotSent(t *testing.T) {
	w := newEnv(t)
	headers := map[string]string{"Authorization": "Bearer mail-token"}
	body := `{"cancellationId":"` + shipment + `","to":"Bounce+one@simulator.amazonses.com","subject":"Kündigung"}`
	require.Equal(t, 204, w.Do(t, "PUT", mailPath, headers, []byte(body)).Code)
	text, all := fit(t, w.Do(t, "GET", mailroom.PagePath, nil, nil))
	assert.Contains(t, text, "Returned to sender")
	assert.Empty(t, elements(all, "a", "href", "/sandbox/replies?cancellation="+shipment), "nobody can answer it")
}

func TestMailThatIsRefused(t *testing.T) {
	w := newEnv(t)
	pdf := mailroomtest.PDF(t, 1, "Vidorma")
	for _, token := range []string{"", "other"} {
		assert.Equal(t, 401, sendMail(t, w, token, pdf).Code)
	}
	assert.Equal(t, 401, w.Do(t, "PUT", mailPath, nil, []byte("{}")).Code)
	headers := map[string]string{"Authorization": "Bearer mail-token"}
	assert.Equal(t, 405, w.Do(t, "POST", mailPath, headers, []byte("{}")).Code)
	assert.Equal(t, 404, w.Do(t, "PUT", "/sandbox/mail/none", headers, []byte("{}")).Code)
	assert.Equal(t, 400, w.Do(t, "PUT", mailPath, headers, []byte("{")).Code)
	assert.Equal(t, 400, w.Do(t, "PUT", mailPath, headers, []byte(`{"cancellationId":"x","to":"a@b.example"}`)).Code)
	letters, err := w.Store.Letters(t.Context(), "", 1, nil)
	require.NoError(t, err)
	assert.Empty(t, letters)
}

func TestMailIsErased(t *testing.T) {
	w := newEnv(t)
	require.Equal(t, 204, sendMail(t, w, "mail-token", mailroomtest.PDF(t, 1, "Vidorma")).Code)
	l := newest(t, w)
	headers := map[string]string{"Authorization": "Bearer mail-token"}
	assert.Equal(t, 401, w.Do(t, "DELETE", mailPath, nil, nil).Code)
	for range 2 {
		require.Equal(t, 204, w.Do(t, "DELETE", mailPath, headers, nil).Code)
		for _, path := range []string{"", "/file.pdf"} {
			assert.Equal(t, 404, w.Do(t, "GET", mailroom.PagePath+"/"+l.ID+path, nil, nil).Code)
		}
	}
}

// A table's item holds at most 400 KB. The mail is shown without its document then.
func TestMailWithALargeDocument(t *testing.T) {
	w := newEnv(t)
	large := append(mailroomtest.PDF(t, 1, "Vidorma"), make([]byte, mailroom.MaxDocument)...)
	require.Equal(t, 204, sendMail(t, w, "mail-token", large).Code)
	l := newest(t, w)
	assert.False(t, l.HasFile)
	text, _ := fit(t, w.Do(t, "GET", mailroom.PagePath+"/"+l.ID, nil, nil))
	assert.Contains(t, text, "too large")
}

// People read words; a carrier's own name of a state is for programs.
func TestStatesAreWords(t *testing.T) {
	w := newEnv(t)
	sendFax(t, w)
	receive(t, w)
	text, _ := fit(t, w.Do(t, "GET", mailroom.PagePath, nil, nil))
	assert.Contains(t, text, ">Waiting for the line</span>")
	assert.Contains(t, text, ">At the post office</span>")
	for _, raw := range []string{"QUEUED", ">submitted"} {
		assert.NotContains(t, text, raw)
	}
	l := newest(t, w)
	text, _ = fit(t, w.Do(t, "GET", mailroom.PagePath+"/"+l.ID, nil, nil))
	assert.Contains(t, text, "<code>"+string(l.State)+"</code>", "beside the carrier's own name, for programs")
	assert.NotContains(t, strings.ToLower(text), "action_required")
}
