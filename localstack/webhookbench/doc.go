// Package webhookbench measures the delivery of webhooks on this machine: make
// bench-webhooks. Events go by the code of outbox-relay and webhook-delivery to
// receivers on loopback, over HTTP, each over a connection of its own. The store
// and the queue are in memory, so that the service is measured and no emulator.
package webhookbench
