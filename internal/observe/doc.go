// Package observe is what all functions share to be observed: trace IDs, metrics as part of log
// lines, and types that keep secrets out of them. It needs no calls and no agent.
package observe
