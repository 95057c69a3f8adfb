// Package pfm is the personal finance management area: bank providers, the
// connections between users and their banks, and the accounts and transactions read
// through them. It has the area's types, rules and services, and the small interfaces
// that they need. HTTP is in pfmapi, DynamoDB in pfmdb, and the banks' protocol in xs2a.
package pfm
