package transaction

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"aviso/internal/money"
	"aviso/internal/pfm"
)

// Whatever a sync may compare counts.
func TestDigestCoversEachField(t *testing.T) {
	whole := digestOf(Transaction{})
	for i := range reflect.TypeFor[Transaction]().NumField() {
		var row Transaction
		switch field := reflect.ValueOf(&row).Elem().Field(i); value := field.Addr().Interface().(type) {
		case *money.Amount:
			*value = money.MustParse("-1.50")
		case *time.Time:
			*value = monday
		case *pfm.Category:
			value.SubcategoryID = 1
		case *pfm.Merchant:
			value.Name = "x"
		case *Found:
			value.RuleID = "x"
		default:
			switch field.Kind() {
			case reflect.String:
				field.SetString("x")
			case reflect.Bool:
				field.SetBool(true)
			case reflect.Int, reflect.Int64:
				field.SetInt(1)
			case reflect.Struct:
				field.Field(0).SetString("x")
			default:
				t.Fatalf("a field of type %T", value)
			}
		}
		assert.NotEqual(t, whole, digestOf(row), reflect.TypeFor[Transaction]().Field(i).Name)
	}
}

func TestSeenAdds(t *testing.T) {
	today := pfm.DateOf(monday)
	seen := func(from int, rows ...Transaction) Seen {
		return SeenOf([]Statement{{Requested: today.AddDays(from), Rows: rows}}, today)
	}
	a, b, pending := row(-1, Cleared, "a", "1"), row(-13, Cleared, "b", "2"), row(0, Uncleared, "c", "3")
	before := seen(-14, a, b, pending)
	for name, tt := range map[string]struct {
		seen   Seen
		number int64
		adds   bool
	}{
		"the same in another order":               {seen: seen(-14, pending, b, a)},
		"the same without a day at its beginning": {seen: seen(-12, a, pending)},
		"another booked row":                      {seen: seen(-14, a, a, b, pending), adds: true},
		"a row less":                              {seen: seen(-14, a, pending), adds: true},
		"the pending row is gone":                 {seen: seen(-14, a, b), adds: true},
		"a row of another day":                    {seen: seen(-14, a, b, pending, row(-3, Cleared, "d", "4")), adds: true},
		"an earlier first day":                    {seen: seen(-15, a, b, pending), adds: true},
		"more days than are kept":                 {seen: seen(-40, a, b, pending), adds: true},
		"a row from before the first day":         {seen: seen(-12, a, b, pending), adds: true},
		"somebody has changed rows":               {seen: seen(-14, a, b, pending), number: 1, adds: true},
		"nothing that can be compared":            {seen: Seen{}, adds: true},
	} {
		assert.Equal(t, tt.adds, tt.seen.Adds(before, tt.number), name)
	}
	assert.True(t, before.Adds(Seen{}, 0), "the first sync")
	assert.True(t, seen(-14).Adds(Seen{}, 0), "the first sync of an empty account")
	long := seen(-40, a, b, pending)
	assert.False(t, seen(-14, a, b, pending).Adds(long, 0), "after a long statement")
}

func TestNumbers(t *testing.T) {
	n := &Numbers{Last: 7}
	n.Take(7, 2)
	n.Take(9, 0)
	assert.Equal(t, Numbers{Last: 9, Took: true}, *n)
	n.Take(9, 1)
	n.Take(9, 1)
	assert.True(t, n.Broken, "the same write again")
	(*Numbers)(nil).Take(1, 1)
}
