package api

import (
	"encoding/base64"
	"encoding/binary"
	"slices"
	"sync"
)

// base64Pairs are the two characters of base64 that every twelve bits become, in
// the order in which they are stored.
var base64Pairs = sync.OnceValue(func() *[1 << 12]uint16 { //nolint:gochecknoglobals // never changes; worked out when it is first needed
	var pairs [1 << 12]uint16
	for bits := range pairs {
		three := base64.StdEncoding.AppendEncode(nil, []byte{byte(bits >> 4), byte(bits << 4), 0})
		pairs[bits] = binary.LittleEndian.Uint16(three)
	}
	return &pairs
})

// appendBase64 does what base64.StdEncoding.AppendEncode does, six bytes at a
// time, which takes a third of the instructions.
func appendBase64(out, src []byte) []byte {
	const read, used, written = 8, 6, 8
	pairs := base64Pairs()
	size := base64.StdEncoding.EncodedLen(len(src))
	out = slices.Grow(out, size)[:len(out)+size]
	dst := out[len(out)-size:]
	for len(src) >= read && len(dst) >= written {
		bits := binary.BigEndian.Uint64(src)
		binary.LittleEndian.PutUint64(dst, uint64(pairs[bits>>52])|uint64(pairs[bits>>40&0xfff])<<16|
			uint64(pairs[bits>>28&0xfff])<<32|uint64(pairs[bits>>16&0xfff])<<48)
		src, dst = src[used:], dst[written:]
	}
	base64.StdEncoding.Encode(dst, src)
	return out
}
