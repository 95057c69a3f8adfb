// Package iam is a proxy between the local stack's functions and its AWS services. It
// allows only what a function's policies in template.yaml allow, so a permission missing
// there is also missing locally. It supports the part of IAM that these policies use.
package iam

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"net/mail"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/match"

	"aviso/localstack/template"
)

// Proxy passes calls on to a service if the caller's policies allow them. The access key
// that signed a call is the caller: the function's name.
type Proxy struct {
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

// To returns a handler that passes calls on to the service at upstream.
func (p *Proxy) To(upstream string) (http.Handler, error) {
	target, err := url.Parse(upstream)
	if err != nil {
		return nil, fmt.Errorf("address of a service: %w", err)
	}
	onward := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			// DynamoDB Local wants access keys of letters and digits, as AWS makes them. No emulator
			// checks signatures.
			r.Out.Header.Set("Authorization", credential.ReplaceAllStringFunc(r.In.Header.Get("Authorization"),
				func(name string) string { return strings.ReplaceAll(name, "-", "") }))
		},
		// As many as the functions keep open.
		Transport:    &http.Transport{MaxIdleConnsPerHost: 256},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the caller has gone
		}
		if reason := p.refuse(r, body); reason != "" {
			p.Denied(reason)
			w.Header().Set("Content-Type", "application/x-amz-json-1.0")
			w.Header().Set("X-Amzn-Errortype", "AccessDeniedException")
			w.WriteHeader(http.StatusForbidden)
			_ = json.NewEncoder(w).Encode(map[string]string{"__type": "AccessDeniedException", "message": reason})
			return
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		onward.ServeHTTP(w, r)
	}), nil
}

// refuse returns why a call is denied, or "" if it is allowed.
func (p *Proxy) refuse(r *http.Request, body []byte) string {
	m := credential.FindStringSubmatch(r.Header.Get("Authorization"))
	if m == nil {
		return "the call is not signed"
	}
	statements, known := p.Policies[m[1]]
	if !known {
		return "there is no function " + strconv.Quote(m[1])
	}
	requests, err := p.Requests(r, body)
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
	// LeadingKeys are the partition keys that a request to DynamoDB accesses, for conditions.
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

// value is an attribute value; the keys of the stack's tables are always strings.
type value struct{ S string }

// access is what a DynamoDB action says about the items it accesses.
type access struct {
	TableName, IndexName      string
	Key, Item                 map[string]value
	Keys                      []map[string]value
	KeyConditionExpression    string
	ExpressionAttributeNames  map[string]string
	ExpressionAttributeValues map[string]value
}

// call has the members of calls to any service that matter here.
type call struct {
	access
	RequestItems         map[string]json.RawMessage
	TransactItems        []map[string]access
	QueueUrl, SecretId   string //nolint:revive // as AWS spells them
	ConfigurationSetName string
	Content              struct{ Raw struct{ Data []byte } }
}

// Requests returns the actions that a call needs; a transaction needs several. An
// unsupported call is an error.
func (p *Proxy) Requests(r *http.Request, body []byte) (all []Request, err error) {
	service, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	var c call
	if err := json.Unmarshal(body, &c); err != nil {
		return nil, fmt.Errorf("read %s: %w", operation, err)
	}
	switch {
	case strings.HasPrefix(service, "DynamoDB_"):
		return p.dynamoDB(operation, c)
	case service == "AmazonSQS":
		// A batch needs the same permission as the single action.
		action := "sqs:" + strings.TrimSuffix(operation, "Batch")
		return []Request{{Action: action, Resource: template.ARN("sqs", path.Base(c.QueueUrl))}}, nil
	case service == "secretsmanager":
		secret := c.SecretId
		if !strings.HasPrefix(secret, "arn:") {
			secret = template.ARN("secretsmanager", "secret:"+secret+"-000000")
		}
		return []Request{{Action: "secretsmanager:" + operation, Resource: secret}}, nil
	case service == "" && r.Method == http.MethodPost && r.URL.Path == "/v2/email/outbound-emails":
		return p.mail(c)
	}
	return nil, fmt.Errorf("the local stack does not know which permissions %s %s %s needs",
		r.Method, r.URL.Path, operation)
}

func (p *Proxy) dynamoDB(operation string, c call) (all []Request, err error) {
	for table, items := range c.RequestItems {
		to := access{TableName: table}
		if operation == "BatchGetItem" {
			if err := json.Unmarshal(items, &to); err != nil {
				return nil, fmt.Errorf("read %s: %w", operation, err)
			}
		}
		all = append(all, p.one(operation, to))
	}
	// A transaction needs the permissions of its parts: Put is PutItem, and so on.
	for _, item := range c.TransactItems {
		for part, to := range item {
			all = append(all, p.one(part+"Item", to))
		}
	}
	if len(all) == 0 {
		all = append(all, p.one(operation, c.access))
	}
	return all, nil
}

func (p *Proxy) one(operation string, to access) Request {
	resource := "table/" + to.TableName
	if to.IndexName != "" {
		resource += "/index/" + to.IndexName
	}
	r := Request{Action: "dynamodb:" + operation, Resource: template.ARN("dynamodb", resource)}
	hash := p.PartitionKeys[to.TableName]
	for _, where := range append(slices.Clone(to.Keys), to.Key, to.Item) {
		if key, ok := where[hash]; ok {
			r.LeadingKeys = append(r.LeadingKeys, key.S)
		}
	}
	if to.KeyConditionExpression != "" {
		r.LeadingKeys = append(r.LeadingKeys, to.partition(hash))
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

func (p *Proxy) mail(c call) ([]Request, error) {
	message, err := mail.ReadMessage(bytes.NewReader(c.Content.Raw.Data))
	if err != nil {
		return nil, fmt.Errorf("read a raw mail: %w", err)
	}
	from, err := mail.ParseAddress(message.Header.Get("From"))
	if err != nil {
		return nil, fmt.Errorf("read the sender of a mail: %w", err)
	}
	identity, _ := template.IdentityOf(p.Identities, from.Address)
	sender := template.ARN("ses", "identity/"+cmp.Or(identity.Name, from.Address))
	all := []Request{{Action: "ses:SendRawEmail", Resource: sender}}
	if c.ConfigurationSetName != "" {
		set := template.ARN("ses", "configuration-set/"+c.ConfigurationSetName)
		all = append(all, Request{Action: "ses:SendRawEmail", Resource: set})
	}
	return all, nil
}
