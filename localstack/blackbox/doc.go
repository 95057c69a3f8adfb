// Package blackbox tests the service from outside, as a partner and a user see
// it: over HTTP, with every answer held against docs/openapi.yaml. It starts the
// local stack for itself, or tests the service at BASE_URL when that is set.
package blackbox
