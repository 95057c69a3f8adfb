package history

import (
	"fmt"
	"slices"
	"strings"

	"github.com/anishathalye/porcupine"
)

// outcome is what an answer says about a request.
type outcome int

const (
	// unknown: the request may have taken effect, or may do so later.
	unknown outcome = iota
	// made: the object exists.
	made
	// refused: the request has not changed anything.
	refused
	// silent: the answer says nothing about this request.
	silent
)

func (c Call) outcome() outcome {
	switch {
	case c.Status >= 200 && c.Status < 300:
		return made
	case c.Status == 0 || c.Status >= 500:
		return unknown
	case c.Status == 401, c.Code == "rate_limited", c.Code == "idempotency_in_progress", c.Code == "user_not_found":
		return silent
	default:
		return refused
	}
}

// Definite reports whether a client need not send the request again.
func (c Call) Definite() bool {
	o := c.outcome()
	return o == made || o == refused || c.Code == "user_not_found"
}

// The states of a key. Any other state is the ID of its object.
const (
	nothing   = ""
	something = "?" // an object whose ID no answer has told yet
)

// key is what the service promises for the calls with one key: some order of them exists,
// compatible with when they ran, in which at most one object comes to be, and in which
// every answer names that object.
func key() porcupine.Model {
	model := porcupine.NondeterministicModel{
		Init: func() []any { return []any{nothing} },
		Step: func(state, _, output any) []any {
			now, _ := state.(string)
			call, _ := output.(Call)
			switch o := call.outcome(); {
			case o == made && (now == nothing || now == something || now == call.Object):
				return []any{call.Object}
			case o == unknown && now == nothing:
				return []any{nothing, something}
			case o == unknown, o == silent, o == refused && now == nothing:
				return []any{now}
			default:
				return nil
			}
		},
		Equal: func(a, b any) bool { return a == b },
	}
	return model.ToModel()
}

// keys checks that the calls of every key fit the model.
func (j *judge) keys() {
	byKey := map[string][]Call{}
	for _, c := range j.Calls {
		if c.Key != "" {
			name := strings.Join([]string{c.Partner, c.User, c.Operation, c.Key}, " ")
			byKey[name] = append(byKey[name], c)
		}
	}
	for name, calls := range byKey {
		end := slices.MaxFunc(calls, func(a, b Call) int { return int(a.Ended - b.Ended) }).Ended
		var operations []porcupine.Operation
		for i, c := range calls {
			returned := c.Ended
			if c.outcome() == unknown {
				returned = end + 1 // it may still take effect after the client has given up
			}
			operations = append(operations, porcupine.Operation{
				ClientId: i, Call: int64(c.Begun), Return: int64(returned), Output: c,
			})
		}
		if porcupine.CheckOperationsTimeout(key(), operations, j.KeySearch) == porcupine.Illegal {
			j.find(OneObject, "%s: %s", name, story(calls))
		}
	}
}

// story tells the calls of a key in order.
func story(calls []Call) string {
	slices.SortFunc(calls, func(a, b Call) int { return int(a.Begun - b.Begun) })
	var lines []string
	for _, c := range calls {
		answer := fmt.Sprintf("%d %s", c.Status, c.Code+c.Object)
		if c.Status == 0 {
			answer = "no answer"
		}
		lines = append(lines, fmt.Sprintf("%s–%s %s", round(c.Begun), round(c.Ended), strings.TrimSpace(answer)))
	}
	return strings.Join(lines, "; ")
}
