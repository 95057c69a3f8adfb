// Package metric writes CloudWatch metrics as part of a log line, in the
// Embedded Metric Format: no calls, no agent.
package metric

import (
	"log/slog"
	"time"
)

// Namespace is that of all metrics.
const Namespace = "Aviso"

// Def names a member of the log line that is a metric, and its CloudWatch unit.
type Def struct {
	Name string `json:"Name"`
	Unit string `json:"Unit"`
}

type directive struct {
	Namespace  string     `json:"Namespace"`
	Dimensions [][]string `json:"Dimensions"`
	Metrics    []Def      `json:"Metrics"`
}

type metadata struct {
	Timestamp         int64       `json:"Timestamp"`
	CloudWatchMetrics []directive `json:"CloudWatchMetrics"`
}

// Environment is the member of every log line, and so the first dimension of
// every metric, that keeps the stacks of one account apart. The process's log
// has it; see bootstrap.SetUpLog.
const Environment = "Environment"

// EMF is the attribute that makes members of the same log line metrics. The
// dimensions, which Environment joins, are names of members too.
func EMF(at time.Time, dimensions []string, metrics ...Def) slog.Attr {
	return slog.Any("_aws", metadata{
		Timestamp: at.UnixMilli(),
		CloudWatchMetrics: []directive{{
			Namespace: Namespace, Dimensions: [][]string{append([]string{Environment}, dimensions...)}, Metrics: metrics,
		}},
	})
}

// Milliseconds is a duration in the unit of that name.
func Milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
