// Package cancellation cancels users' contracts. It has a catalogue of
// organizations and their products, the users' cancellation requests, and the
// delivery of each letter to the organization.
package cancellation
