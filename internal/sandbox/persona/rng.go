package persona

import "hash/fnv"

// rng is a small deterministic generator (splitmix64). It is implemented here because
// histories must be the same with every version of Go, which the standard library does
// not promise for values derived from its generators.
type rng struct{ state uint64 }

// seed hashes texts to a seed for an rng.
func seed(parts ...string) uint64 {
	h := fnv.New64a()
	for _, p := range parts {
		_, _ = h.Write([]byte(p)) // a hash never fails to write
		_, _ = h.Write([]byte{0})
	}
	return h.Sum64()
}

func (d *rng) next() uint64 {
	d.state += 0x9e3779b97f4a7c15
	z := d.state
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return z ^ (z >> 31)
}

// intn returns a number from 0 to n-1.
func (d *rng) intn(n int) int { return int(d.next() % uint64(n)) }

// chance returns true with a probability of p per cent.
func (d *rng) chance(p int) bool { return d.intn(100) < p }

// between returns an amount from lo to hi, both included.
func (d *rng) between(lo, hi Cents) Cents { return lo + Cents(d.intn(int(hi-lo)+1)) }

// digits returns n digits.
func (d *rng) digits(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte('0' + d.intn(10))
	}
	return string(b)
}

func choose[T any](d *rng, from []T) T { return from[d.intn(len(from))] }
