package memdb

import (
	"reflect"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

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

// numberSize counts a byte for two significant digits, before the point and after it.
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

// readUnits returns what it costs to read so many bytes.
func readUnits(size int, consistent *bool) float64 {
	n := units(size, readUnit)
	if consistent == nil || !*consistent {
		n /= 2
	}
	return n
}

// writeUnits returns what it costs to replace a row: in the table, by a factor, and in its indexes.
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

// usage adds up the units that a call consumes, by table.
type usage map[string]float64

// consumed returns the usage, if the call has asked for it.
func (u usage) consumed(wanted types.ReturnConsumedCapacity) (all []types.ConsumedCapacity) {
	if wanted != types.ReturnConsumedCapacityTotal {
		return nil
	}
	for name, n := range u {
		all = append(all, types.ConsumedCapacity{TableName: &name, CapacityUnits: &n})
	}
	return all
}

// only returns the usage of a call that concerns one table.
func (u usage) only(wanted types.ReturnConsumedCapacity) *types.ConsumedCapacity {
	for _, c := range u.consumed(wanted) {
		return &c
	}
	return nil
}
