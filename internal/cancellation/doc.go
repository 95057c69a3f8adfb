// Package cancellation has what the rooms of its area share: the record of a cancellation
// with its states, history and events, what letters say, and the channels that they go by.
// The rooms are catalogue, request, objection and dispatch.
package cancellation
