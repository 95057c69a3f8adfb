// Package recurrence finds recurring payments, how often they recur, and which of
// them are subscriptions. Payments to or from one party in one currency form a
// Group. A group holds the latest payments and a summary of earlier ones. So it is
// small enough to be stored, and the rows that a sync adds, changes or removes are
// enough to update it, without reading years of history.
package recurrence
