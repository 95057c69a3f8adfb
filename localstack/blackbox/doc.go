// Package blackbox tests the service from outside, as a partner and a user see
// it: over HTTP, with every answer held against docs/openapi.yaml. It starts the
// local stack for itself, or tests the one that is named to it:
//
//	BASE_URL      its address; what follows counts only with it
//	DATA_DIR      its data folder, which holds the addresses of the inbox, of
//	              Lambda's API and of DynamoDB; some tests fail without
//	RETRY_DELAYS  1s,2s: what it was started with, too
//	GATEWAY       sam-local where its API is sam local's, which refuses by itself
//	              some requests that API Gateway passes on
package blackbox
