// Package webhookbench measures the delivery of webhooks on this machine (make
// bench ONLY=webhooks): what a partner gets from the stack that make run starts, and the worker of
// webhook-delivery alone, with store and queue in memory.
package webhookbench
