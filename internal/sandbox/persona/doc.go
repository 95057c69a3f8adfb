// Package persona simulates the people who hold accounts at the sandbox banks: who
// they are, which accounts they have, and what happens on them day by day.
//
// Nothing is stored. Everything follows from the persona, the bank and the calendar:
// the simulation runs through each day from Epoch on, with random numbers seeded only
// by persona, bank, day and activity. So tomorrow's statement contains every row of
// today's, unchanged and in the same order, and some more; two processes never
// disagree; and the balance of an account is exactly its opening balance plus its rows.
//
// People, companies and brands are fictional.
package persona
