package mailroom_test

import (
	"encoding/json"
	"errors"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/mailroom"
	"aviso/internal/sandbox/mailroom/mailroomtest"
)

const month = 30 * 24 * time.Hour

// forward moves the time of the letters of the cancellation, and returns when more is due.
func forward(t *testing.T, w *mailroomtest.Env, cancellation string, until time.Time) time.Time {
	t.Helper()
	rec := callForward(t, w, "mail-token", map[string]any{"references": []string{cancellation}, "until": until})
	require.Equal(t, 200, rec.Code, rec.Body)
	var answer struct{ NextDue time.Time }
	require.NoError(t, json.Unmarshal(rec.Body.Bytes(), &answer))
	return answer.NextDue
}

func callForward(t *testing.T, w *mailroomtest.Env, token string, body any) *httptest.ResponseRecorder {
	t.Helper()
	text, err := json.Marshal(body)
	require.NoError(t, err)
	return w.Do(t, "POST", mailroom.ForwardPath, map[string]string{"Authorization": "Bearer " + token}, text)
}

// edit changes the newest letter.
func edit(t *testing.T, w *mailroomtest.Env, change func(*mailroom.Letter)) mailroom.Letter {
	t.Helper()
	l := newest(t, w)
	change(&l)
	require.NoError(t, w.Store.Save(t.Context(), l))
	return newest(t, w)
}

// times returns the states of a letter, and when each began after the start.
func times(t *testing.T, w *mailroomtest.Env, id string) (states []mailroom.State, after []time.Duration) {
	t.Helper()
	l, err := w.Store.Letter(t.Context(), id)
	require.NoError(t, err)
	for _, e := range l.History {
		states, after = append(states, e.State), append(after, e.At.Sub(mailroomtest.Start()))
	}
	return states, after
}

func TestLettersGoOnInTheirOrderAndAtTheirTimes(t *testing.T) {
	for last, change := range map[mailroom.State]func(*mailroom.Letter){
		"delivered":     func(l *mailroom.Letter) { l.How = mailroom.RegisteredMail },
		"undeliverable": func(l *mailroom.Letter) { l.Fate = mailroom.Bounce },
	} {
		t.Run(string(last), func(t *testing.T) {
			w := newEnv(t)
			receive(t, w)
			l := edit(t, w, change)
			assert.Equal(t, mailroomtest.Start().Add(time.Second), forward(t, w, shipment, time.Time{}), "without a time nothing runs")
			assert.Equal(t, mailroom.State("submitted"), state(t, w, l.ID))
			for range 2 {
				assert.Zero(t, forward(t, w, shipment, mailroomtest.Start().Add(month)))
			}
			w.AdvanceTime(t, time.Hour) // the steps in the queue find their work done
			states, after := times(t, w, l.ID)
			assert.Equal(t, []mailroom.State{"submitted", "processing", "sent", last}, states)
			assert.Equal(t, []time.Duration{0, time.Second, 3 * time.Second, 5 * time.Second}, after)
			require.Len(t, w.Callbacks(), 2)
			assert.Contains(t, string(w.Callbacks()[0].Body), "webhook_sent")
			assert.Contains(t, string(w.Callbacks()[1].Body), "webhook_"+last)
		})
	}
}

func TestLettersGoOnUntilATimeOnly(t *testing.T) {
	w := newEnv(t)
	l := receive(t, w)
	require.Equal(t, 303, w.Form(t, mailroom.PagePath+"/"+l.ID, "action", "delay", "minutes", "60").Code)
	start := mailroomtest.Start()
	assert.Equal(t, start.Add(time.Hour), forward(t, w, shipment, start.Add(59*time.Minute)))
	assert.Equal(t, mailroom.State("submitted"), state(t, w, l.ID))
	w.AdvanceTime(t, 15*time.Minute)
	assert.Equal(t, mailroom.State("sent"), state(t, w, l.ID), "the rest passes in the user's time, too")
	_, after := times(t, w, l.ID)
	assert.GreaterOrEqual(t, after[1], time.Hour)
}

func TestAnotherUsersLettersDoNotMove(t *testing.T) {
	w := newEnv(t)
	l := sendFax(t, w)
	assert.Zero(t, forward(t, w, "0198c2f4-7a33-7c1e-9d51-5f0a1b2c3d00", mailroomtest.Start().Add(month)))
	same, err := w.Store.Letter(t.Context(), l.ID)
	require.NoError(t, err)
	assert.Equal(t, l, same)
}

// The service is told again as the carrier would have, within one call or several.
func TestNoticesAreRepeatedInTheUsersTime(t *testing.T) {
	w := newEnv(t)
	w.Answer = 500
	receive(t, w)
	l := edit(t, w, func(l *mailroom.Letter) { l.How = mailroom.RegisteredMail })
	until := mailroomtest.Start().Add(month)
	next, calls := forward(t, w, shipment, until), 1
	for ; !next.IsZero() && !next.After(until) && calls < 10; calls++ {
		next = forward(t, w, shipment, until)
	}
	assert.Zero(t, next)
	assert.Len(t, w.Callbacks(), 14, "seven for each notice")
	l, err := w.Store.Letter(t.Context(), l.ID)
	require.NoError(t, err)
	total := 7*time.Hour + 16*time.Minute
	assert.Equal(t, mailroomtest.Start().Add(3*time.Second+total), l.Notices[0].LastAt)
	w.AdvanceTime(t, 48*time.Hour)
	assert.Len(t, w.Callbacks(), 14)
}

// What a developer does to a letter on paper, long after it was sent, happens in the user's time.
func TestAChoiceOnTheLettersPageIsInTheUsersTime(t *testing.T) {
	w := newEnv(t)
	l := receive(t, w)
	forward(t, w, shipment, mailroomtest.Start().Add(month))
	forward(t, w, shipment, mailroomtest.Start().Add(2*month))
	require.Equal(t, 303, w.Form(t, mailroom.PagePath+"/"+l.ID, "action", "bounce").Code)
	states, after := times(t, w, l.ID)
	assert.Equal(t, mailroom.State("undeliverable"), states[3])
	assert.Equal(t, 2*month, after[3])
	forward(t, w, shipment, mailroomtest.Start().Add(3*month))
	moved, err := w.Store.Letter(t.Context(), l.ID)
	require.NoError(t, err)
	forward(t, w, shipment, mailroomtest.Start().Add(4*month))
	same, err := w.Store.Letter(t.Context(), l.ID)
	require.NoError(t, err)
	assert.Equal(t, moved, same, "nothing more can happen to it, so nothing is written")
}

func TestALostLetterDoesNotMove(t *testing.T) {
	w := newEnv(t)
	l := receive(t, w)
	require.Equal(t, 303, w.Form(t, mailroom.PagePath+"/"+l.ID, "action", "lose").Code)
	assert.Zero(t, forward(t, w, shipment, mailroomtest.Start().Add(month)))
	assert.Equal(t, mailroom.State("submitted"), state(t, w, l.ID))
}

// A failure in the middle leaves nothing undone.
func TestForwardAfterAFailure(t *testing.T) {
	for failing := range 40 {
		w := newEnv(t)
		receive(t, w)
		l := edit(t, w, func(l *mailroom.Letter) { l.How = mailroom.RegisteredMail })
		calls, failure := 0, []error{outcome.ErrChanged, errors.New("broken")}[failing%2]
		w.Fails = func() error {
			if calls++; calls == failing/2 {
				return failure
			}
			return nil
		}
		body := map[string]any{"references": []string{shipment}, "until": mailroomtest.Start().Add(month)}
		callForward(t, w, "mail-token", body)
		w.Fails = nil
		require.Equal(t, 200, callForward(t, w, "mail-token", body).Code)
		assert.Equal(t, mailroom.State("delivered"), state(t, w, l.ID), failing)
		assert.GreaterOrEqual(t, len(w.Callbacks()), 2, failing)
	}
}

func TestForwardRefusals(t *testing.T) {
	w := newEnv(t)
	for _, token := range []string{"", "other"} {
		assert.Equal(t, 401, callForward(t, w, token, map[string]any{}).Code)
	}
	for _, body := range []any{"text", map[string]any{"until": "soon"}, map[string]any{"until": w.Now().AddDate(11, 0, 0)}} {
		assert.Equal(t, 400, callForward(t, w, "mail-token", body).Code)
	}
	rec := callForward(t, w, "mail-token", map[string]any{"references": []string{shipment}})
	assert.JSONEq(t, `{}`, rec.Body.String())
}

// What is handed over at a user's time goes on at that time.
func TestLettersOfAUserWhoseTimeIsAhead(t *testing.T) {
	w := newEnv(t)
	later := mailroomtest.Start().Add(month)
	w.Told = later.Format("2006-01-02T15:04:05.000Z")
	require.Equal(t, 204, sendMail(t, w, "mail-token", mailroomtest.PDF(t, 1, "Vidorma")).Code)
	assert.Equal(t, later, newest(t, w).CreatedAt)
	l := sendFax(t, w)
	w.Told = ""
	w.AdvanceTime(t, 3*time.Second)
	states, after := times(t, w, l.ID)
	assert.Equal(t, []mailroom.State{"QUEUED", "IN_PROGRESS", "COMPLETED"}, states)
	assert.Equal(t, []time.Duration{month, month + time.Second, month + 3*time.Second}, after)
	require.Len(t, w.Callbacks(), 1)
	assert.Contains(t, string(w.Callbacks()[0].Body), later.Format(time.DateOnly))
	l = newest(t, w)
	assert.Equal(t, mailroomtest.Start().Add(mailroom.Keep), l.KeepUntil(), "it is kept as long as any letter")

	for _, told := range []string{"soon", "1990-01-01T00:00:00.000Z", "2999-01-01T00:00:00.000Z"} {
		w.Told = told
		assert.Equal(t, w.Now(), sendFax(t, w).CreatedAt, told)
	}
}
