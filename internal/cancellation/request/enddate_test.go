package request_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apierror"
	"aviso/internal/cancellation/deadline"
	"aviso/localstack/tests/cancellationtest"
)

func TestEndDate(t *testing.T) {
	user := cancellationtest.User()
	noon := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		slug       string
		at         time.Time
		wants, end deadline.Date
		// code and earliest are those of a refusal.
		code     string
		earliest string
	}{
		"the earliest by default":              {"gym", noon, "", "2026-04-30", "", ""},
		"the earliest":                         {"gym", noon, "2026-04-30", "2026-04-30", "", ""},
		"a later one":                          {"gym", noon, "2026-05-31", "2026-05-31", "", ""},
		"the end of a year":                    {"gym", noon, "2026-12-31", "2026-12-31", "", ""},
		"a leap day":                           {"gym", noon, "2028-02-29", "2028-02-29", "", ""},
		"the day before a leap day":            {"gym", noon, "2028-02-28", "", "not_possible", "2028-02-29"},
		"too soon":                             {"gym", noon, "2026-03-31", "", "not_possible", "2026-04-30"},
		"today, which is too soon":             {"gym", noon, "2026-03-02", "", "not_possible", "2026-04-30"},
		"within a month":                       {"gym", noon, "2026-05-15", "", "not_possible", "2026-05-31"},
		"the last day of the year, sent on it": {"gym", time.Date(2026, 12, 31, 12, 0, 0, 0, time.UTC), "", "2027-02-28", "", ""},
		"not known without terms":              {"streaming", noon, "", "", "", ""},
		"any without terms":                    {"streaming", noon, "2026-05-15", "2026-05-15", "", ""},
		"today without terms":                  {"streaming", noon, "2026-03-02", "2026-03-02", "", ""},
		"yesterday":                            {"streaming", noon, "2026-03-01", "", "past", ""},
		"yesterday, with terms":                {"gym", noon, "2026-03-01", "", "past", ""},
		"in ten years":                         {"streaming", noon, "2036-03-02", "2036-03-02", "", ""},
		"later than in ten years":              {"streaming", noon, "2036-03-03", "", "too_late", ""},
		"far in the future":                    {"gym", noon, "9999-12-31", "", "too_late", ""},
		"the recipient's today":                {"streaming", time.Date(2026, 3, 2, 22, 59, 0, 0, time.UTC), "2026-03-02", "2026-03-02", "", ""},
		"the recipient's yesterday":            {"streaming", time.Date(2026, 3, 2, 23, 0, 0, 0, time.UTC), "2026-03-02", "", "past", ""},
		"for a letter to sign":                 {"ink", noon, "2026-05-15", "2026-05-15", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.Clock.Advance(tt.at.Sub(w.Clock.Now()))
			r := cancellationtest.Request(tt.slug)
			r.EndDate = tt.wants
			d, err := w.Requests.Preview(t.Context(), user, r)
			if tt.code != "" {
				var refused *apierror.Error
				require.ErrorAs(t, err, &refused)
				assert.Equal(t, apierror.ValidationFailed, refused.Code)
				require.Len(t, refused.Fields, 1)
				f := refused.Fields[0]
				assert.Equal(t, [3]string{"/endDate", tt.code, tt.earliest}, [3]string{f.Pointer, f.Code, f.EarliestEnd})
				_, _, again := w.Requests.Create(t.Context(), user, r, nil)
				assert.Equal(t, err, again)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tt.end, d.EndDate)
			named := "End:0001-01-01 "
			if tt.end != "" {
				named = "End:" + string(tt.end) + " "
			}
			assert.Contains(t, string(d.Document.PDF), named)
			if tt.slug == "ink" {
				return
			}
			c, _, err := w.Requests.Create(t.Context(), user, r, nil)
			require.NoError(t, err)
			assert.Equal(t, tt.end, c.EndDate)
			assert.Equal(t, tt.end, w.Read(c.ID).EndDate)
			assert.Equal(t, d.SHA256, c.LetterSHA256)
		})
	}
}

// A request that is sent again is the same, although its day has passed by then.
func TestEndDateOfARepeatedRequest(t *testing.T) {
	w := newWorld(t)
	r := cancellationtest.Request("gym")
	r.ExternalID, r.EndDate = "order-1", "2026-04-30"
	first, _, err := w.Requests.Create(t.Context(), cancellationtest.User(), r, nil)
	require.NoError(t, err)
	for range 3 {
		w.Clock.Advance(30 * 24 * time.Hour)
		same, created, err := w.Requests.Create(t.Context(), cancellationtest.User(), r, nil)
		require.NoError(t, err)
		assert.False(t, created)
		assert.Equal(t, first.ID, same.ID)
	}
	refusing := w.RequestsBehind(cancellationtest.Gate{RefuseTerms: cancellationtest.ErrTerms})
	_, _, err = refusing.Create(t.Context(), cancellationtest.User(), r, nil)
	assert.True(t, apierror.Is(err, apierror.TermsNotAccepted))
	r.EndDate = "2026-05-31"
	_, _, err = w.Requests.Create(t.Context(), cancellationtest.User(), r, nil)
	assert.True(t, apierror.Is(err, apierror.ValidationFailed), "%v", err)
}
