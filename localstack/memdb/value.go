package memdb

import (
	"bytes"
	"cmp"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// holds reports whether a comparison of two values holds. A missing value is unequal to all.
func holds(operator string, a, b types.AttributeValue) (bool, error) {
	switch operator {
	case "=":
		return equal(a, b)
	case "<>":
		same, err := equal(a, b)
		return !same, err
	}
	order, alike, err := order(a, b)
	if err != nil || !alike {
		return false, err
	}
	switch operator {
	case "<":
		return order < 0, nil
	case "<=":
		return order <= 0, nil
	case ">":
		return order > 0, nil
	default:
		return order >= 0, nil
	}
}

func equal(a, b types.AttributeValue) (bool, error) {
	if order, alike, err := order(a, b); err != nil || alike {
		return order == 0, err
	}
	return a != nil && b != nil && reflect.DeepEqual(a, b), nil
}

// order compares two strings, numbers or byte strings. It reports whether they are alike.
func order(a, b types.AttributeValue) (order int, alike bool, err error) {
	switch x := a.(type) {
	case *types.AttributeValueMemberS:
		if y, ok := b.(*types.AttributeValueMemberS); ok {
			return strings.Compare(x.Value, y.Value), true, nil
		}
	case *types.AttributeValueMemberB:
		if y, ok := b.(*types.AttributeValueMemberB); ok {
			return bytes.Compare(x.Value, y.Value), true, nil
		}
	case *types.AttributeValueMemberN:
		if y, ok := b.(*types.AttributeValueMemberN); ok {
			order, err := compareNumbers(x.Value, y.Value)
			return order, true, err
		}
	}
	return 0, false, nil
}

func compareNumbers(a, b string) (int, error) {
	x, err1 := strconv.ParseInt(a, 10, 64)
	y, err2 := strconv.ParseInt(b, 10, 64)
	if err1 == nil && err2 == nil {
		return cmp.Compare(x, y), nil
	}
	p, ok1 := new(big.Rat).SetString(a)
	q, ok2 := new(big.Rat).SetString(b)
	if !ok1 || !ok2 {
		return 0, invalid("%q or %q is not a number", a, b)
	}
	return p.Cmp(q), nil
}

// plus returns the sum or the difference of two integers, which are all that the service
// calculates with.
func plus(a, b types.AttributeValue, sign string) (types.AttributeValue, error) {
	x, ok1 := a.(*types.AttributeValueMemberN)
	y, ok2 := b.(*types.AttributeValueMemberN)
	if !ok1 || !ok2 {
		return nil, invalid("An operand in the update expression has an incorrect data type")
	}
	p, err1 := strconv.ParseInt(x.Value, 10, 64)
	q, err2 := strconv.ParseInt(y.Value, 10, 64)
	if err1 != nil || err2 != nil {
		return nil, invalid("memdb adds integers only, not %s and %s", x.Value, y.Value)
	}
	if sign == "-" {
		q = -q
	}
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(p+q, 10)}, nil
}

// size returns the length of a text or of bytes, or the number of members; nil if the value
// has no size.
func size(v types.AttributeValue) types.AttributeValue {
	var n int
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		n = len(v.Value)
	case *types.AttributeValueMemberB:
		n = len(v.Value)
	case *types.AttributeValueMemberM:
		n = len(v.Value)
	case *types.AttributeValueMemberL:
		n = len(v.Value)
	default:
		return nil
	}
	return &types.AttributeValueMemberN{Value: strconv.Itoa(n)}
}

// appended returns the list of the members of two lists.
func appended(args []operand, s *scope) (types.AttributeValue, error) {
	var all []types.AttributeValue
	for _, arg := range args {
		v, err := arg(s)
		if err != nil {
			return nil, err
		}
		list, ok := v.(*types.AttributeValueMemberL)
		if !ok {
			return nil, invalid("list_append needs two lists")
		}
		all = slices.Concat(all, list.Value)
	}
	return &types.AttributeValueMemberL{Value: all}, nil
}
