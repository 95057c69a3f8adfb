package money_test

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/internal/money"
)

func TestParse(t *testing.T) {
	t.Run("keeps the digits it was given", func(t *testing.T) {
		for in, want := range map[string]string{
			"12.50": "12.50", "-12.5": "-12.5", "0": "0", "-0.00": "0.00", "1000": "1000", "007.10": "7.10", ".5": "0.5",
			"9999999999999999999": "9999999999999999999", "-0.0000000000000000001": "-0.0000000000000000001",
			"12345678901234567.89": "12345678901234567.89",
		} {
			got, err := money.Parse(in)
			require.NoError(t, err, in)
			assert.Equal(t, want, got.String())
		}
	})

	t.Run("refuses everything else without repeating it", func(t *testing.T) {
		for _, in := range []string{
			"", "-", "+1", "1e3", "1E3", "1 000", "1_000", "1,5", "1.5.0", "--1", "0x10", "Inf", "NaN", "٣", "12€", " 1", "1\n",
			// More digits than fit, before and after the point.
			"12345678901234567890", "123456789012345678.123", "0.12345678901234567899", "0.00000000000000000001",
			"1.50000000000000000000", strings.Repeat("9", 400),
		} {
			got, err := money.Parse(in)
			require.Error(t, err, in)
			assert.Equal(t, money.Amount{}, got)
			if len(in) > 3 {
				assert.NotContains(t, err.Error(), in)
			}
		}
	})
}

func TestMustParse(t *testing.T) {
	assert.Equal(t, "1.20", money.MustParse("1.20").String())
	assert.Panics(t, func() { money.MustParse("x") })
}

func TestTimes(t *testing.T) {
	sum, err := money.MustParse("-0.10").Times(13)
	require.NoError(t, err)
	assert.Equal(t, "-1.30", sum.String())

	_, err = money.MustParse("9999999999999999999").Times(2)
	assert.Error(t, err)
}

func TestAdd(t *testing.T) {
	t.Run("does not round as binary fractions do", func(t *testing.T) {
		sum, err := money.MustParse("0.1").Add(money.MustParse("0.20"))
		require.NoError(t, err)
		assert.Equal(t, "0.30", sum.String())
	})

	t.Run("fails if the sum does not fit, without naming amounts", func(t *testing.T) {
		for _, pair := range [][2]string{
			{"9999999999999999999", "1"}, {"1000000000000000000", "0.05"}, {"-9999999999999999999", "-0.1"},
		} {
			_, err := money.MustParse(pair[0]).Add(money.MustParse(pair[1]))
			require.Error(t, err)
			assert.NotRegexp(t, `[02-9]{2}|\.\d`, strings.ReplaceAll(err.Error(), "19 digits", ""))
		}
	})
}

func TestPercentAbove(t *testing.T) {
	t.Run("rounds half to even", func(t *testing.T) {
		for _, c := range [][3]string{
			{"-10.99", "-9.99", "10.01"}, {"-41.95", "-39.95", "5.01"}, {"-9.99", "-10.99", "-9.10"},
			{"-20", "-16", "25.00"}, {"5", "5.00", "0.00"}, {"3", "9", "-66.67"}, {"-1.03", "-1", "3.00"},
			{"1.00125", "1", "0.12"}, {"1.00135", "1", "0.14"}, {"0.99875", "1", "-0.12"}, {"0.99865", "1", "-0.14"},
			{"-1.001250001", "-1", "0.13"},
		} {
			got, err := money.MustParse(c[0]).PercentAbove(money.MustParse(c[1]))
			require.NoError(t, err)
			assert.Equal(t, c[2], got.String(), c)
		}
	})

	t.Run("is exact", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			n := rapid.Int64Range(-1_000_000_000, 1_000_000_000)
			a, b := n.Draw(t, "new"), n.Filter(func(n int64) bool { return n != 0 }).Draw(t, "old")
			got, err := money.MustParse(big.NewRat(a, 100).FloatString(2)).
				PercentAbove(money.MustParse(big.NewRat(b, 100).FloatString(2)))
			require.NoError(t, err)
			exact := new(big.Rat).Mul(big.NewRat(a-b, b), big.NewRat(100, 1))
			is, ok := new(big.Rat).SetString(got.String())
			require.True(t, ok)
			off := new(big.Rat).Abs(new(big.Rat).Sub(is, exact))
			require.LessOrEqual(t, off.Cmp(big.NewRat(1, 200)), 0)
			if off.Cmp(big.NewRat(1, 200)) == 0 {
				require.Contains(t, "02468", got.String()[len(got.String())-1:])
			}
		})
	})

	t.Run("fails without naming amounts", func(t *testing.T) {
		for _, pair := range [][2]string{{"1.25", "0"}, {"9999999999999999999", "0.1"}, {"1000000000000000", "1"}} {
			_, err := money.MustParse(pair[0]).PercentAbove(money.MustParse(pair[1]))
			require.Error(t, err)
			assert.NotContains(t, err.Error(), pair[0])
		}
	})
}

func TestCompare(t *testing.T) {
	a, b := money.MustParse("1.5"), money.MustParse("1.50")
	assert.True(t, a.Equal(b))
	assert.Zero(t, a.Cmp(b))
	assert.Equal(t, -1, a.Neg().Cmp(b))
	assert.Equal(t, 1, a.Sign())
	assert.Equal(t, -1, a.Neg().Sign())
	assert.Zero(t, money.Amount{}.Sign())
	assert.Equal(t, "0", money.Amount{}.String())
	assert.Equal(t, "-1.50", b.Neg().String())
}

func TestJSON(t *testing.T) {
	t.Run("reads a number and a string", func(t *testing.T) {
		for _, in := range []string{`-12.50`, `"-12.50"`} {
			var a money.Amount
			require.NoError(t, json.Unmarshal([]byte(in), &a))
			assert.Equal(t, "-12.50", a.String())
		}
	})

	t.Run("reads nothing else", func(t *testing.T) {
		for _, in := range []string{`null`, `""`, `"x"`, `true`, `{}`, `[]`, `1e3`, `"1`, `"`} {
			var a money.Amount
			assert.Error(t, a.UnmarshalJSON([]byte(in)), in)
			assert.Equal(t, money.Amount{}, a)
		}
	})

	t.Run("decodes null to a nil pointer", func(t *testing.T) {
		var v struct{ A *money.Amount }
		require.NoError(t, json.Unmarshal([]byte(`{"A":null}`), &v))
		assert.Nil(t, v.A)
	})
}

func TestDynamoDBAttribute(t *testing.T) {
	t.Run("is a string, which keeps trailing zeros", func(t *testing.T) {
		av, err := attributevalue.Marshal(money.MustParse("12.50"))
		require.NoError(t, err)
		assert.Equal(t, &types.AttributeValueMemberS{Value: "12.50"}, av)
	})

	t.Run("is read from a number too", func(t *testing.T) {
		var a money.Amount
		require.NoError(t, attributevalue.Unmarshal(&types.AttributeValueMemberN{Value: "12.5"}, &a))
		assert.Equal(t, "12.5", a.String())
	})

	t.Run("is read from nothing else", func(t *testing.T) {
		for _, av := range []types.AttributeValue{
			&types.AttributeValueMemberS{Value: "x"}, &types.AttributeValueMemberBOOL{Value: true}, nil,
		} {
			var a money.Amount
			assert.Error(t, a.UnmarshalDynamoDBAttributeValue(av))
		}
	})
}

// amounts draws amounts of all sizes, with their exact value.
func amounts(maxDigits int) *rapid.Generator[money.Amount] {
	return rapid.Custom(func(t *rapid.T) money.Amount {
		digits := rapid.StringMatching(`[0-9]{1,`+big.NewInt(int64(maxDigits)).String()+`}`).Draw(t, "digits")
		point := rapid.IntRange(0, len(digits)).Draw(t, "point")
		s := rapid.SampledFrom([]string{"", "-"}).Draw(t, "sign") + digits[:point]
		if point < len(digits) {
			s += "." + digits[point:]
		}
		return money.MustParse(s)
	})
}

func exact(t require.TestingT, a money.Amount) *big.Rat {
	r, ok := new(big.Rat).SetString(a.String())
	require.True(t, ok)
	return r
}

func TestProperties(t *testing.T) {
	t.Run("a sum is exact or an error", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			a, b := amounts(19).Draw(t, "a"), amounts(19).Draw(t, "b")
			sum, err := a.Add(b)
			if err != nil {
				return
			}
			require.Zero(t, new(big.Rat).Add(exact(t, a), exact(t, b)).Cmp(exact(t, sum)))
			swapped, err := b.Add(a)
			require.NoError(t, err)
			require.Equal(t, sum.String(), swapped.String())
			zero, err := sum.Add(sum.Neg())
			require.NoError(t, err)
			require.Zero(t, zero.Sign())
		})
	})

	t.Run("amounts of nine digits always add up", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			_, err := amounts(9).Draw(t, "a").Add(amounts(9).Draw(t, "b"))
			require.NoError(t, err)
		})
	})

	t.Run("comparing agrees with the value", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			a, b := amounts(19).Draw(t, "a"), amounts(19).Draw(t, "b")
			require.Equal(t, exact(t, a).Cmp(exact(t, b)), a.Cmp(b))
			require.Equal(t, -a.Sign(), a.Neg().Sign())
		})
	})

	t.Run("text, JSON and attributes preserve the digits", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			a := amounts(19).Draw(t, "a")

			parsed, err := money.Parse(a.String())
			require.NoError(t, err)
			require.Equal(t, a, parsed)

			raw, err := json.Marshal(a)
			require.NoError(t, err)
			var fromJSON money.Amount
			require.NoError(t, json.Unmarshal(raw, &fromJSON))
			require.Equal(t, a, fromJSON)

			av, err := attributevalue.Marshal(a)
			require.NoError(t, err)
			var fromAttribute money.Amount
			require.NoError(t, attributevalue.Unmarshal(av, &fromAttribute))
			require.Equal(t, a, fromAttribute)
		})
	})
}
