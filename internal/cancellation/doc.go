// Package cancellation is the area of contracts and their end: a catalogue of
// organizations with what can be cancelled there, the requests of users, and
// the way of each letter to the organization.
package cancellation
