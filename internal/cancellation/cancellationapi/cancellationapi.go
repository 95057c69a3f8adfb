// Package cancellationapi is the HTTP side of the cancellation area.
package cancellationapi

// The prefix of the area's operations.
const prefix = "/cancellations/v1"
