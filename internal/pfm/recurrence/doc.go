// Package recurrence tells which payments come again, how often, and which of
// them are subscriptions. Payments to or from one party in one currency form a
// Group. A group holds the latest payments and what is worth knowing of those
// before, so that it is small, can be stored, and is brought up to date by the
// rows that a sync adds, changes or removes, without reading years of history.
package recurrence
