package catalogue_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apierror"
	"aviso/internal/cancellation/catalogue"
)

func TestSearchFollowsTheCatalogue(t *testing.T) {
	t.Parallel()
	inItsTime(t, "finds a new version within 30 s, without a restart", func(t *testing.T, w *searchWorld) {
		w.source.publish("v1", "Old", "Gone")
		require.NoError(t, w.search.Load(t.Context()))
		assert.Equal(t, []string{"Old", "Gone"}, w.find())
		w.source.publish("v2", "Old", "New")
		w.later(29 * time.Second)
		assert.Equal(t, []string{"Old", "Gone"}, w.find(), "it is too early to look")
		w.later(time.Second)
		assert.Equal(t, []string{"Old", "Gone"}, w.find(), "this query has begun the look, and did not wait for it")
		w.later(0)
		assert.Equal(t, []string{"Old", "New"}, w.find(), "what was deleted is gone")
		assert.Equal(t, 2, w.source.looks)
	})
	inItsTime(t, "refreshes every 30 s, one at a time, for any number of queries", func(t *testing.T, w *searchWorld) {
		w.source.publish("v1", "A")
		require.NoError(t, w.search.Load(t.Context()))
		w.source.publish("v2", "B")
		w.source.set(nil, 2*time.Second)
		for range 600 { // one minute
			var queries sync.WaitGroup
			for range 5 {
				queries.Go(func() { w.find() })
			}
			queries.Wait()
			w.later(100 * time.Millisecond)
		}
		w.later(time.Minute)
		assert.Equal(t, []int{2, 2, 1}, []int{w.source.looks, w.source.reads, w.source.atOnce}, "the start's and one more")
		assert.Equal(t, []string{"B"}, w.find())
		w.later(time.Minute)
	})
	inItsTime(t, "does not read an unchanged version again", func(t *testing.T, w *searchWorld) {
		w.source.publish("v1", "A")
		require.NoError(t, w.search.Load(t.Context()))
		for range 5 {
			w.later(30 * time.Second)
			w.find()
		}
		w.later(0)
		assert.Equal(t, []int{6, 1}, []int{w.source.looks, w.source.reads})
	})
}

func TestSearchSurvivesFaults(t *testing.T) {
	t.Parallel()
	down := errors.New("the table is away")
	inItsTime(t, "keeps the old catalogue after a failed refresh, logs and retries", func(t *testing.T, w *searchWorld) {
		w.source.publish("v1", "A")
		require.NoError(t, w.search.Load(t.Context()))
		w.source.publish("v2") // without a snapshot
		w.later(30 * time.Second)
		w.find()
		w.later(0)
		assert.Equal(t, []string{"A"}, w.find())
		assert.Contains(t, w.log.String(), "v2")
		w.source.publish("v2", "B")
		w.later(30 * time.Second)
		w.find()
		w.later(0)
		assert.Equal(t, []string{"B"}, w.find())
	})
	inItsTime(t, "does not wait for a store that never responds", func(t *testing.T, w *searchWorld) {
		w.source.publish("v1", "A")
		require.NoError(t, w.search.Load(t.Context()))
		w.source.set(nil, time.Hour)
		w.later(30 * time.Second)
		for range 10 {
			assert.Equal(t, []string{"A"}, w.find())
		}
		w.later(15 * time.Second) // the refresh times out
		assert.Contains(t, w.log.String(), "deadline")
		w.source.set(nil, 0)
	})
	inItsTime(t, "finds nothing until there is a catalogue", func(t *testing.T, w *searchWorld) {
		require.NoError(t, w.search.Load(t.Context()))
		assert.Empty(t, w.find())
		w.source.publish("v1", "A")
		assert.Empty(t, w.find(), "it is too early to look")
		assert.Equal(t, 1, w.source.looks)
		w.later(time.Second)
		assert.Equal(t, []string{"A"}, w.find(), "the first query finds what there is")
	})
	inItsTime(t, "returns 503 without the store, and retries a second later", func(t *testing.T, w *searchWorld) {
		w.source.publish("v1", "A")
		w.source.set(down, 0)
		require.ErrorIs(t, w.search.Load(t.Context()), down)
		for range 3 {
			_, err := w.search.Search(t.Context(), "x", catalogue.SearchFilter{}, 10, "")
			require.True(t, apierror.Is(err, apierror.TemporarilyUnavailable), err)
		}
		assert.Equal(t, 1, w.source.looks)
		w.source.set(nil, 0)
		w.later(time.Second)
		assert.Equal(t, []string{"A"}, w.find())
	})
	inItsTime(t, "waits up to a second for the first catalogue", func(t *testing.T, w *searchWorld) {
		w.source.publish("v1", "A")
		w.source.set(nil, 5*time.Second)
		start := time.Now()
		_, err := w.search.Search(t.Context(), "x", catalogue.SearchFilter{}, 10, "")
		require.True(t, apierror.Is(err, apierror.TemporarilyUnavailable), err)
		assert.Equal(t, time.Second, time.Since(start))
		w.later(10 * time.Second)
		assert.Equal(t, []string{"A"}, w.find())
	})
}

func TestSearchWaits(t *testing.T) {
	t.Parallel()
	inItsTime(t, "WaitForRefresh until the refresh or the context ends", func(t *testing.T, w *searchWorld) {
		w.source.publish("v1", "A")
		require.NoError(t, w.search.Load(t.Context()))
		start := time.Now()
		w.search.WaitForRefresh(t.Context())
		assert.Equal(t, start, time.Now(), "there is nothing to wait for")

		w.source.publish("v2", "B")
		w.source.set(nil, 100*time.Millisecond)
		time.Sleep(30 * time.Second)
		w.find()
		short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		w.search.WaitForRefresh(short)
		assert.Equal(t, []string{"A"}, w.find())
		w.search.WaitForRefresh(t.Context())
		assert.Equal(t, []string{"B"}, w.find())
	})
	inItsTime(t, "Load for a refresh in progress", func(t *testing.T, w *searchWorld) {
		w.source.publish("v1", "A")
		w.source.set(nil, time.Second)
		_, err := w.search.Search(t.Context(), "x", catalogue.SearchFilter{}, 10, "")
		require.Error(t, err)
		short, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		require.ErrorIs(t, w.search.Load(short), context.DeadlineExceeded)
		require.NoError(t, w.search.Load(t.Context()))
		assert.Equal(t, []string{"A"}, w.find())
		assert.Equal(t, []int{1, 1}, []int{w.source.reads, w.source.atOnce})
	})
}
