package host

import (
	"fmt"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"aviso/localstack/statefile"
)

// positions is how far a function has read a stream. It is stored in a file, so that the
// next run continues where the last one stopped.
type positions struct {
	path  string
	mu    sync.Mutex
	state positionState
}

type positionState struct {
	Stream string              `json:"stream"`
	Shards map[string]position `json:"shards"`
}

type position struct {
	// After is the sequence number of the last record that is done.
	After string `json:"after,omitempty"`
	// Latest starts at the end of the shard, as long as no record is done.
	Latest bool `json:"latest,omitempty"`
	// Finished is true once the shard is closed and read to its end.
	Finished bool `json:"finished,omitempty"`
}

func openPositions(path string) (*positions, error) {
	p := &positions{path: path}
	if err := statefile.Read(path, &p.state); err != nil {
		return nil, fmt.Errorf("read the stream position: %w", err)
	}
	return p, nil
}

// attach sets the stream and its shards. A different stream starts over, and positions of
// shards that are gone are dropped.
func (p *positions) attach(stream string, shards []types.Shard, latest bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fresh := p.state.Stream != stream
	before := p.state.Shards
	if fresh {
		before = nil
	}
	p.state = positionState{Stream: stream, Shards: map[string]position{}}
	for _, shard := range shards {
		id := aws.ToString(shard.ShardId)
		known, ok := before[id]
		if !ok {
			// Shards that appear later continue others, so they are read from the start.
			known.Latest = fresh && latest
		}
		p.state.Shards[id] = known
	}
}

// ready reports whether a shard is not finished but its parent is.
func (p *positions) ready(shard types.Shard) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state.Shards[aws.ToString(shard.ShardId)].Finished {
		return false
	}
	parent, listed := p.state.Shards[aws.ToString(shard.ParentShardId)]
	return !listed || parent.Finished
}

// from returns where to continue in a shard.
func (p *positions) from(shard string) (types.ShardIteratorType, *string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch at := p.state.Shards[shard]; {
	case at.After != "":
		return types.ShardIteratorTypeAfterSequenceNumber, &at.After
	case at.Latest:
		return types.ShardIteratorTypeLatest, nil
	default:
		return types.ShardIteratorTypeTrimHorizon, nil
	}
}

func (p *positions) advance(shard, sequence string) error {
	return p.set(shard, position{After: sequence})
}

func (p *positions) finish(shard string) error { return p.set(shard, position{Finished: true}) }

func (p *positions) set(shard string, at position) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state.Shards[shard] = at
	return statefile.Write(p.path, p.state)
}
