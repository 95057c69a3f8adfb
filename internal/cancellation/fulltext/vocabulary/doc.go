// Package vocabulary is the words of which names are made. It cuts text into
// words that compare equal however they are written, and finds words in a list:
// whole, by a beginning, or with a typo.
package vocabulary
