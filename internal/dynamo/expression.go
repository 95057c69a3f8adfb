package dynamo

import (
	"errors"
	"fmt"
	"regexp"
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
// reserved word. A request whose expression has too few or too many arguments panics.
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
}

// marks matches the parts of an expression that render replaces: an argument, and a reserved word.
var marks = regexp.MustCompile(`\?|#\w+`)

func (r *renderer) render(e Expression) string {
	if n := strings.Count(e.text, "?"); n != len(e.args) {
		panic(fmt.Sprintf("expression %q has %d arguments instead of %d", e.text, len(e.args), n))
	}
	args := e.args
	return marks.ReplaceAllStringFunc(e.text, func(mark string) string {
		if mark != "?" {
			r.name(mark, mark[1:])
			return mark
		}
		arg := args[0]
		args = args[1:]
		name, ok := arg.(Name)
		if !ok {
			return r.value(arg)
		}
		placeholder := "#n" + strconv.Itoa(len(r.names))
		r.name(placeholder, string(name))
		return placeholder
	})
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
	av, isValue := v.(types.AttributeValue)
	if !isValue {
		var err error
		if av, err = attributevalue.MarshalWithOptions(v, encoding); err != nil {
			panic(fmt.Sprintf("argument of type %T: %v", v, err)) // a row cannot have a value of this type
		}
	}
	placeholder := ":v" + strconv.Itoa(len(r.values))
	r.values[placeholder] = av
	return placeholder
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
