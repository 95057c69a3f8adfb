package dynamo_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/dynamo"
)

func TestDueIndex(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	put := func(table dynamo.Table, id, dueKind string, at time.Time) {
		t.Helper()
		row := map[string]string{"dueKind": dueKind, "dueAt": dynamo.Time(at), "more": "whole row"}
		require.NoError(t, table.Put(t.Context(), key(id), row))
	}
	read := func(d dynamo.DueIndex, table dynamo.Table, kind string, shard int) (ids []string) {
		t.Helper()
		for row, err := range d.Rows(t.Context(), table, kind, shard, noon) {
			require.NoError(t, err)
			require.Equal(t, "whole row", dynamo.Text(row, "more"))
			ids = append(ids, dynamo.KeyOf(row).SK)
		}
		return ids
	}

	t.Run("spreads a kind over its shards, and each row is in one of them", func(t *testing.T) {
		t.Parallel()
		table, d := newTable(t, "PfmTable"), dynamo.DueIndex{Shards: 4}
		for i := range 100 {
			id := fmt.Sprintf("id-%03d", i)
			put(table, id, d.Key("Sync", id), noon.Add(-time.Duration(i)*time.Second))
		}
		put(table, "later", d.Key("Sync", "later"), noon.Add(time.Nanosecond))
		put(table, "another kind", d.Key("Syncs", "id-001"), noon)
		total := 0
		for shard := range d.Shards {
			ids := read(d, table, "Sync", shard)
			assert.Greater(t, len(ids), 10, "shard %d", shard)
			assert.IsDecreasing(t, ids, "the longest overdue first")
			total += len(ids)
		}
		assert.Equal(t, 100, total)
	})

	t.Run("reads more than one page", func(t *testing.T) {
		t.Parallel()
		table, d := newTable(t, "PfmTable"), dynamo.DueIndex{Shards: 1}
		for i := range 450 {
			id := fmt.Sprintf("id-%03d", i)
			put(table, id, d.Key("Sync", id), noon.Add(time.Duration(i-1000)*time.Second))
		}
		ids := read(d, table, "Sync", 0)
		assert.Len(t, ids, 450)
		assert.IsIncreasing(t, ids)
	})

	t.Run("gives an object the same shard for ever", func(t *testing.T) {
		t.Parallel()
		d := dynamo.DueIndex{Shards: 16}
		assert.Equal(t, "Refresh#10", d.Key("Refresh", "0b6f1d2e-1111-4222-8333-944455566677"))
	})

	t.Run("leaves out rows deleted since the index was read", func(t *testing.T) {
		t.Parallel()
		table, d := newTable(t, "PfmTable"), dynamo.DueIndex{Shards: 1}
		put(table, "a", d.Key("Sync", "a"), noon.Add(-time.Hour))
		put(table, "b", d.Key("Sync", "b"), noon)
		var ids []string
		for row, err := range d.Rows(t.Context(), table, "Sync", 0, noon) {
			require.NoError(t, err)
			ids = append(ids, dynamo.KeyOf(row).SK)
			require.NoError(t, table.Delete(t.Context(), key("b")))
		}
		assert.Equal(t, []string{"a"}, ids)
	})
}

func TestConvertContinuesAfterAMalformedRow(t *testing.T) {
	t.Parallel()
	table, d := newTable(t, "PfmTable"), dynamo.DueIndex{Shards: 1}
	for _, id := range []string{"a", "b", "c"} {
		row := map[string]string{"dueKind": d.Key("Sync", id), "dueAt": dynamo.Time(time.UnixMilli(int64(id[0])))}
		require.NoError(t, table.Put(t.Context(), key(id), row))
	}
	wrong := errors.New("wrong")
	rows := d.Rows(t.Context(), table, "Sync", 0, time.Now())
	var got []string
	for id, err := range dynamo.Convert(rows, func(row dynamo.Item) (string, error) {
		if dynamo.KeyOf(row).SK == "b" {
			return "", wrong
		}
		return dynamo.KeyOf(row).SK, nil
	}) {
		if err != nil {
			require.ErrorIs(t, err, wrong)
			id = err.Error()
		}
		got = append(got, id)
	}
	assert.Equal(t, []string{"a", "row b is malformed: wrong", "c"}, got)
}
