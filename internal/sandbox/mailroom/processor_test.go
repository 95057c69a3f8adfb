package mailroom_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/mailroom"
	"aviso/internal/sandbox/mailroom/mailroomtest"
)

const shipment = "0198c2f4-7a33-7c1e-9d51-5f0a1b2c3d4e"

// sendFax sends a fax for a cancellation.
func sendFax(t *testing.T, w *mailroomtest.Env) mailroom.Letter {
	t.Helper()
	body, err := json.Marshal(map[string]any{
		"to": "+4930123456", "files": []any{map[string]any{"file": mailroomtest.PDF(t, 1, "Stromwerk"), "fileType": "PDF"}},
		"callbackUrl": mailroomtest.BaseURL + "/carriers", "callbackUrlContentType": "application/json",
		"labels": map[string]string{"cancellationId": shipment},
	})
	require.NoError(t, err)
	rec := w.Do(t, "POST", "/sandbox/fax/v3/projects/project/faxes", map[string]string{
		"Authorization": "Basic " + base64.StdEncoding.EncodeToString([]byte("key:key-secret")), "Content-Type": "application/json",
	}, body)
	require.Equal(t, 200, rec.Code, rec.Body)
	return newest(t, w)
}

func newest(t *testing.T, w *mailroomtest.Env) mailroom.Letter {
	t.Helper()
	letters, err := w.Store.Letters(t.Context(), "", 1, nil)
	require.NoError(t, err)
	require.Len(t, letters, 1)
	return letters[0]
}

// receive adds a valid letter on paper, as if it had been sent.
func receive(t *testing.T, w *mailroomtest.Env) mailroom.Letter {
	t.Helper()
	now := w.Now()
	l := mailroom.Letter{
		ID:             "01234567-89ab-7def-8123-456789abcdef",
		Carrier:        mailroom.Post,
		How:            mailroom.Mail,
		To:             "Stromwerk AG\n12345 Berlin",
		HasFile:        true,
		FileName:       "Kuendigung.pdf",
		Base:           mailroomtest.BaseURL,
		CreatedAt:      now,
		Pages:          1,
		CancellationID: shipment,
		Posted:         mailroom.Posted{DeliveryProduct: "cheap", PrintMode: "simplex", PrintSpectrum: "color"},
	}
	l.SetState("submitted", now)
	d := mailroom.Document{LetterID: l.ID, Content: mailroomtest.PDF(t, 1, "Stromwerk AG"), Forget: l.KeepUntil()}
	require.NoError(t, w.Processor.Put(t.Context(), l, d))
	return newest(t, w)
}

func state(t *testing.T, w *mailroomtest.Env, id string) mailroom.State {
	t.Helper()
	l, err := w.Store.Letter(t.Context(), id)
	require.NoError(t, err)
	return l.State
}

func TestDuplicateStepChangesNothing(t *testing.T) {
	w := newEnv(t)
	l := sendFax(t, w)
	var all []mailroom.Step
	for range 5 {
		all = append(all, w.Steps()...)
		w.AdvanceTime(t, time.Second)
	}
	done, err := w.Store.Letter(t.Context(), l.ID)
	require.NoError(t, err)
	require.Equal(t, mailroom.State("COMPLETED"), done.State)
	require.Len(t, w.Callbacks(), 1)
	for _, s := range all {
		require.NoError(t, w.Processor.Advance(t.Context(), s))
	}
	w.AdvanceTime(t, time.Hour)
	again, err := w.Store.Letter(t.Context(), l.ID)
	require.NoError(t, err)
	assert.Equal(t, done, again)
	assert.Len(t, w.Callbacks(), 1)
}

func TestEarlyStepIsRescheduled(t *testing.T) {
	w := newEnv(t)
	l := sendFax(t, w)
	step := w.Steps()[0]
	require.NoError(t, w.Processor.Advance(t.Context(), step))
	assert.Equal(t, l.State, state(t, w, l.ID))
	assert.Equal(t, []mailroom.Step{step, step}, w.Steps())
}

func TestStepWithoutLetter(t *testing.T) {
	w := newEnv(t)
	step := mailroom.Step{LetterID: shipment, From: "QUEUED", Due: w.Now()}
	require.ErrorIs(t, w.Processor.Advance(t.Context(), step), outcome.ErrNotFound, "the letter may not be stored yet")
	w.AdvanceTime(t, 2*time.Minute)
	assert.NoError(t, w.Processor.Advance(t.Context(), step), "it was deleted")
}

// The queue redelivers failed steps, and nothing is lost.
func TestFailedStepIsRetried(t *testing.T) {
	for failing := range 12 {
		w := newEnv(t)
		l := sendFax(t, w)
		calls, broke := 0, false
		w.Fails = func() error {
			if calls++; calls == failing {
				broke = true
				return errors.New("broken")
			}
			return nil
		}
		w.AdvanceTime(t, time.Hour)
		assert.Equal(t, failing > 0 && failing <= calls, broke)
		w.Fails = nil
		assert.Equal(t, mailroom.State("COMPLETED"), state(t, w, l.ID), failing)
		assert.NotEmpty(t, w.Callbacks(), failing)
		assert.Empty(t, w.Steps(), failing)
	}
}

func TestCommands(t *testing.T) {
	for name, test := range map[string]struct {
		fax        bool
		action     string
		want       mailroom.State
		noticeItem int
	}{
		"deliver a letter": {false, "deliver", "delivered", 2},
		"return a letter":  {false, "bounce", "undeliverable", 2},
		"reject a letter":  {false, "reject", "rejected", 1},
		"deliver a fax":    {true, "deliver", "COMPLETED", 1},
		"a busy line":      {true, "bounce", "FAILURE", 1},
		"reject a fax":     {true, "reject", "FAILURE", 1},
	} {
		t.Run(name, func(t *testing.T) {
			w := newEnv(t)
			var l mailroom.Letter
			if test.fax {
				l = sendFax(t, w)
			} else {
				l = receive(t, w)
			}
			path := mailroom.PagePath + "/" + l.ID
			rec := w.Form(t, path, "action", test.action)
			require.Equal(t, 303, rec.Code, rec.Body)
			assert.Equal(t, path+"?done="+test.action, rec.Header().Get("Location"))
			assert.Equal(t, test.want, state(t, w, l.ID), "immediately")
			w.AdvanceTime(t, time.Hour)
			assert.Equal(t, test.want, state(t, w, l.ID))
			assert.Len(t, w.Callbacks(), test.noticeItem)
			for _, action := range []string{"deliver", "bounce", "reject", "delay"} {
				assert.Equal(t, 409, w.Form(t, path, "action", action).Code, "it is complete")
			}
		})
	}
}

func TestLostLetterNeverAdvances(t *testing.T) {
	w := newEnv(t)
	l := receive(t, w)
	path := mailroom.PagePath + "/" + l.ID
	require.Equal(t, 303, w.Form(t, path, "action", "lose").Code)
	w.AdvanceTime(t, 48*time.Hour)
	assert.Equal(t, mailroom.State("submitted"), state(t, w, l.ID))
	assert.Empty(t, w.Callbacks())
	assert.Empty(t, w.Steps())
	assert.Equal(t, 409, w.Form(t, path, "action", "deliver").Code)
}

// A notice that is still unsent when a letter is lost is never sent.
func TestLostLetterSendsNoCallback(t *testing.T) {
	w := newEnv(t)
	w.Answer = 500
	l := sendFax(t, w)
	w.AdvanceTime(t, 3*time.Second)
	require.Len(t, w.Callbacks(), 1)
	require.Equal(t, 303, w.Form(t, mailroom.PagePath+"/"+l.ID, "action", "lose").Code)
	w.AdvanceTime(t, 48*time.Hour)
	assert.Len(t, w.Callbacks(), 1)
}

func TestDelayedLetterContinues(t *testing.T) {
	w := newEnv(t)
	l := receive(t, w)
	require.Equal(t, 303, w.Form(t, mailroom.PagePath+"/"+l.ID, "action", "delay", "minutes", "60").Code)
	w.AdvanceTime(t, 59*time.Minute)
	assert.Equal(t, mailroom.State("submitted"), state(t, w, l.ID))
	w.AdvanceTime(t, 2*time.Minute)
	assert.Equal(t, mailroom.State("sent"), state(t, w, l.ID))
	require.Equal(t, 303, w.Form(t, mailroom.PagePath+"/"+l.ID, "action", "bounce").Code, "a sent letter may be returned")
	assert.Equal(t, mailroom.State("undeliverable"), state(t, w, l.ID))
}

func TestDelayedLetterRunsCommandsImmediately(t *testing.T) {
	w := newEnv(t)
	l := receive(t, w)
	path := mailroom.PagePath + "/" + l.ID
	require.Equal(t, 303, w.Form(t, path, "action", "delay", "minutes", "60").Code)
	require.Equal(t, 303, w.Form(t, path, "action", "deliver").Code)
	assert.Equal(t, mailroom.State("delivered"), state(t, w, l.ID))
	w.AdvanceTime(t, time.Minute)
	assert.Len(t, w.Callbacks(), 2)
}
