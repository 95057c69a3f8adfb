// Package metric writes CloudWatch metrics as part of a log line, in the Embedded
// Metric Format, which needs no calls and no agent.
package metric

import (
	"log/slog"
	"time"
)

// Namespace is the namespace of all metrics.
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

// Environment is a member of every log line and the first dimension of every metric.
// It separates the stacks in one account. bootstrap.SetUpLog sets it.
const Environment = "Environment"

// EMF returns the attribute that turns members of the same log line into metrics.
// The dimensions are names of members too; EMF adds Environment.
func EMF(at time.Time, dimensions []string, metrics ...Def) slog.Attr {
	return slog.Any("_aws", metadata{
		Timestamp: at.UnixMilli(),
		CloudWatchMetrics: []directive{{
			Namespace: Namespace, Metrics: metrics,
			Dimensions: [][]string{append([]string{Environment}, dimensions...)},
		}},
	})
}

// Milliseconds returns d in milliseconds.
func Milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
