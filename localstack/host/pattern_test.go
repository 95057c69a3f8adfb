package host

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPattern(t *testing.T) {
	const event = `{"eventName":"INSERT","n":3,"tags":["a","b"],"dynamodb":{"NewImage":{"kind":{"S":"sync.connection"}}}}`
	for pattern, want := range map[string]bool{
		`{"eventName":["INSERT"]}`:          true,
		`{"eventName":["MODIFY","INSERT"]}`: true,
		`{"eventName":["REMOVE"]}`:          false,
		`{"eventName":["INSERT"],"n":[4]}`:  false,
		`{"n":[3]}`:                         true,
		`{"tags":["b"]}`:                    true,
		`{"dynamodb":{"NewImage":{"kind":{"S":["sync.connection"]}}}}`:             true,
		`{"dynamodb":{"NewImage":{"kind":{"S":[{"prefix":"sync."}]}}}}`:            true,
		`{"dynamodb":{"NewImage":{"kind":{"S":[{"prefix":"mail."}]}}}}`:            false,
		`{"dynamodb":{"OldImage":{"kind":{"S":["x"]}}}}`:                           false,
		`{"dynamodb":{"OldImage":[{"exists":false}]}}`:                             true,
		`{"eventName":[{"exists":false}]}`:                                         false,
		`{"eventName":[{"anything-but":"INSERT"}]}`:                                false,
		`{"eventName":[{"anything-but":"REMOVE"}]}`:                                true,
		`{"missing":[{"anything-but":"REMOVE"}]}`:                                  false,
		`{"dynamodb":{"NewImage":{"kind":{"S":["sync.connection","other.one"]}}}}`: true,
	} {
		t.Run(pattern, func(t *testing.T) {
			p, err := parsePattern(json.RawMessage(pattern))
			require.NoError(t, err)
			var value any
			require.NoError(t, json.Unmarshal([]byte(event), &value))
			assert.Equal(t, want, p.matches(value))
		})
	}

	for _, pattern := range []string{
		`{"n":[{"numeric":[">",1]}]}`, `{"$or":[{"a":["b"]}]}`, `{"a":"b"}`, `{"a":[]}`, `[1]`,
	} {
		t.Run(pattern+" is refused", func(t *testing.T) {
			_, err := parsePattern(json.RawMessage(pattern))
			assert.Error(t, err)
		})
	}
}
