// Package receivers holds the examples for partners below docs/examples to what
// docs/webhooks.md says of receivers: it starts each and posts callbacks to it.
package receivers
