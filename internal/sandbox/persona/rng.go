package persona

import "hash/fnv"

// rng is a small deterministic generator (splitmix64). It is personaRecord out here
// because histories must come out the same with every version of Go, which the
// standard library's generators do not promise for their derived values.
type rng struct{ state uint64 }

// seed turns texts into a starting point for rng.
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

// below is one of 0 … n-1.
func (d *rng) intn(n int) int { return int(d.next() % uint64(n)) }

// percent is true p times in a hundred.
func (d *rng) chance(p int) bool { return d.intn(100) < p }

// between is an amount from lo to hi, both included.
func (d *rng) between(lo, hi Cents) Cents { return lo + Cents(d.intn(int(hi-lo)+1)) }

// digits is a number of n digits as text.
func (d *rng) digits(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte('0' + d.intn(10))
	}
	return string(b)
}

func choose[T any](d *rng, from []T) T { return from[d.intn(len(from))] }
