// Package letter writes letters of cancellation: an A4 page as a person would send it,
// in the sender's language and following the customs of their country, and the e-mail
// that the letter is attached to.
//
// The page follows DIN 5008, form B: the recipient shows in the window of an envelope
// when the page is folded at its marks. What does not fit on one page continues on the
// next; nothing is cut off. The same input gives the same bytes.
//
// All wording is in one file per language (german.go and so on) and nowhere else.
//
// It also writes the summary of evidence, with the same sheet. The summary's wording is in
// summary/, by language, and what differs in a locale in a file of its own.
package letter
