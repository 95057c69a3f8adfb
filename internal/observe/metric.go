package observe

import (
	"log/slog"
	"time"
)

// Namespace is the namespace of all metrics.
const Namespace = "Aviso"

// Metric is a metric of the service: the name of the log member with its value. CloudWatch bills each combination of
// dimensions as its own metric, for every hour with a value. So every metric is declared here, its dimensions have
// few values, and an alarm or the dashboard uses it. Everything else, such as the duration of a request, is an
// ordinary log member that Logs Insights can group.
type Metric string

// The metrics.
const (
	// Failures counts messages whose processing failed.
	Failures Metric = "Failures"
	// ServerErrors counts answers with 5xx.
	ServerErrors Metric = "ServerErrors"
	// VersionErrors counts 5xx answers by service and version, for the alarm that stops a new version.
	VersionErrors Metric = "VersionErrors"
	// Throttles counts calls that DynamoDB refused because of its limits. Most succeed on retry.
	Throttles Metric = "Throttles"
	// FirstAttempt is how many seconds a new delivery had waited when webhook-delivery first read its message.
	FirstAttempt Metric = "FirstAttempt"
	// Exhausted counts deliveries whose last attempt failed.
	Exhausted Metric = "Exhausted"
	// Repeated counts messages that housekeeping sent again because their work was not done in time.
	Repeated Metric = "Repeated"
	// DueLate is how many seconds the oldest due work had waited when a housekeeping run began.
	DueLate Metric = "DueLate"
	// DeadLetters is how many messages are in the dead-letter queues.
	DeadLetters Metric = "DeadLetters"
	// LetterWait is how long a waiting letter has waited.
	LetterWait Metric = "LetterWait"
	// HandOver is how long a letter had waited when its carrier took it.
	HandOver Metric = "HandOver"
	// Bypassed counts requests without CloudFront's secret, if the stack has CloudFront in front.
	Bypassed Metric = "Bypassed"
	// MailsDropped counts mails of organizations that were not read, because nobody waits for them or they are unwanted.
	MailsDropped Metric = "MailsDropped"
	// CertificateDaysLeft is how many days a bank client certificate or the evidence key's certificate is still valid.
	CertificateDaysLeft Metric = "CertificateDaysLeft"
)

// All returns all metrics.
func All() []Metric {
	return []Metric{
		Failures, ServerErrors, VersionErrors, Throttles, FirstAttempt, Exhausted, Repeated, DueLate, DeadLetters, LetterWait,
		HandOver, Bypassed, MailsDropped, CertificateDaysLeft,
	}
}

// Unit returns the metric's unit in CloudWatch.
func (m Metric) Unit() string {
	switch m {
	case FirstAttempt, DueLate, LetterWait, HandOver:
		return "Seconds"
	default:
		return "Count"
	}
}

// Dimensions returns the log members that separate the metric's values.
func (m Metric) Dimensions() []string {
	switch m {
	case CertificateDaysLeft:
		return []string{Stack, "Certificate"}
	case VersionErrors:
		return []string{Stack, "Service", "Version"}
	default:
		return []string{Stack}
	}
}

// Stack is a member of every log line and the first dimension of every metric. It separates the stacks in one
// account. bootstrap.SetUpLog sets it.
const Stack = "Stack"

// EMF returns the attribute that turns members of the log line into metric values: CloudWatch's Embedded Metric
// Format. The line must also have a member for each dimension.
func EMF(at time.Time, metrics ...Metric) slog.Attr {
	directives := make([]map[string]any, 0, len(metrics))
	for _, m := range metrics {
		directives = append(directives, map[string]any{
			"Namespace": Namespace, "Dimensions": [][]string{m.Dimensions()},
			"Metrics": []map[string]string{{"Name": string(m), "Unit": m.Unit()}},
		})
	}
	return slog.Any("_aws", map[string]any{"Timestamp": at.UnixMilli(), "CloudWatchMetrics": directives})
}

// Milliseconds returns d in milliseconds.
func Milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
