// Package webhookbench measures the delivery of webhooks on this machine (make
// bench ONLY=webhooks): the whole way from publishing to arrival, with the functions in a process of
// their own, and the worker of webhook-delivery alone, with store and queue in memory.
package webhookbench
