// Package quirks has only tests: they play banks as they really are. A scenario in testdata
// says what a bank sends in consecutive fetches and what a user wants to see at the end; Bank
// speaks XS2A for it.
//
// testdata/bank-quirks.json was given to the project, with its format; the other files
// hold its own scenarios. They have three members more: country and profile are those of
// the provider, and bank_does has the members of Manner.
package quirks
