package request_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
	"pgregory.net/rapid"

	"aviso/internal/api/apierror"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/cancellation/request"
	"aviso/internal/dynamo"
	"aviso/internal/owner"
	"aviso/localstack/tests/cancellationtest"
	"aviso/localstack/tests/clocktest"
)

// again cancels the product once more. It returns the ID of the cancellation that is in the
// way, if there is one.
func (w *world) again(user owner.User, r request.Request) (c cancellation.Cancellation, inTheWay string) {
	w.Helper()
	c, _, err := w.Requests.Create(w.Context(), user, r, nil)
	if refused, ok := errors.AsType[*apierror.Error](err); ok && refused.Code == apierror.AlreadyCancelled {
		return c, refused.CancellationID
	}
	require.NoError(w, err)
	return c, ""
}

func TestASecondCancellationOfAProduct(t *testing.T) {
	w := newWorld(t)
	user, request := cancellationtest.User(), cancellationtest.Request("streaming")

	t.Run("is refused, and leaves nothing", func(t *testing.T) {
		first := w.Create("streaming")
		w.Left()
		_, inTheWay := w.again(user, request)
		assert.Equal(t, first.ID, inTheWay)
		all, err := w.Store.AllCancellations(t.Context(), user)
		require.NoError(t, err)
		assert.Len(t, all, 1)
		jobs, events := w.Left()
		assert.Empty(t, jobs)
		assert.Empty(t, events)
	})

	t.Run("of another product or user is not the second", func(t *testing.T) {
		_, inTheWay := w.again(user, cancellationtest.Request("post"))
		assert.Empty(t, inTheWay)
		other := owner.User{Partner: user.Partner, ID: "6f9a1d7e-0000-4000-8000-000000000002"}
		require.NoError(t, w.Users.Put(t.Context(), dynamo.UserKey(other), dynamo.Item{}))
		_, inTheWay = w.again(other, request)
		assert.Empty(t, inTheWay)
	})

	t.Run("of another contract is not the second", func(t *testing.T) {
		number := func(value string) (cancellation.Cancellation, string) {
			r := cancellationtest.Request("streaming")
			r.Parameters[3].Value = value
			return w.again(user, r)
		}
		second, inTheWay := number("K-02")
		assert.Empty(t, inTheWay)
		_, inTheWay = number("K-02")
		assert.Equal(t, second.ID, inTheWay)
		same := cancellationtest.Request("streaming")
		same.Parameters[0].Value, same.Parameters[3].Value = "A. Sommer", "K-02"
		_, inTheWay = w.again(user, same)
		assert.Equal(t, second.ID, inTheWay, "a name does not identify a contract")
	})

	t.Run("is what the user wants", func(t *testing.T) {
		first, second := w.Create("streaming"), w.Create("streaming")
		assert.NotEqual(t, first.ID, second.ID)
		_, inTheWay := w.again(user, request)
		assert.Equal(t, second.ID, inTheWay, "the last one counts")
	})

	t.Run("has a preview", func(t *testing.T) {
		_, err := w.Requests.Preview(t.Context(), user, request)
		assert.NoError(t, err)
	})

	t.Run("with the same external identifier is the first one", func(t *testing.T) {
		r := request
		r.ExternalID, r.Repeat = "order-1", true
		first, _ := w.again(user, r)
		w.Create("streaming")
		for _, repeat := range []bool{true, false} {
			r.Repeat = repeat
			same, inTheWay := w.again(user, r)
			assert.Empty(t, inTheWay)
			assert.Equal(t, first.ID, same.ID, "repeat is not part of the content")
		}
	})
}

// A cancellation is in the way of a second one until it has failed or its contract has
// ended.
func TestWhatIsInTheWay(t *testing.T) {
	w := newWorld(t)
	user := cancellationtest.User()
	save := func(c cancellation.Cancellation, to cancellation.Status, reason cancellation.StatusReason) {
		t.Helper()
		c.Status, c.Reason = to, reason
		_, err := w.Store.SaveCancellation(t.Context(), c)
		require.NoError(t, err)
	}
	for name, tt := range map[string]struct {
		slug   string
		status cancellation.Status
		reason cancellation.StatusReason
		// after is in years and days.
		after  [2]int
		stands bool
	}{
		"created":                            {"streaming", cancellation.StatusCreated, "", [2]int{}, true},
		"queued":                             {"streaming", cancellation.StatusQueued, "", [2]int{}, true},
		"queued for two years":               {"streaming", cancellation.StatusQueued, "", [2]int{2}, true},
		"sending":                            {"streaming", cancellation.StatusSending, "", [2]int{}, true},
		"sent":                               {"streaming", cancellation.StatusSent, "", [2]int{}, true},
		"delivered":                          {"streaming", cancellation.StatusDelivered, "", [2]int{}, true},
		"confirmed":                          {"streaming", cancellation.StatusConfirmed, "", [2]int{}, true},
		"confirmed, a year ago less a day":   {"streaming", cancellation.StatusConfirmed, "", [2]int{1, -1}, true},
		"confirmed, a year ago":              {"streaming", cancellation.StatusConfirmed, "", [2]int{1}, false},
		"failed":                             {"streaming", cancellation.StatusDeliveryFailed, cancellation.ReasonUndeliverable, [2]int{}, false},
		"withdrawn":                          {"streaming", cancellation.StatusWithdrawn, "", [2]int{}, false},
		"rejected":                           {"streaming", cancellation.StatusRejected, cancellation.ReasonInconsistentData, [2]int{}, false},
		"rejected, because cancelled before": {"streaming", cancellation.StatusRejected, cancellation.ReasonAlreadyCancelled, [2]int{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			first := w.Create(tt.slug)
			if tt.status != cancellation.StatusCreated {
				save(first, tt.status, tt.reason)
			}
			w.Clock.Advance(first.CreatedAt.AddDate(tt.after[0], 0, tt.after[1]).Sub(first.CreatedAt))
			second, inTheWay := w.again(user, cancellationtest.Request(tt.slug))
			if tt.stands {
				assert.Equal(t, first.ID, inTheWay)
				return
			}
			require.Empty(t, inTheWay)
			_, inTheWay = w.again(user, cancellationtest.Request(tt.slug))
			assert.Equal(t, second.ID, inTheWay, "the second is in the way of a third")
		})
	}

	t.Run("until the end of the contract, where the recipient is", func(t *testing.T) {
		*w.Clock = *clocktest.New()
		first := w.Create("gym")
		require.EqualValues(t, "2026-04-30", first.EndDate)
		save(first, cancellation.StatusSent, "")
		w.Clock.Advance(time.Date(2026, 4, 30, 21, 59, 0, 0, time.UTC).Sub(w.Clock.Now())) // 23:59 in Germany
		_, inTheWay := w.again(user, cancellationtest.Request("gym"))
		assert.Equal(t, first.ID, inTheWay)
		w.Clock.Advance(time.Minute)
		_, inTheWay = w.again(user, cancellationtest.Request("gym"))
		assert.Empty(t, inTheWay)
	})

	t.Run("not after the organization rejected it", func(t *testing.T) {
		c := w.Sent("post")
		require.NoError(t, w.Feedback.Reply(
			t.Context(), c.ID, cancellation.StatusRejected, cancellation.ReasonInconsistentData, evidence.ActorOrganization,
		))
		_, inTheWay := w.again(user, cancellationtest.Request("post"))
		assert.Empty(t, inTheWay)
	})

	t.Run("not if only its row is left", func(t *testing.T) {
		c := w.Create("written")
		table := dynamo.NewTable(w.DB, w.Main)
		require.NoError(t, table.Delete(t.Context(), dynamo.Key{PK: user.Key(), SK: "N#" + c.ID}))
		_, inTheWay := w.again(user, cancellationtest.Request("written"))
		assert.Empty(t, inTheWay)
	})
}

// However many requests come at once, one cancellation stands; the others are told of it.
func TestRacingCancellations(t *testing.T) {
	w := newWorld(t)
	users := 0
	rapid.Check(t, func(r *rapid.T) {
		users++
		user := owner.User{Partner: "p", ID: owner.UserID(fmt.Sprintf("6f9a1d7e-0000-4000-8001-%012d", users))}
		require.NoError(t, w.Users.Put(t.Context(), dynamo.UserKey(user), dynamo.Item{}))
		if rapid.Bool().Draw(r, "after one that was withdrawn") {
			c, _ := w.again(user, cancellationtest.Request("streaming"))
			_, err := w.Requests.Withdraw(t.Context(), user, c.ID)
			require.NoError(t, err)
		}
		before, err := w.Store.AllCancellations(t.Context(), user)
		require.NoError(t, err)
		externalIDs := rapid.SliceOfN(rapid.SampledFrom([]string{"", "", "a", "b"}), 2, 6).Draw(r, "external identifiers")
		repeats := rapid.SliceOfN(rapid.Bool(), len(externalIDs), len(externalIDs)).Draw(r, "repeat")
		if rapid.Bool().Draw(r, "nobody repeats") {
			clear(repeats)
		}

		type result struct{ id, inTheWay string }
		results := make([]result, len(externalIDs))
		var all errgroup.Group
		for i, externalID := range externalIDs {
			all.Go(func() error {
				request := cancellationtest.Request("streaming")
				request.ExternalID, request.Repeat = externalID, repeats[i]
				c, _, err := w.Requests.Create(t.Context(), user, request, nil)
				results[i].id = c.ID
				if refused, ok := errors.AsType[*apierror.Error](err); ok && refused.Code == apierror.AlreadyCancelled {
					results[i].inTheWay = refused.CancellationID
					return nil
				}
				return err
			})
		}
		require.NoError(t, all.Wait())
		after, err := w.Store.AllCancellations(t.Context(), user)
		require.NoError(t, err)
		made, wanted := map[string]bool{}, map[string]bool{}
		for _, c := range after[len(before):] {
			made[c.ID] = true
		}
		byExternalID := map[string]string{}
		for _, c := range after[len(before):] {
			byExternalID[c.ExternalID] = c.ID
		}
		for i, one := range results {
			require.True(t, made[one.id] || made[one.inTheWay], "each is answered with one that was made")
			if id := byExternalID[externalIDs[i]]; id != "" && externalIDs[i] != "" && !slices.Contains(repeats, true) {
				require.Equal(t, id, one.id, "the same request has the same answer")
			}
			if one.id == "" {
				require.False(t, repeats[i], "who repeats is not refused")
				continue
			}
			wanted[one.id] = true
		}
		require.Equal(t, wanted, made)
		unasked := 0
		for id := range made {
			asked := false
			for i, one := range results {
				asked = asked || one.id == id && repeats[i]
			}
			if !asked {
				unasked++
			}
		}
		require.LessOrEqual(t, unasked, 1, "only one was made without repeat")
	})
}
