package pfmdb

import (
	"context"
	"time"

	"aviso/internal/dynamo"
)

// pace is how fast rows are written. The zero value is without a limit.
type pace struct {
	// unpaced is how many rows are written at once, and perSecond how many after them.
	unpaced, perSecond int
}

// PaceRows makes SaveRows write a large history no faster than DynamoDB takes it. A user's
// rows with their local indexes are in one partition, which takes 1,000 units a second. A
// new row takes seven (docs/scale.md), and other users of the partition need some, too. The
// first rows, as many as most histories have, do not wait, because the user does: they
// take a tenth of what a partition saves up in five quiet minutes.
func (s *Store) PaceRows() { s.pace = pace{unpaced: 3000, perSecond: 130} }

// before returns how long to wait before n rows when this many have been written.
func (p pace) before(written, n int) time.Duration {
	paced := written + n - max(p.unpaced, written)
	if p.perSecond == 0 || paced <= 0 {
		return 0
	}
	return time.Duration(paced) * time.Second / time.Duration(p.perSecond)
}

// longestPause is the try after which pauses no longer grow: 2.6 s at most.
const longestPause = 8

// untilTaken writes until DynamoDB takes it or ctx ends.
func untilTaken(ctx context.Context, write func() error) error {
	for try := 1; ; try++ {
		err := write()
		if !dynamo.Throttled(err) || pause(ctx, min(try, longestPause)) != nil {
			return err
		}
	}
}
