package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// awsFaults chooses what happens to the calls that the stack makes to DynamoDB and SQS.
type awsFaults struct {
	dice *dice
	// weather says whether anything breaks at present.
	weather *weather

	mu sync.Mutex
	// rest is how many calls pass before the next one breaks.
	rest int
	// stubborn holds faults that also meet the SDK's own retries, by the invocation's
	// ID. Otherwise the SDK would hide most of them from the service.
	stubborn map[string]fault
	// received and read are earlier answers, which may be given again.
	received map[string][]answer
	read     []answer
}

func newAWSFaults(d *dice, w *weather) *awsFaults {
	return &awsFaults{dice: d, weather: w, stubborn: map[string]fault{}, received: map[string][]answer{}}
}

const (
	maxStubborn = 1000
	maxReplays  = 20
)

var signer = regexp.MustCompile(`Credential=([^/]+)/`)

// pick implements relay.pick.
func (a *awsFaults) pick(m message) fault {
	_, operation, _ := strings.Cut(m.Header.Get("X-Amz-Target"), ".")
	if !a.weather.bad() {
		return fault{}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	caller := signer.FindStringSubmatch(m.Header.Get("Authorization"))
	if len(caller) == 0 || caller[1] == "local" { // the host, which acts for Lambda
		return a.forHost(operation, m)
	}
	invocation := m.Header.Get("Amz-Sdk-Invocation-Id")
	if f, ok := a.stubborn[invocation]; ok {
		return f
	}
	// Transactions are what the promises rest on, so they break more often.
	often := operation == "TransactWriteItems" && a.dice.in(8)
	if a.rest--; a.rest > 0 && !often {
		return fault{}
	}
	a.rest = a.dice.between(8, 60)
	f := a.forFunction(operation, m)
	f.name += " " + family(m)
	if again := f; !f.kill && (f.cut || f.instead != nil) && a.dice.in(2) {
		if len(a.stubborn) > maxStubborn {
			clear(a.stubborn)
		}
		again.name, again.lost, again.wait = "", true, 0
		a.stubborn[invocation] = again
	}
	return f
}

func family(m message) string {
	if strings.HasPrefix(m.Header.Get("X-Amz-Target"), "AmazonSQS") {
		return "sqs"
	}
	return "dynamodb"
}

// forFunction breaks a call of a function.
func (a *awsFaults) forFunction(operation string, m message) fault {
	faults := []func() fault{
		func() fault { return fault{name: "cut before the effect", lost: true, cut: true} },
		func() fault { return fault{name: "cut after the effect", cut: true} },
		func() fault { return fault{name: "500 after the effect", instead: a.internal(m)} },
		func() fault { return fault{name: "500 after the effect", instead: a.internal(m)} },
		func() fault { return fault{name: "500 before the effect", lost: true, instead: a.internal(m)} },
		func() fault { return fault{name: "throttled", lost: true, instead: a.throttled(m)} },
		func() fault { return fault{name: "delayed", wait: a.dice.wait(100*time.Millisecond, 3*time.Second)} },
		func() fault {
			return fault{name: "answer delayed", hold: a.dice.wait(100*time.Millisecond, 3*time.Second)}
		},
		func() fault { return a.killing("stack killed before the effect", fault{lost: true}) },
		func() fault { return a.killing("stack killed after the effect", fault{}) },
		func() fault { return a.killing("stack killed after the effect", fault{}) },
	}
	if conflict := transactionConflict(operation, m.body); conflict != nil {
		faults = append(faults, func() fault {
			return fault{name: "transaction conflict", lost: true, instead: conflict}
		})
	}
	if strings.HasPrefix(operation, "SendMessage") {
		faults = append(faults, func() fault { return fault{name: "message sent twice", twice: true} })
	}
	return pick(a.dice, faults)()
}

// killing makes f a kill, or only a cut if the stack has just been killed.
func (a *awsFaults) killing(name string, f fault) fault {
	if f.name, f.kill = name, a.weather.mayKill(); !f.kill {
		f.name, f.cut = "cut after the effect", true
		if f.lost {
			f.name = "cut before the effect"
		}
	}
	return f
}

// forHost repeats, holds up and reorders what Lambda would read from queues and streams.
func (a *awsFaults) forHost(operation string, m message) fault {
	switch operation {
	case "ReceiveMessage":
		if !a.dice.in(12) {
			return fault{}
		}
		return a.forReceive(m)
	case "GetRecords":
		if !a.dice.in(60) || len(a.read) == 0 {
			return fault{}
		}
		again := pick(a.dice, a.read)
		return fault{name: "stream records again", lost: true, instead: &again}
	default:
		return fault{}
	}
}

func (a *awsFaults) forReceive(m message) fault {
	earlier := a.received[queueOf(m.body)]
	switch a.dice.upTo(4) {
	case 0:
		return fault{name: "messages reversed", change: reverseMessages}
	case 1:
		return fault{name: "messages late", hold: a.dice.wait(time.Second, 5*time.Second)}
	default:
		if len(earlier) == 0 {
			return fault{}
		}
		again := pick(a.dice, earlier)
		return fault{name: "messages again", lost: true, instead: &again}
	}
}

// passed implements relay.passed: it keeps answers that may be given again.
func (a *awsFaults) passed(m message, b answer) {
	_, operation, _ := strings.Cut(m.Header.Get("X-Amz-Target"), ".")
	if b.status != http.StatusOK {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	switch operation {
	case "ReceiveMessage":
		if queue := queueOf(m.body); strings.Contains(string(b.body), "MessageId") {
			a.received[queue] = last(append(a.received[queue], b))
		}
	case "GetRecords":
		if strings.Contains(string(b.body), "SequenceNumber") {
			a.read = last(append(a.read, b))
		}
	}
}

// last returns the latest few.
func last(list []answer) []answer { return list[max(0, len(list)-maxReplays):] }

func queueOf(body []byte) string {
	var in struct {
		QueueURL string `json:"QueueUrl"`
	}
	_ = json.Unmarshal(body, &in) // the SDK's own
	return in.QueueURL
}

func reverseMessages(a *answer) {
	var out map[string]any
	if json.Unmarshal(a.body, &out) != nil {
		return
	}
	if messages, ok := out["Messages"].([]any); ok {
		slices.Reverse(messages)
		a.body, _ = json.Marshal(out) // it was JSON before
	}
}

// awsError is an error as DynamoDB and SQS answer it.
func awsError(status int, kind string, members map[string]any) *answer {
	body := map[string]any{"__type": kind, "message": "broken on purpose"}
	maps.Copy(body, members)
	text, _ := json.Marshal(body) // plain maps
	return &answer{status: status, header: http.Header{"Content-Type": {"application/x-amz-json-1.0"}}, body: text}
}

func (a *awsFaults) internal(m message) *answer {
	if family(m) == "sqs" {
		return awsError(http.StatusInternalServerError, "com.amazonaws.sqs#InternalFailure", nil)
	}
	return awsError(http.StatusInternalServerError, "com.amazonaws.dynamodb.v20120810#InternalServerError", nil)
}

func (a *awsFaults) throttled(m message) *answer {
	switch {
	case family(m) == "sqs":
		return awsError(http.StatusBadRequest, "com.amazonaws.sqs#RequestThrottled", nil)
	case a.dice.in(2):
		return awsError(http.StatusBadRequest, "com.amazon.coral.availability#ThrottlingException", nil)
	default:
		return awsError(http.StatusBadRequest, "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException", nil)
	}
}

// transactionConflict is DynamoDB's answer to a write that meets a transaction. It is nil
// if the operation writes nothing.
func transactionConflict(operation string, body []byte) *answer {
	const space = "com.amazonaws.dynamodb.v20120810#"
	switch operation {
	case "PutItem", "UpdateItem", "DeleteItem":
		return awsError(http.StatusBadRequest, space+"TransactionConflictException", nil)
	case "TransactWriteItems":
		var in struct{ TransactItems []json.RawMessage }
		_ = json.Unmarshal(body, &in) // the SDK's own
		reasons, codes := []any{}, []string{}
		for i := range in.TransactItems {
			if i == 0 {
				reasons = append(reasons, map[string]string{
					"Code": "TransactionConflict", "Message": "Transaction is ongoing for the item",
				})
				codes = append(codes, "TransactionConflict")
				continue
			}
			reasons, codes = append(reasons, map[string]string{"Code": "None"}), append(codes, "None")
		}
		return awsError(http.StatusBadRequest, space+"TransactionCanceledException", map[string]any{
			"CancellationReasons": reasons,
			"Message": fmt.Sprintf("Transaction cancelled, please refer cancellation reasons for specific reasons [%s]",
				strings.Join(codes, ", ")),
		})
	default:
		return nil
	}
}
