package dynamo

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Expression is a condition, a filter or an update.
type Expression struct {
	text string
	args []any
}

// Expr returns an expression in DynamoDB's language. Each ? stands for the next
// argument: a value, or the Name of an attribute. Put a # before a name that is a
// reserved word.
//
//	dynamo.Expr("SET #status = ?, completedAt = ?", "Completed", at)
func Expr(text string, args ...any) Expression { return Expression{text, args} }

// Name is an argument of Expr that names an attribute.
type Name string

// The conditions that most writes use.
var (
	IfNew    = Expr("attribute_not_exists(pk)")
	IfExists = Expr("attribute_exists(pk)")
)

// IfVersion returns the condition that the row's attribute version has this value; 0
// means that there is no row yet.
func IfVersion(version int64) Expression {
	if version == 0 {
		return IfNew
	}
	return Expr("version = ?", version)
}

// renderer renders the expressions of one request, which share its names and values.
type renderer struct {
	names  map[string]string
	values Item
	err    error
}

func (r *renderer) render(e Expression) string {
	var b strings.Builder
	args := e.args
	for rest := e.text; ; {
		i := strings.IndexAny(rest, "?#")
		if i < 0 {
			b.WriteString(rest)
			break
		}
		b.WriteString(rest[:i])
		if rest[i] == '#' {
			end := i + 1
			for end < len(rest) && isNameByte(rest[end]) {
				end++
			}
			r.name(rest[i:end], rest[i+1:end])
			b.WriteString(rest[i:end])
			rest = rest[end:]
			continue
		}
		rest = rest[i+1:]
		if len(args) == 0 {
			r.fail(fmt.Errorf("expression %q has too few arguments", e.text))
			break
		}
		if name, ok := args[0].(Name); ok {
			placeholder := "#n" + strconv.Itoa(len(r.names))
			r.name(placeholder, string(name))
			b.WriteString(placeholder)
		} else {
			b.WriteString(r.value(args[0]))
		}
		args = args[1:]
	}
	if len(args) > 0 {
		r.fail(fmt.Errorf("expression %q has too many arguments", e.text))
	}
	return b.String()
}

func isNameByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

func (r *renderer) name(placeholder, name string) {
	if r.names == nil {
		r.names = map[string]string{}
	}
	r.names[placeholder] = name
}

func (r *renderer) value(v any) string {
	if r.values == nil {
		r.values = Item{}
	}
	placeholder := ":v" + strconv.Itoa(len(r.values))
	av, err := attributeValue(v)
	r.fail(err)
	r.values[placeholder] = av
	return placeholder
}

func (r *renderer) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// condition joins conditions with AND. It returns nil if there are none.
func (r *renderer) condition(all []Expression) *string {
	switch len(all) {
	case 0:
		return nil
	case 1:
		return new(r.render(all[0]))
	}
	parts := make([]string, len(all))
	for i, e := range all {
		parts[i] = "(" + r.render(e) + ")"
	}
	return new(strings.Join(parts, " AND "))
}

// refused turns the error of a single write into a *ConditionError if its condition
// was not met.
func refused(operation string, err error) error {
	if refused, ok := errors.AsType[*types.ConditionalCheckFailedException](err); ok {
		failed := &ConditionError{actions: []int{0}}
		if len(refused.Item) > 0 {
			failed.Old = refused.Item
		}
		return failed
	}
	if err != nil {
		return fmt.Errorf("%s: %w", operation, err)
	}
	return nil
}

func attributeValue(v any) (types.AttributeValue, error) {
	if av, ok := v.(types.AttributeValue); ok {
		return av, nil
	}
	return attributevalue.Marshal(v)
}
