// Package bankcheck walks through a bank's interface (consent, accounts, balances,
// transactions) for somebody who attaches the bank, with the code that a sync uses. It
// reports how the bank deviates from NextGenPSD2 XS2A, what Aviso makes of that, and which
// setting of the provider file answers it. Reports have no personal data: no numbers of
// accounts, names, amounts or texts.
package bankcheck
