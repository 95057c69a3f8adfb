// Package pfm is the personal finance management area: bank providers, the
// connections that users make to their banks, and the accounts and transactions
// read through them. It holds the area's types, rules and services, and the
// small interfaces that it needs; HTTP is in pfmapi, DynamoDB in pfmdb, the
// banks' protocol in xs2a.
package pfm
