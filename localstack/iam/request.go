package iam

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/mail"
	"path"
	"regexp"
	"strings"
)

// Account holds the names of the stack's resources.
type Account struct {
	Region, ID string
	// PartitionKeys are the names of the partition keys, by table.
	PartitionKeys map[string]string
	// Identity returns the name of the SES identity that may send as an address.
	Identity func(address string) string
}

func (a Account) arn(service, resource string) string {
	return "arn:aws:" + service + ":" + a.Region + ":" + a.ID + ":" + resource
}

// Requests returns the actions that a call needs; a transaction needs several. An
// unsupported call is an error.
func (a Account) Requests(r *http.Request, body []byte) ([]Request, error) {
	service, operation, ok := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	switch {
	case strings.HasPrefix(service, "DynamoDB_"):
		return a.dynamoDB(operation, body)
	case service == "AmazonSQS":
		return a.sqs(operation, body)
	case service == "secretsmanager":
		return a.secrets(operation, body)
	case !ok && r.Method == http.MethodPost && r.URL.Path == "/v2/email/outbound-emails":
		return a.mail(body)
	default:
		return nil, fmt.Errorf("the local stack does not know which permissions %s %s %s needs",
			r.Method, r.URL.Path, operation)
	}
}

// value is an attribute value; the keys of the stack's tables are always strings.
type value struct{ S string }

// access is what a DynamoDB action says about the items it accesses.
type access struct {
	TableName                 string
	IndexName                 string
	Key                       map[string]value
	Item                      map[string]value
	KeyConditionExpression    string
	ExpressionAttributeNames  map[string]string
	ExpressionAttributeValues map[string]value
}

// batch holds the items of BatchGetItem and BatchWriteItem, or of a transaction.
type batch struct {
	RequestItems  map[string]json.RawMessage
	TransactItems []map[string]access
}

func (a Account) dynamoDB(operation string, body []byte) ([]Request, error) {
	switch operation {
	case "BatchGetItem", "BatchWriteItem", "TransactGetItems", "TransactWriteItems":
		var b batch
		if err := json.Unmarshal(body, &b); err != nil {
			return nil, fmt.Errorf("read %s: %w", operation, err)
		}
		return a.several(operation, b)
	default:
		var one access
		if err := json.Unmarshal(body, &one); err != nil {
			return nil, fmt.Errorf("read %s: %w", operation, err)
		}
		return []Request{a.one(operation, one)}, nil
	}
}

func (a Account) several(operation string, b batch) ([]Request, error) {
	var all []Request
	for table, items := range b.RequestItems {
		var get struct{ Keys []map[string]value }
		if operation == "BatchGetItem" {
			if err := json.Unmarshal(items, &get); err != nil {
				return nil, fmt.Errorf("read %s: %w", operation, err)
			}
		}
		r := Request{
			Action: "dynamodb:" + operation, Resource: a.arn("dynamodb", "table/"+table),
			Values: map[string][]string{},
		}
		for _, key := range get.Keys {
			r.Values[leadingKeys] = append(r.Values[leadingKeys], key[a.PartitionKeys[table]].S)
		}
		all = append(all, r)
	}
	// A transaction needs the permissions of its parts: Put is PutItem, and so on.
	for _, item := range b.TransactItems {
		for part, to := range item {
			all = append(all, a.one(part+"Item", to))
		}
	}
	return all, nil
}

func (a Account) one(operation string, to access) Request {
	resource := "table/" + to.TableName
	if to.IndexName != "" {
		resource += "/index/" + to.IndexName
	}
	r := Request{Action: "dynamodb:" + operation, Resource: a.arn("dynamodb", resource), Values: map[string][]string{}}
	hash := a.PartitionKeys[to.TableName]
	for _, where := range []map[string]value{to.Key, to.Item} {
		if key, ok := where[hash]; ok {
			r.Values[leadingKeys] = append(r.Values[leadingKeys], key.S)
		}
	}
	if to.KeyConditionExpression != "" {
		r.Values[leadingKeys] = append(r.Values[leadingKeys], to.partition(hash))
	}
	return r
}

var equality = regexp.MustCompile(`([#\w]+)\s*=\s*(:\w+)`)

// partition returns the partition that a query reads.
func (to access) partition(hash string) string {
	for _, m := range equality.FindAllStringSubmatch(to.KeyConditionExpression, -1) {
		if m[1] == hash || to.ExpressionAttributeNames[m[1]] == hash {
			return to.ExpressionAttributeValues[m[2]].S
		}
	}
	return ""
}

func (a Account) sqs(operation string, body []byte) ([]Request, error) {
	var to struct{ QueueUrl string } //nolint:revive // as AWS spells it
	if err := json.Unmarshal(body, &to); err != nil {
		return nil, fmt.Errorf("read %s: %w", operation, err)
	}
	// A batch needs the same permission as the single action.
	action := "sqs:" + strings.TrimSuffix(operation, "Batch")
	return []Request{{Action: action, Resource: a.arn("sqs", path.Base(to.QueueUrl))}}, nil
}

func (a Account) secrets(operation string, body []byte) ([]Request, error) {
	var to struct{ SecretId string } //nolint:revive // as AWS spells it
	if err := json.Unmarshal(body, &to); err != nil {
		return nil, fmt.Errorf("read %s: %w", operation, err)
	}
	resource := to.SecretId
	if !strings.HasPrefix(resource, "arn:") {
		resource = a.arn("secretsmanager", "secret:"+resource+"-000000")
	}
	return []Request{{Action: "secretsmanager:" + operation, Resource: resource}}, nil
}

func (a Account) mail(body []byte) ([]Request, error) {
	var m struct {
		ConfigurationSetName string
		Content              struct{ Raw struct{ Data []byte } }
	}
	if err := json.Unmarshal(body, &m); err != nil {
		return nil, fmt.Errorf("read SendEmail: %w", err)
	}
	message, err := mail.ReadMessage(bytes.NewReader(m.Content.Raw.Data))
	if err != nil {
		return nil, fmt.Errorf("read a raw mail: %w", err)
	}
	from, err := mail.ParseAddress(message.Header.Get("From"))
	if err != nil {
		return nil, fmt.Errorf("read the sender of a mail: %w", err)
	}
	const action = "ses:SendRawEmail"
	all := []Request{{Action: action, Resource: a.arn("ses", "identity/"+a.Identity(from.Address))}}
	if m.ConfigurationSetName != "" {
		all = append(all, Request{Action: action, Resource: a.arn("ses", "configuration-set/"+m.ConfigurationSetName)})
	}
	return all, nil
}
