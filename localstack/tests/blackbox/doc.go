// Package blackbox tests the service from outside, as a partner and a user see
// it: over HTTP, with every response checked against docs/openapi.yaml. It starts its own
// local stack, or tests another one:
//
//	BASE_URL      its address; the variables below need it
//	DATA_DIR      its data folder, which holds the addresses of the inbox, of
//	              Lambda's API and of DynamoDB; some tests fail without it
//	RETRY_DELAYS  1s,2s: the value that it was started with
//	GATEWAY       sam-local if its API runs on sam local, which itself rejects
//	              some requests that API Gateway passes on
package blackbox
