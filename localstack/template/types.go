package template

import (
	"encoding/json"
	"time"
)

// Function is an AWS::Serverless::Function.
type Function struct {
	// ID is the logical id, BankSyncFunction.
	ID string
	// Name is the folder under functions/: bank-sync.
	Name        string
	Timeout     time.Duration
	MemoryMB    int
	Environment map[string]Value
	// Policies are all that the function may do to the stack's resources.
	Policies []Statement
	// AsyncRetries is how often a failed asynchronous call is tried again, 0 to
	// 2; FailureQueue is the logical id of the queue that gets an event given up,
	// empty for none.
	AsyncRetries int
	FailureQueue string
}

// Statement is one of a function's policies: what it may do to what. Only
// statements that allow are understood, since Aviso has no others.
type Statement struct {
	Actions   []string
	Resources []Value
	// Conditions must all hold.
	Conditions []Condition
}

// Condition restricts a statement: the values that the request has for Key are
// among Values, in the way of Operator (ForAllValues:StringLike).
type Condition struct {
	Operator, Key string
	Values        []string
}

// Route sends the requests of a method and a path to a function.
type Route struct {
	// Method is upper case; ANY stands for every method.
	Method string
	// Path has {name} for one segment and {name+} for the rest. It is $default
	// for the route that takes what no other does.
	Path     string
	Function string
}

// StreamMapping feeds a function from a table's stream.
type StreamMapping struct {
	Function string
	Table    string
	// Latest starts at the stream's end; else it starts at its oldest record.
	Latest          bool
	BatchSize       int
	Bisect          bool
	ReportsFailures bool
	MaximumRetries  int // -1: for ever
	// FailureQueue is the logical id of the queue that is told of batches given
	// up; empty for none.
	FailureQueue string
	// Filters are event patterns, one of which a record must match.
	Filters []json.RawMessage
}

// QueueMapping feeds a function from a queue.
type QueueMapping struct {
	Function        string
	Queue           string
	BatchSize       int
	ReportsFailures bool
	// MaximumConcurrency is 0 where the template sets no bound.
	MaximumConcurrency int
}

// Schedule calls a function by the clock: one of EventBridge Scheduler.
type Schedule struct {
	Name     string
	Function string
	Every    time.Duration
	// Input replaces the scheduled event where the template gives one.
	Input string
}

// Rule sends the events of the default bus that match Pattern to a function.
type Rule struct {
	Name     string
	Function string
	Pattern  json.RawMessage
}

// Key names the attributes of a primary key; Range may be empty.
type Key struct {
	Hash, Range string
}

// Index is a secondary index.
type Index struct {
	Name       string
	Key        Key
	Projection string
	NonKey     []string
}

// Table is an AWS::DynamoDB::Table.
type Table struct {
	ID string
	// Attributes gives the type (S, N or B) of every key attribute.
	Attributes    map[string]string
	Key           Key
	LocalIndexes  []Index
	GlobalIndexes []Index
	// Stream is the view type, empty without a stream.
	Stream string
	// TTL is the attribute that ends an item's life, empty for none.
	TTL string
}

// Queue is an AWS::SQS::Queue.
type Queue struct {
	ID                string
	Delay             time.Duration
	VisibilityTimeout time.Duration
	Retention         time.Duration
	ReceiveWait       time.Duration
	// DeadLetters is the logical id of the queue that takes what was received
	// MaxReceives times; empty for none.
	DeadLetters string
	MaxReceives int
}

// Secret is an AWS::SecretsManager::Secret.
type Secret struct {
	ID string
	// Text is the fixed value; Generate, when set, asks for a random one.
	Text     string
	Generate *Generate
}

// Generate says how a secret's random value is made.
type Generate struct {
	// Template is a JSON object that gets the random text under the name Key;
	// without them the secret is the random text alone.
	Template string
	Key      string
	Length   int
	// Alphabet holds the characters to choose from.
	Alphabet string
}

// ConfigurationSet is an AWS::SES::ConfigurationSet with its event destinations.
type ConfigurationSet struct {
	ID   string
	Name string
	// Events are the types of events that go to the default bus: SEND, BOUNCE.
	Events []string
}

// EmailIdentity is an AWS::SES::EmailIdentity.
type EmailIdentity struct {
	ID string
	// Name is an e-mail address or a domain.
	Name string
	// ConfigurationSet is the name of the one that mail of this identity has
	// where it names none; empty for none.
	ConfigurationSet string
}
