package host

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPattern(t *testing.T) {
	const event = `{"eventName":"INSERT","n":3,"none":null,"yes":true,"tags":["a","b"],"path":"in/a*b.PDF",
		"dynamodb":{"NewImage":{"kind":{"S":"sync.connection"}}},
		"rows":[{"id":"1","state":"new"},{"id":"2","state":"old"}]}`
	for pattern, want := range map[string]bool{
		`{"eventName":["INSERT"]}`:          true,
		`{"eventName":["MODIFY","INSERT"]}`: true,
		`{"eventName":["REMOVE"]}`:          false,
		`{"eventName":["INSERT"],"n":[4]}`:  false,
		`{"n":[3]}`:                         true,
		`{"n":["3"]}`:                       false,
		`{"none":[null]}`:                   true,
		`{"missing":[null]}`:                false,
		`{"yes":[true]}`:                    true,
		`{"tags":["b"]}`:                    true,
		`{"tags":["c"]}`:                    false,
		`{"dynamodb":["x"]}`:                false,
		`{"eventName":[{"prefix":"INS"}]}`:  true,
		`{"eventName":[{"prefix":"SER"}]}`:  false,
		`{"eventName":[{"prefix":""}]}`:     true,
		`{"n":[{"prefix":"3"}]}`:            false,
		`{"dynamodb":[{"prefix":""}]}`:      false,
		`{"tags":[{"prefix":"b"},"x"]}`:     true,
		`{"dynamodb":{"NewImage":{"kind":{"S":["sync.connection"]}}}}`:             true,
		`{"dynamodb":{"OldImage":{"kind":{"S":["x"]}}}}`:                           false,
		`{"dynamodb":{"NewImage":{"kind":{"S":["sync.connection","other.one"]}}}}`: true,
		`{"rows":{"id":["2"],"state":["old"]}}`:                                    true,
		`{"rows":{"id":["1"],"state":["old"]}}`:                                    false,
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
		`{}`, `[1]`, `{"a":"b"}`, `{"a":[]}`, `{"a":[["b"]]}`, `{"a":[{}]}`, `{"a":[{"prefix":"b","suffix":"c"}]}`,
		`{"$or":[{"a":["b"]},{"c":["d"]}]}`, `{"$or":{"a":"b"}}`, `{"$and":[{"a":["b"]}]}`,
		// Operators, which template.yaml does not have.
		`{"a":[{"exists":false}]}`, `{"a":[{"prefix":1}]}`, `{"a":[{"suffix":"b"}]}`, `{"a":[{"equals-ignore-case":"b"}]}`,
		`{"a":[{"anything-but":"b"}]}`, `{"a":[{"numeric":["=",1]}]}`, `{"a":[{"wildcard":"b*"}]}`, `{"a":[{"cidr":"10.0.0.0/8"}]}`,
		`{"a":["b",{"exists":true}]}`,
	} {
		t.Run(pattern+" is refused", func(t *testing.T) {
			_, err := parsePattern(json.RawMessage(pattern))
			assert.ErrorContains(t, err, "event pattern "+pattern)
		})
	}
}
