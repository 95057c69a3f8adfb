// Package webhookbench measures the delivery of webhooks on this machine (make
// bench-webhooks). The code of outbox-relay and webhook-delivery sends events to receivers
// on loopback over HTTP, with a new connection for each. The store and the queue are in
// memory, so that only the service is measured and not the emulators.
package webhookbench
