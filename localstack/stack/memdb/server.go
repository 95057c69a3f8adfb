package memdb

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/schemas"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"github.com/aws/smithy-go/transport/http/protocol/awsjson"
)

// Do answers a request of an AWS client without a network, which makes a DB an HTTPClient.
func (db *DB) Do(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	w := httptest.NewRecorder()
	db.ServeHTTP(w, r)
	return w.Result(), nil
}

// ServeHTTP implements http.Handler.
func (db *DB) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	out, err := db.answer(r)
	if api, ok := errors.AsType[smithy.APIError](err); ok {
		w.Header().Set("X-Amzn-Errortype", api.ErrorCode())
		w.WriteHeader(http.StatusBadRequest)
		if out = api; reflect.TypeOf(api) == reflect.TypeFor[*smithy.GenericAPIError]() {
			out = &types.InternalServerError{Message: new(api.ErrorMessage())} // only for its message
		}
	} else if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	if records, ok := out.(reply); ok {
		_ = json.NewEncoder(w).Encode(records)
		return
	}
	// The SDK writes this body as it writes requests. Without a stream, that cannot fail.
	body, _ := smithyhttp.NewStackRequest().(*smithyhttp.Request)
	answer, _ := out.(smithy.Serializable)
	operation := smithy.NewOperationSchema(schemas.GetItem, schemas.GetItemInput, schemas.GetItemOutput)
	_ = awsjson.New10(schemas.DynamoDB_20120810).SerializeRequest(context.Background(), operation, answer, body)
	_, _ = io.Copy(w, body.GetStream())
}

func (db *DB) answer(r *http.Request) (any, error) {
	_, name, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	call, ok := operations()[name]
	if !ok {
		return nil, invalid("memdb does not support %s", name)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	in := reflect.New(call.Type().In(1).Elem())
	if err := decode(body, in.Elem()); err != nil {
		return nil, err
	}
	return db.Call(in.Interface())
}

// decode decodes a request, which the SDK can only encode.
func decode(raw []byte, v reflect.Value) error {
	switch kind := v.Kind(); {
	case v.Type() == reflect.TypeFor[Item]():
		item, err := attributevalue.UnmarshalMapJSON(raw)
		v.Set(reflect.ValueOf(item))
		return errors.Join(err, normalize(&types.AttributeValueMemberM{Value: item}))
	case kind == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return decode(raw, v.Elem())
	case kind == reflect.Slice:
		var elements []json.RawMessage
		err := json.Unmarshal(raw, &elements)
		v.Set(reflect.MakeSlice(v.Type(), len(elements), len(elements)))
		for i, element := range elements {
			err = errors.Join(err, decode(element, v.Index(i)))
		}
		return err
	case kind == reflect.Map || kind == reflect.Struct:
		var members map[string]json.RawMessage
		err := json.Unmarshal(raw, &members)
		if kind == reflect.Map {
			v.Set(reflect.MakeMapWithSize(v.Type(), len(members)))
		}
		for name, member := range members {
			if kind == reflect.Struct {
				err = errors.Join(err, decode(member, v.FieldByName(name)))
				continue
			}
			value := reflect.New(v.Type().Elem()).Elem()
			err = errors.Join(err, decode(member, value))
			v.SetMapIndex(reflect.ValueOf(name), value)
		}
		return err
	default:
		return json.Unmarshal(raw, v.Addr().Interface())
	}
}
