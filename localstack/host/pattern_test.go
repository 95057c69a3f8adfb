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
		`{"dynamodb":{"NewImage":{"kind":{"S":["sync.connection"]}}}}`:             true,
		`{"dynamodb":{"NewImage":{"kind":{"S":[{"prefix":"sync."}]}}}}`:            true,
		`{"dynamodb":{"NewImage":{"kind":{"S":[{"prefix":"mail."}]}}}}`:            false,
		`{"dynamodb":{"OldImage":{"kind":{"S":["x"]}}}}`:                           false,
		`{"dynamodb":{"OldImage":[{"exists":false}]}}`:                             true,
		`{"dynamodb":{"NewImage":{"kind":{"S":["sync.connection","other.one"]}}}}`: true,

		`{"eventName":[{"exists":false}]}`:                    false,
		`{"eventName":[{"exists":true}]}`:                     true,
		`{"missing":[{"exists":true}]}`:                       false,
		`{"eventName":[{"anything-but":"INSERT"}]}`:           false,
		`{"eventName":[{"anything-but":"REMOVE"}]}`:           true,
		`{"missing":[{"anything-but":"REMOVE"}]}`:             false,
		`{"eventName":[{"anything-but":["A","B"]}]}`:          true,
		`{"n":[{"anything-but":[2,3]}]}`:                      false,
		`{"n":[{"anything-but":4}]}`:                          true,
		`{"path":[{"prefix":"IN/"}]}`:                         false,
		`{"path":[{"suffix":".PDF"}]}`:                        true,
		`{"path":[{"suffix":".pdf"}]}`:                        false,
		`{"path":[{"equals-ignore-case":"IN/A*B.pdf"}]}`:      true,
		`{"path":[{"prefix":{"equals-ignore-case":"IN/"}}]}`:  true,
		`{"path":[{"suffix":{"equals-ignore-case":".pdf"}}]}`: true,
		`{"path":[{"suffix":{"equals-ignore-case":"a*b"}}]}`:  false,
		`{"n":[{"prefix":"3"}]}`:                              false,
		`{"n":[{"numeric":[">",2,"<=",3]}]}`:                  true,
		`{"n":[{"numeric":[">=",2,"<",3]}]}`:                  false,
		`{"n":[{"numeric":["=",3]}]}`:                         true,
		`{"eventName":[{"numeric":[">",0]}]}`:                 false,
		`{"rows":{"id":["2"],"state":["old"]}}`:               true,
		`{"rows":{"id":["1"],"state":["old"]}}`:               false,
	} {
		t.Run(pattern, func(t *testing.T) {
			for _, d := range []dialect{lambdaFilter, eventRule} {
				assert.Equal(t, want, matchEvent(t, pattern, d, event))
			}
		})
	}

	for pattern, want := range map[string]bool{
		`{"path":[{"wildcard":"in/*.PDF"}]}`:                               true,
		`{"path":[{"wildcard":"*.pdf"}]}`:                                  false,
		`{"path":[{"wildcard":"in/a\\*b.*"}]}`:                             true,
		`{"eventName":[{"wildcard":"I\\*T"}]}`:                             false,
		`{"path":[{"anything-but":{"prefix":"in/"}}]}`:                     false,
		`{"path":[{"anything-but":{"prefix":["out/","tmp/"]}}]}`:           true,
		`{"path":[{"anything-but":{"wildcard":"*b*"}}]}`:                   false,
		`{"eventName":[{"anything-but":{"equals-ignore-case":"Insert"}}]}`: false,
		`{"n":[{"anything-but":{"suffix":"3"}}]}`:                          true,
	} {
		t.Run(pattern+" is EventBridge's alone", func(t *testing.T) {
			assert.Equal(t, want, matchEvent(t, pattern, eventRule, event))
			_, err := parsePattern(json.RawMessage(pattern), lambdaFilter)
			assert.ErrorContains(t, err, "is not understood by the local stack")
		})
	}

	for _, pattern := range []string{
		`{}`, `[1]`, `{"a":"b"}`, `{"a":[]}`, `{"a":[["b"]]}`, `{"a":[{}]}`, `{"a":[{"prefix":"b","suffix":"c"}]}`,
		`{"a":[{"exists":"yes"}]}`, `{"a":[{"prefix":1}]}`, `{"a":[{"prefix":{"suffix":"b"}}]}`, `{"a":[{"cidr":"10.0.0.0/8"}]}`,
		`{"a":[{"anything-but":[true]}]}`, `{"a":[{"anything-but":{"numeric":["=",1]}}]}`, `{"a":[{"anything-but":[]}]}`,
		`{"n":[{"numeric":[">"]}]}`, `{"n":[{"numeric":[">","1"]}]}`, `{"n":[{"numeric":["!=",1]}]}`, `{"n":[{"numeric":3}]}`,
		`{"a":[{"wildcard":"a**"}]}`, `{"a":[{"wildcard":"a\\b"}]}`, `{"$or":[{"a":["b"]},{"c":["d"]}]}`, `{"$and":[{"a":["b"]}]}`,
	} {
		t.Run(pattern+" is refused", func(t *testing.T) {
			_, err := parsePattern(json.RawMessage(pattern), eventRule)
			assert.ErrorContains(t, err, "event pattern "+pattern)
		})
	}
}

func matchEvent(t *testing.T, pattern string, d dialect, event string) bool {
	t.Helper()
	p, err := parsePattern(json.RawMessage(pattern), d)
	require.NoError(t, err)
	var value any
	require.NoError(t, json.Unmarshal([]byte(event), &value))
	return p.matches(value)
}
