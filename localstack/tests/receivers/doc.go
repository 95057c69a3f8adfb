// Package receivers tests that the example receivers in docs/examples do what
// docs/webhooks.md says: it starts each of them and posts callbacks to it.
package receivers
