package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFlat(t *testing.T) {
	t.Parallel()
	b := &bench{figures: map[string]float64{}}
	for of, used := range map[string][2]float64{"few": {2, 10.5}, "many": {2, 11.5}, "scan": {2, 88}, "pages": {3, 10.5}} {
		b.add(of, calls, used[0])
		b.add(of, readUnits, used[1])
	}
	require.NoError(t, b.flat("few", "many"))
	require.ErrorContains(t, b.flat("few", "scan"), "88.0 with 5000 rows")
	require.Error(t, b.flat("few", "pages"))
}

func TestRatiosAndTables(t *testing.T) {
	t.Parallel()
	b := &bench{subjects: []subject{{name: floor}, {name: "pfm"}}, figures: map[string]float64{}}
	b.add(floor, initTime, 5)
	b.add("pfm", initTime, 8)
	b.relate("pfm", initTime, initToFloor)
	b.relate("operator", initTime, initToFloor)
	assert.InDelta(t, 1.6, b.figures["pfm, "+initToFloor], 1e-9)
	assert.NotContains(t, b.figures, "operator, "+initToFloor)
	assert.Contains(t, b.tables(), "| pfm            |            |      8.0 |            1.6 |")
}

func TestQuantile(t *testing.T) {
	t.Parallel()
	list := make([]float64, 100)
	for i := range list {
		list[i] = float64(99 - i)
	}
	assert.InDelta(t, 50, quantile(list, 50), 0)
	assert.InDelta(t, 99, quantile(list, 99), 0)
}
