// Package notification is the webhooks area: the subscriptions of partners, the
// types of events, and the delivery of each event to each subscription.
package notification
