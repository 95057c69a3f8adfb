// Package iam is between the local stack's functions and its AWS services. It allows only what a function's policies
// in template.yaml allow, so a missing permission is also missing locally. It supports only the part of IAM that
// these policies use.
package iam

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"github.com/tidwall/gjson"
	"github.com/tidwall/match"

	"aviso/localstack/template"
)

// Guard passes calls on to a service if the caller's policies allow them. The access key that signs a call is the
// function's name.
type Guard struct {
	// PartitionKeys are the names of the partition keys, by table.
	PartitionKeys map[string]string
	// Identities are the SES identities that may send.
	Identities []template.EmailIdentity
	// Policies are the statements of each caller.
	Policies map[string][]template.Statement
	// Denied is called for every denied call. It must be safe for concurrent use.
	Denied func(reason string)
}

var credential = regexp.MustCompile(`Credential=([^/]+)/`)

// Client returns a client that passes calls on to the service if they are allowed.
func (g *Guard) Client(service aws.HTTPClient) aws.HTTPClient {
	return smithyhttp.ClientDoFunc(func(r *http.Request) (*http.Response, error) {
		var body []byte
		if r.Body != nil {
			var err error
			if body, err = io.ReadAll(r.Body); err != nil {
				return nil, err
			}
		}
		if reason := g.refuse(r, body); reason != "" {
			g.Denied(reason)
			w := httptest.NewRecorder()
			w.Header().Set("X-Amzn-Errortype", "AccessDeniedException")
			w.WriteHeader(http.StatusForbidden)
			_ = json.NewEncoder(w).Encode(map[string]string{"message": reason})
			return w.Result(), nil
		}
		// DynamoDB Local requires access keys of letters and digits, like those of AWS. No emulator checks signatures.
		r.Header.Set("Authorization", credential.ReplaceAllStringFunc(r.Header.Get("Authorization"),
			func(name string) string { return strings.ReplaceAll(name, "-", "") }))
		r.Body = io.NopCloser(bytes.NewReader(body))
		return service.Do(r)
	})
}

// refuse returns why a call is denied, or "" if it is allowed.
func (g *Guard) refuse(r *http.Request, body []byte) string {
	m := credential.FindStringSubmatch(r.Header.Get("Authorization"))
	if m == nil {
		return "the call is not signed"
	}
	statements, known := g.Policies[m[1]]
	if !known {
		return "there is no function " + strconv.Quote(m[1])
	}
	requests, err := g.Requests(r, body)
	if err != nil {
		return err.Error()
	}
	for _, request := range requests {
		if !Allowed(statements, request) {
			return "the policies of " + m[1] + " in template.yaml do not allow " + request.String()
		}
	}
	return ""
}

// Request is one action on one resource.
type Request struct {
	Action, Resource string
	// LeadingKeys are the partition keys in a request to DynamoDB, for conditions.
	LeadingKeys []string
}

func (r Request) String() string { return r.Action + " on " + r.Resource }

// Allowed reports whether a statement allows the request.
func Allowed(statements []template.Statement, r Request) bool {
	return slices.ContainsFunc(statements, func(s template.Statement) bool {
		matches := func(key string) bool {
			return slices.ContainsFunc(s.LeadingKeys, func(want string) bool { return match.Match(key, want) })
		}
		return slices.Contains(s.Actions, r.Action) &&
			slices.ContainsFunc(s.Resources, func(arn template.Value) bool { return match.Match(r.Resource, string(arn)) }) &&
			(s.LeadingKeys == nil || !slices.ContainsFunc(r.LeadingKeys, func(key string) bool { return !matches(key) }))
	})
}

// Requests returns the actions of a call; a transaction has several. An unsupported call is an error.
func (g *Guard) Requests(r *http.Request, body []byte) (all []Request, err error) {
	service, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	c := gjson.ParseBytes(body) // bodies are as large as the written data, so read only a few members
	switch {
	case strings.HasPrefix(service, "DynamoDB_"):
		return g.dynamoDB(operation, c), nil
	case service == "AmazonSQS":
		// A batch needs the same permission as the single action.
		action := "sqs:" + strings.TrimSuffix(operation, "Batch")
		return []Request{{Action: action, Resource: template.ARN("sqs", path.Base(c.Get("QueueUrl").Str))}}, nil
	case service == "secretsmanager":
		secret := c.Get("SecretId").Str
		if !strings.HasPrefix(secret, "arn:") {
			secret = template.ARN("secretsmanager", "secret:"+secret+"-000000")
		}
		return []Request{{Action: "secretsmanager:" + operation, Resource: secret}}, nil
	case service == "" && r.Method == http.MethodPost && r.URL.Path == "/v2/email/outbound-emails":
		return g.mail(c)
	}
	return nil, fmt.Errorf("the local stack does not know which permissions %s %s %s needs",
		r.Method, r.URL.Path, operation)
}

func (g *Guard) dynamoDB(operation string, c gjson.Result) (all []Request) {
	switch {
	case strings.HasPrefix(operation, "Batch"):
		c.Get("RequestItems").ForEach(func(table, items gjson.Result) bool {
			all = append(all, g.one(operation, table.Str, items))
			return true
		})
	case strings.HasPrefix(operation, "Transact"):
		// A transaction needs the permissions of its parts: Put is PutItem, and so on.
		c.Get("TransactItems").ForEach(func(_, item gjson.Result) bool {
			item.ForEach(func(part, to gjson.Result) bool {
				all = append(all, g.one(part.Str+"Item", "", to))
				return true
			})
			return true
		})
	default:
		all = append(all, g.one(operation, "", c))
	}
	return all
}

// one returns the request for an action. to is the call's input, which names the table if table is empty. Keys of the
// stack's tables are always strings.
func (g *Guard) one(operation, table string, to gjson.Result) Request {
	var index, condition string
	var keys []gjson.Result
	to.ForEach(func(name, value gjson.Result) bool { // one pass only: an item may be large
		switch name.Str {
		case "TableName":
			table = value.Str
		case "IndexName":
			index = value.Str
		case "Key", "Item":
			keys = append(keys, value)
		case "Keys":
			keys = value.Array()
		case "KeyConditionExpression":
			condition = value.Str
		}
		return true
	})
	resource, hash := "table/"+table, g.PartitionKeys[table]
	if index != "" {
		resource += "/index/" + index
	}
	r := Request{Action: "dynamodb:" + operation, Resource: template.ARN("dynamodb", resource)}
	for _, key := range keys {
		if value := key.Get(hash + ".S"); value.Exists() {
			r.LeadingKeys = append(r.LeadingKeys, value.Str)
		}
	}
	if condition != "" {
		r.LeadingKeys = append(r.LeadingKeys, partition(condition, hash, to))
	}
	return r
}

var equality = regexp.MustCompile(`([#\w]+)\s*=\s*(:\w+)`)

// partition returns the partition that a query reads.
func partition(condition, hash string, to gjson.Result) string {
	names, values := to.Get("ExpressionAttributeNames").Map(), to.Get("ExpressionAttributeValues").Map()
	for _, m := range equality.FindAllStringSubmatch(condition, -1) {
		if m[1] == hash || names[m[1]].Str == hash {
			return values[m[2]].Get("S").Str
		}
	}
	return ""
}

func (g *Guard) mail(c gjson.Result) ([]Request, error) {
	raw := base64.NewDecoder(base64.StdEncoding, strings.NewReader(c.Get("Content.Raw.Data").Str))
	message, err := mail.ReadMessage(raw)
	if err != nil {
		return nil, fmt.Errorf("read a raw mail: %w", err)
	}
	from, err := mail.ParseAddress(message.Header.Get("From"))
	if err != nil {
		return nil, fmt.Errorf("read the sender of a mail: %w", err)
	}
	identity, _ := template.IdentityOf(g.Identities, from.Address)
	sender := template.ARN("ses", "identity/"+cmp.Or(identity.Name, from.Address))
	all := []Request{{Action: "ses:SendRawEmail", Resource: sender}}
	if name := c.Get("ConfigurationSetName").Str; name != "" {
		set := template.ARN("ses", "configuration-set/"+name)
		all = append(all, Request{Action: "ses:SendRawEmail", Resource: set})
	}
	return all, nil
}
