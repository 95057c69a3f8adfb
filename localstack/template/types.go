package template

import (
	"encoding/json"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// Template has a stack's resources, with parameters and conditions applied. Resources whose condition is false are
// left out. Every list is in the template's order.
type Template struct {
	Functions         []Function
	Routes            []Route
	Streams           []StreamMapping
	QueueMappings     []QueueMapping
	LogSubscriptions  []LogSubscription
	Schedules         []Schedule
	Rules             []Rule
	Tables            []Table
	Queues            []Queue
	Secrets           []Secret
	ConfigurationSets []ConfigurationSet
	EmailIdentities   []EmailIdentity
	Parameters        map[string]string
	// Has has the logical IDs of all resources, even of those that the local stack ignores.
	Has map[string]bool
}

// Function is an AWS::Serverless::Function.
type Function struct {
	// ID is the logical ID, such as BankSyncFunction.
	ID string
	// Name is the folder in functions/, such as bank-sync.
	Name        string
	Timeout     time.Duration
	MemoryMB    int
	Environment map[string]Value
	// Policies are the permissions of the function's role.
	Policies []Statement
	role     string // logical ID
	// LogGroup is the logical ID of the log group with the function's lines, or "".
	LogGroup string
	// AsyncRetries is how often a failed asynchronous call is retried, 0 to 2. After
	// that the event goes to FailureQueue, a logical ID or "".
	AsyncRetries int
	FailureQueue string
}

// Statement is a statement of a role's policies. All statements allow; Aviso has no others.
type Statement struct {
	Actions []string
	// Resources are ARNs, in which * matches any text.
	Resources []Value
	// LeadingKeys, if not nil, are the partition keys that a request to DynamoDB may access; * matches any text. The
	// template has no other conditions on requests.
	LeadingKeys []string
}

// Route sends the requests with a method and a path to a function.
type Route struct {
	// Method is in upper case; ANY matches every method.
	Method string
	// Path has {name} for one segment and {name+} for the rest. $default is the route for requests without another
	// route.
	Path     string
	Function string
}

// StreamMapping passes the records of a table's stream to a function.
type StreamMapping struct {
	Function  string `json:"-"`
	Table     string `json:"-"`
	BatchSize int
	// Window is the maximum time in seconds to gather records for a batch.
	Window int `json:"MaximumBatchingWindowInSeconds"`
	// Parallelization has no effect locally: a shard's batches are processed one at a time.
	Parallelization int  `json:"ParallelizationFactor"`
	Bisect          bool `json:"BisectBatchOnFunctionError"`
	ReportsFailures bool `json:"-"`
	MaximumRetries  int  `json:"MaximumRetryAttempts"` // -1: forever
	// FailureQueue is the logical ID of the queue for batches that failed for good, or "".
	FailureQueue string `json:"-"`
	// Filters are event patterns. If there are any, a record must match one of them.
	Filters []json.RawMessage `json:"-"`
}

// QueueMapping passes the messages of a queue to a function.
type QueueMapping struct {
	Function        string
	Queue           string
	BatchSize       int
	ReportsFailures bool
	// MaximumConcurrency is 0 if the template sets no limit.
	MaximumConcurrency int
}

// LogSubscription passes the lines of a log group that match Pattern to a function.
type LogSubscription struct {
	Name     string
	Function string
	// LogGroup is a logical ID, GroupName the group's name.
	LogGroup, GroupName string
	Pattern             string
}

// Schedule is an EventBridge Scheduler schedule that calls a function.
type Schedule struct {
	Name     string
	Function string
	Every    time.Duration
	// Input, if not empty, replaces the scheduled event.
	Input string
}

// Rule sends the events of the default bus that match Pattern to a function.
type Rule struct {
	Name     string
	Function string
	Pattern  json.RawMessage
}

// Table is an AWS::DynamoDB::Table.
type Table struct {
	ID string
	// Definition is the request that creates the table, without its name.
	Definition dynamodb.CreateTableInput
	// TTL is the time-to-live attribute, or "".
	TTL string
}

// Queue is an AWS::SQS::Queue.
type Queue struct {
	ID                string
	VisibilityTimeout time.Duration
	Retention         time.Duration
	// DeadLetters is the logical ID of the queue for messages that were received MaxReceives times, or "".
	DeadLetters string
	MaxReceives int
	// Delay is the wait of a message that names none, from 0 to 15 minutes.
	Delay time.Duration
}

// Secret is an AWS::SecretsManager::Secret.
type Secret struct {
	ID       string
	Generate Generate
}

// MaxSecret is the maximum length of a secret's random text.
const MaxSecret = 64

// Generate says how to generate a secret's random value, of letters and digits.
type Generate struct {
	// Template is a JSON object to which the random text is added as the member Key. If
	// both are empty, the secret is just the random text.
	Template string `json:"SecretStringTemplate"`
	Key      string `json:"GenerateStringKey"`
	Length   int    `json:"PasswordLength"`
}

// ConfigurationSet is an AWS::SES::ConfigurationSet, with its event destinations.
type ConfigurationSet struct {
	ID   string
	Name string
	// Events are the types of events that go to the default bus, such as BOUNCE.
	Events []string
}

// EmailIdentity is an AWS::SES::EmailIdentity.
type EmailIdentity struct {
	ID string
	// Name is an e-mail address or a domain.
	Name string
	// ConfigurationSet is the name of the default set for mail of this identity, or "".
	ConfigurationSet string
}
