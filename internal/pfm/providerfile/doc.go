// Package providerfile reads the file from which bank providers are imported, and
// refuses it as a whole when anything in it is not valid, naming every fault.
//
// A file is JSON Lines, in UTF-8, plain or compressed with gzip: one provider a
// line, blank lines aside.
//
//	{"id":"0f8b9d52-6f1c-4d55-9a52-3f1f0a3c7b10","countryCode":"DE","name":"Nordlicht Bank",
//	  "logoUrl":"https://bank.example/logo.svg","status":"Active",
//	  "supportedAccountTypes":["CurrentAccount","SavingAccount"],"timezone":"Europe/Berlin",
//	  "refreshTimeoutMinutes":360,"maxConsentDays":180,"regulated":true,"maxFetchInterval":90,
//	  "endpoint":{"baseUrl":"https://xs2a.bank.example/berlin"}}
//
// (A provider is broken here for reading; in a file it is one line.) Optional are
// automaticFetch, a boolean, and meta, further text by name. Account types are those
// of package pfm, status is Active, Inactive or Disabled. The country, the time zone
// and the addresses must be such as there are. The id stays a bank's for ever:
// connections point to it.
//
// The endpoint's baseUrl is the address before /v1, without a slash at the end. Its
// transportSecret and sealSecret, each where the bank asks for it, are the names of
// the secrets with our certificates (pfm.BankEndpoint). baseUrl and logoUrl are https
// addresses; http is let through only where a reader is told so, which is where
// sandboxes are.
package providerfile
