package pfmapi

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/internal/money"
	"aviso/internal/pfm"
)

func TestTransactionsMarshalLikeEncodingJSON(t *testing.T) {
	t.Parallel()
	text := rapid.OneOf(rapid.String(), rapid.Just("\xff\u2028<>&\"\\"))
	one := rapid.Custom(func(t *rapid.T) WireTransaction {
		var w WireTransaction
		// It draws every text, so that the test covers new fields, too.
		var fill func(v reflect.Value)
		fill = func(v reflect.Value) {
			switch {
			case v.Type() == reflect.TypeFor[midnight]():
				v.SetString(rapid.SampledFrom([]string{"", "2026-02-27", "1999-12-31"}).Draw(t, "day"))
			case v.Kind() == reflect.String:
				v.SetString(text.Draw(t, "text"))
			case v.Kind() == reflect.Int:
				v.SetInt(rapid.Int64().Draw(t, "number"))
			case v.Kind() == reflect.Bool:
				v.SetBool(rapid.Bool().Draw(t, "bool"))
			case v.Type() == reflect.TypeFor[time.Time]():
				v.Set(reflect.ValueOf(time.UnixMilli(rapid.Int64Range(-62135596800000, 253402300799999).Draw(t, "time")).UTC()))
			case v.Type() == reflect.TypeFor[amount]():
				drawn := rapid.SampledFrom([]string{"0", "-23.90", "1204.1700", "99999999999.99", "-0.01"}).Draw(t, "amount")
				v.Set(reflect.ValueOf(amount{Amount: money.MustParse(drawn)}))
			case v.Kind() == reflect.Struct:
				for _, field := range v.Fields() {
					fill(field)
				}
			default:
				t.Fatalf("no values for %s", v.Type())
			}
		}
		fill(reflect.ValueOf(&w).Elem())
		if rapid.Bool().Draw(t, "never changed") {
			w.UpdatedAt = w.CreatedAt
		}
		return w
	})
	rapid.Check(t, func(t *rapid.T) {
		d := transactionsData{Transactions: append([]WireTransaction{}, rapid.SliceOfN(one, 0, 3).Draw(t, "rows")...)}
		want, err := json.Marshal(d)
		require.NoError(t, err)
		got := string(d.AppendJSON(nil))
		assert.JSONEq(t, string(want), got)
		// The same members in the same order.
		assert.Equal(t, strings.Count(string(want), `":`), strings.Count(got, `":`))
	})
}

func TestMidnightMarshalsAsTime(t *testing.T) {
	t.Parallel()
	for _, day := range []pfm.Date{"2026-02-27", "2024-02-29", ""} {
		want, err := json.Marshal(day.Time())
		require.NoError(t, err)
		got, err := json.Marshal(midnight(day))
		require.NoError(t, err)
		assert.Equal(t, string(want), string(got))
	}
}
