// Package conformance holds the sandbox bank's answers against the OpenAPI
// document of the standard. It has tests only.
package conformance
