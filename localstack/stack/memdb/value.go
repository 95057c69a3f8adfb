package memdb

import (
	"cmp"
	"math/big"
	"reflect"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// holds reports whether a comparison of two values holds. A missing value is unequal to every value.
func holds(operator string, a, b types.AttributeValue) bool {
	order, alike := order(a, b)
	switch operator {
	case "=":
		return alike && order == 0 || !alike && a != nil && b != nil && reflect.DeepEqual(a, b)
	case "<>":
		return !holds("=", a, b)
	case "<":
		return alike && order < 0
	case "<=":
		return alike && order <= 0
	case ">":
		return alike && order > 0
	default:
		return alike && order >= 0
	}
}

// order compares two strings or two numbers. alike reports whether both have the same type.
func order(a, b types.AttributeValue) (order int, alike bool) {
	switch x := a.(type) {
	case *types.AttributeValueMemberS:
		if y, ok := b.(*types.AttributeValueMemberS); ok {
			return strings.Compare(x.Value, y.Value), true
		}
	case *types.AttributeValueMemberN:
		if y, ok := b.(*types.AttributeValueMemberN); ok {
			return rational(x.Value).Cmp(rational(y.Value)), true
		}
	}
	return 0, false
}

// rational returns a number that normalize has checked.
func rational(n string) *big.Rat {
	r, _ := new(big.Rat).SetString(n)
	return r
}

func shortest(n *big.Rat) string {
	if n.IsInt() {
		return n.Num().String()
	}
	return strings.TrimRight(n.FloatString(40), "0")
}

// normalize removes unnecessary zeros from numbers, as DynamoDB does, and rejects types that memdb does not support.
func normalize(v types.AttributeValue) (err error) {
	switch v := v.(type) {
	case *types.AttributeValueMemberN:
		if _, err := strconv.ParseFloat(v.Value, 64); err != nil {
			return invalid("%q is not a number", v.Value)
		}
		v.Value = shortest(rational(v.Value))
	case *types.AttributeValueMemberM:
		for _, member := range v.Value {
			err = cmp.Or(err, normalize(member))
		}
	case *types.AttributeValueMemberL:
		for _, element := range v.Value {
			err = cmp.Or(err, normalize(element))
		}
	case *types.AttributeValueMemberSS, *types.AttributeValueMemberNS, *types.AttributeValueMemberBS:
		return invalid("memdb has no sets")
	}
	return err
}

// plus returns the sum of two numbers, or nil.
func plus(a, b types.AttributeValue) types.AttributeValue {
	x, ok1 := a.(*types.AttributeValueMemberN)
	y, ok2 := b.(*types.AttributeValueMemberN)
	if !ok1 || !ok2 {
		return nil
	}
	sum := rational(x.Value)
	return &types.AttributeValueMemberN{Value: shortest(sum.Add(sum, rational(y.Value)))}
}

// length returns the length of a string or of bytes, or the number of members; nil for values without a size.
func length(v types.AttributeValue) types.AttributeValue {
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

const (
	readUnit  = 4 << 10
	writeUnit = 1 << 10
	maxItem   = 400 << 10
	maxPage   = 1 << 20
)

// size returns the size of a row in bytes, by DynamoDB's rules.
func size(item Item) int {
	n := 0
	for name, value := range item {
		n += len(name) + valueSize(value)
	}
	return n
}

func valueSize(value types.AttributeValue) int {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		return len(v.Value)
	case *types.AttributeValueMemberB:
		return len(v.Value)
	case *types.AttributeValueMemberN:
		return numberSize(v.Value)
	case *types.AttributeValueMemberM:
		return 3 + len(v.Value) + size(v.Value)
	case *types.AttributeValueMemberL:
		n := 3
		for _, element := range v.Value {
			n += 1 + valueSize(element)
		}
		return n
	default:
		return 1
	}
}

// numberSize counts one byte for two significant digits, separately before and after the point.
func numberSize(n string) int {
	digits, negative := strings.CutPrefix(n, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		fraction = strings.TrimLeft(fraction, "0")
	}
	if fraction == "" {
		whole = strings.TrimRight(whole, "0")
	}
	size := 1 + (len(whole)+1)/2 + (len(fraction)+1)/2
	if negative {
		size++
	}
	return size
}

func units(size, unit int) float64 { return float64(max((size+unit-1)/unit, 1)) }

// readUnits returns the read units for so many bytes.
func readUnits(size int, consistent *bool) float64 {
	n := units(size, readUnit)
	if consistent == nil || !*consistent {
		n /= 2
	}
	return n
}

// writeUnits returns the write units for replacing a row: in the table, times factor, and in its indexes.
func (t *table) writeUnits(old, row Item, factor float64) float64 {
	n := factor * units(max(size(old), size(row)), writeUnit)
	for _, v := range t.views[1:] {
		was, is := v.projected(old), v.projected(row)
		switch {
		case was != nil && is != nil && v.compare(was, is) == 0:
			if !reflect.DeepEqual(was, is) {
				n += units(max(size(was), size(is)), writeUnit)
			}
		default:
			if was != nil {
				n += units(size(was), writeUnit)
			}
			if is != nil {
				n += units(size(is), writeUnit)
			}
		}
	}
	return n
}

// usage adds up the consumed units by table.
type usage map[string]float64

// consumed returns the usage, if the call asks for it.
func (u usage) consumed(wanted types.ReturnConsumedCapacity) (all []types.ConsumedCapacity) {
	if wanted != types.ReturnConsumedCapacityTotal {
		return nil
	}
	for name, n := range u {
		all = append(all, types.ConsumedCapacity{TableName: &name, CapacityUnits: &n})
	}
	return all
}

// only returns the usage of a call to one table.
func (u usage) only(wanted types.ReturnConsumedCapacity) *types.ConsumedCapacity {
	for _, c := range u.consumed(wanted) {
		return &c
	}
	return nil
}
