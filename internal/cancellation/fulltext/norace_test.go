//go:build !race

package fulltext_test

// raceDetector tells that memory is several times what it is without.
const raceDetector = false
