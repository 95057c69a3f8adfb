// Package pfm is the personal finance management area. It has what its rooms share: bank providers,
// the port to banks, accounts and categories. A room imports only those before it:
//
//   - transaction reads a bank's rows, keeps them apart, and sums them up;
//   - contract finds and watches recurring payments;
//   - connection connects users with their banks and syncs both.
//
// HTTP is in pfmapi, DynamoDB in pfmdb, and the banks' protocols in xs2a and enablebanking.
package pfm
