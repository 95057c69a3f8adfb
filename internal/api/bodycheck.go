package api

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"

	"aviso/internal/api/apierror"
)

// bodyCheck finds the parts of a JSON body that do not match its schema. It stops when it has found more than a
// problem document may list. Huma checks only the leaves: it would keep an error for each item and member, and its
// paths grow with each dot in a name (16 KB in, 5.7 MB out).
type bodyCheck struct {
	schemas huma.Registry
	invalid []apierror.Field
}

func (b *bodyCheck) check(s *huma.Schema, at jsontext.Pointer, v any) {
	for s.Ref != "" {
		s = b.schemas.SchemaFromRef(s.Ref)
	}
	object, isObject := v.(map[string]any)
	list, isList := v.([]any)
	switch {
	case len(b.invalid) > apierror.MaxFields:
	case isObject && s.Type == huma.TypeObject:
		for _, name := range slices.Sorted(maps.Keys(object)) {
			member := s.Properties[name]
			if member == nil && s.AdditionalProperties == false {
				b.fail(at.AppendToken(name), "unknown_member", "unexpected property")
			} else if member != nil && (object[name] != nil || slices.Contains(s.Required, name)) {
				b.check(member, at.AppendToken(name), object[name])
			}
		}
		for _, name := range s.Required {
			if _, sent := object[name]; !sent {
				b.fail(at.AppendToken(name), "required", "This member is required.")
			}
		}
	case !isList || s.Type != huma.TypeArray:
		var found huma.ValidateResult
		huma.Validate(b.schemas, s, huma.NewPathBuffer(nil, 0), huma.ModeWriteToServer, v, &found)
		b.invalid = addErrors(b.invalid, found.Errors, at)
	case s.MinItems != nil && len(list) < *s.MinItems:
		b.fail(at, "invalid", fmt.Sprintf("expected array length >= %d", *s.MinItems))
	case s.MaxItems != nil && len(list) > *s.MaxItems:
		b.fail(at, "invalid", fmt.Sprintf("expected array length <= %d", *s.MaxItems))
	default:
		for i, item := range list {
			b.check(s.Items, at.AppendToken(strconv.Itoa(i)), item)
		}
	}
}

func (b *bodyCheck) fail(at jsontext.Pointer, code, detail string) {
	if len(b.invalid) <= apierror.MaxFields {
		b.invalid = append(b.invalid, apierror.Field{Pointer: string(at), Code: code, Detail: detail})
	}
}
