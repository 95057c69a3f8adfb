// Package observe has what all functions share for observability: trace IDs, metrics inside log lines, and types that
// keep secrets out of logs. It needs no calls and no agent.
package observe
