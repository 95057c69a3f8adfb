// Package letter writes letters of cancellation: a page of A4 as a person would
// send it, in the sender's language and after the customs of their country, and
// the e-mail that it is attached to.
//
// The page follows DIN 5008, form B: the recipient shows in the window of an
// envelope that is folded at the marks. What does not fit one page goes on to
// the next; nothing is cut. The same letter gives the same bytes.
//
// The words are in one file for each language (german.go and so on) and are
// nowhere else.
package letter
