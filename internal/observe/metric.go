package observe

import (
	"log/slog"
	"time"
)

// Namespace is the namespace of all metrics.
const Namespace = "Aviso"

// Metric is one of the service's metrics: the name of the member of the log line that has
// its value. CloudWatch bills each combination of dimensions as a metric of its own, in every
// hour in which it gets a value. So a metric is declared here, with dimensions that have few
// values, and an alarm or the dashboard uses it. Everything else, such as the duration of
// a request, is a member of the line, which Logs Insights can group by any other.
type Metric string

// The metrics.
const (
	// Failures counts messages that a worker failed to process.
	Failures Metric = "Failures"
	// ServerErrors counts answers with 5xx.
	ServerErrors Metric = "ServerErrors"
	// VersionErrors counts them by service and version, for the alarm that stops a new version.
	VersionErrors Metric = "VersionErrors"
	// Throttles counts calls that DynamoDB refused because of its limits. Most succeed when
	// they are tried again.
	Throttles Metric = "Throttles"
	// FirstAttempt is for how many seconds the message of a new delivery had waited when
	// webhook-delivery read it first.
	FirstAttempt Metric = "FirstAttempt"
	// Exhausted counts deliveries whose last attempt has failed.
	Exhausted Metric = "Exhausted"
	// Repeated counts messages that housekeeping sent again, because nobody had done their
	// work in time.
	Repeated Metric = "Repeated"
	// DueLate is for how many seconds the oldest work that was due had waited when a run of
	// housekeeping began.
	DueLate Metric = "DueLate"
	// DeadLetters is how many messages are in the dead-letter queues.
	DeadLetters Metric = "DeadLetters"
	// LetterWait is how long a waiting letter has waited.
	LetterWait Metric = "LetterWait"
	// HandOver is how long a letter had waited when its carrier took it.
	HandOver Metric = "HandOver"
	// CertificateDaysLeft is how many days a client certificate for banks is still valid, or
	// that of the key of evidence.
	CertificateDaysLeft Metric = "CertificateDaysLeft"
)

// All returns all metrics.
func All() []Metric {
	return []Metric{
		Failures, ServerErrors, VersionErrors, Throttles, FirstAttempt, Exhausted, Repeated, DueLate, DeadLetters, LetterWait,
		HandOver, CertificateDaysLeft,
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

// Dimensions returns the members of the line that separate the metric's values.
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

// Stack is a member of every log line and the first dimension of every metric.
// It separates the stacks in one account. bootstrap.SetUpLog sets it.
const Stack = "Stack"

// EMF returns the attribute that turns members of the same log line into values of the metrics:
// CloudWatch's Embedded Metric Format. The line also needs a member for each of their dimensions.
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
