// Package pfm is the personal finance management area. It has what its rooms share: bank providers,
// the port to banks, accounts and categories. A room imports only those before it:
//
//   - transaction reads a bank's rows, keeps them apart, and sums them up;
//   - contract finds and watches recurring payments;
//   - connection connects users with their banks and syncs both.
//
// HTTP is in pfmapi, DynamoDB in pfmdb, and the banks' protocols in xs2a and enablebanking.
package pfm

import "time"

// Page is a page of a list, and the position of the next page.
type Page[T any] struct {
	Items []T
	Next  string
}

// Event notifies partners of a change to a connection. It is stored together with the
// change.
type Event struct {
	Type string
	At   time.Time
	// Data marshals to the JSON object that the type's schema describes.
	Data any
}
