// Package persona invents the people who hold accounts at the sandbox banks:
// who they are, which accounts they have, and what happens on those accounts
// day by day.
//
// Nothing is stored. Everything follows from the persona, the bank and the
// calendar: each day from Epoch on is played through in order, with rng that
// are seeded by persona, bank, day and activity alone. So a statement asked for
// tomorrow holds every row of today's, unchanged and in the same order, and
// some more; two processes never disagree; and the balance of an account is its
// opening balance plus its rows, to the cent.
//
// People, companies and brands are fictional.
package persona
