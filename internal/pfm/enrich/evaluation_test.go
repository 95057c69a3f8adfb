package enrich_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm/enrich"
)

// The floor that the service promises; see docs/enrichment.md.
const (
	minPrecision = 0.98
	minCoverage  = 0.97
	minLines     = 300
)

func TestEvaluationSetStaysAboveTheFloor(t *testing.T) {
	v := evaluated(t, "testdata/evaluation.csv")
	assert.GreaterOrEqual(t, v.Lines, minLines)
	assert.GreaterOrEqual(t, v.Precision(), minPrecision)
	assert.GreaterOrEqual(t, v.Coverage(), minCoverage)
}

func TestDevelopmentSetHasHardlyAnyMistakes(t *testing.T) {
	const least = 0.97
	v := evaluated(t, "testdata/development.csv")
	assert.GreaterOrEqual(t, v.Precision(), least)
	assert.GreaterOrEqual(t, v.Coverage(), least)
}

// The lines of longtail.csv are harder than those of evaluation.csv; no rule was made
// from them.
func TestLongTailStaysAboveTheFloor(t *testing.T) {
	const least = 0.97
	v := evaluated(t, "testdata/longtail.csv")
	assert.GreaterOrEqual(t, v.Lines, minLines)
	assert.GreaterOrEqual(t, v.Precision(), least)
	assert.GreaterOrEqual(t, v.Coverage(), least)
}

func evaluated(t *testing.T, file string) enrich.Evaluation {
	t.Helper()
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	v, err := engine(t).Evaluate(f)
	require.NoError(t, err)
	return v
}

func TestEvaluationCountsCoverageAndPrecision(t *testing.T) {
	v, err := engine(t).Evaluate(strings.NewReader(enrich.EvaluationHeader + `
Miete Mai,Hausverwaltung Brandt GmbH,-500.00,EUR,DE,,,500
LIDL SAGT DANKE,,-5.00,EUR,DE,,,530
4412,,-5.00,EUR,DE,,,520
4412,,-5.00,EUR,DE,,,610
`))
	require.NoError(t, err)
	assert.Equal(t, 4, v.Lines)
	assert.InDelta(t, 2.0/3, v.Coverage(), 1e-9)
	assert.InDelta(t, 1.0/2, v.Precision(), 1e-9)

	var printed strings.Builder
	v.Print(&printed)
	assert.Contains(t, printed.String(), "SHOPPING             FOOD_AND_DRINKS          1")
	assert.Contains(t, printed.String(), "98                     33.3 %      0.0 %  1 of 1", "the curve")
}

func TestEvaluateRejectsMalformedSet(t *testing.T) {
	for name, set := range map[string]string{
		"other header":        "note,amount\n",
		"no amount":           enrich.EvaluationHeader + "\na,b,,EUR,DE,,,500\n",
		"unknown category":    enrich.EvaluationHeader + "\na,b,-1,EUR,DE,,,501\n",
		"row of wrong length": enrich.EvaluationHeader + "\na,b\n",
		"empty":               "",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := engine(t).Evaluate(strings.NewReader(set))
			assert.Error(t, err)
		})
	}
}
