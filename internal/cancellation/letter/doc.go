// Package letter writes letters of cancellation: an A4 page as a person would send it, in the sender's language and
// following the customs of their country, and the e-mail with the letter attached.
//
// The page follows DIN 5008, form B: if it is folded at its marks, the recipient shows in the window of an envelope.
// Text that does not fit on one page continues on the next; nothing is cut off. French letters have the recipient on
// the right, like French envelopes (NF Z 11-001). The same input gives the same bytes.
//
// All wording is in words/, in one file per language, and nowhere else. The differences of a locale are at the end of
// its language's file. No-break spaces are written as \u00a0.
//
// The package also writes the summary of evidence, with the same sheet.
package letter
