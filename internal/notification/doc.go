// Package notification is the area of webhooks: subscriptions of partners, the
// events they are told of, and the way of each event to each subscription.
package notification
