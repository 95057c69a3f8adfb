package host

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"aviso/internal/clock"
	"aviso/localstack/template"
)

const (
	// soon is the pause after reading to the current end of a shard. It doubles up to readEvery
	// until there is a record. The end of a function's call, which may have written one, cuts it short.
	soon, readEvery = 5 * time.Millisecond, 200 * time.Millisecond
	// describeEvery is how often to look for new shards.
	describeEvery = 5 * time.Second
)

// streamReader passes the records of a table's stream to a function: a shard after its
// parent, and the records of a shard in order.
type streamReader struct {
	h         *Host
	mapping   template.StreamMapping
	function  *function
	filters   []pattern
	positions *positions
}

func (h *Host) streamPoller(m template.StreamMapping) (func(context.Context), error) {
	r := &streamReader{h: h, mapping: m, function: h.functions[m.Function]}
	for _, raw := range m.Filters {
		p, err := parsePattern(raw)
		if err != nil {
			return nil, fmt.Errorf("filter of %s on %s: %w", m.Function, m.Table, err)
		}
		r.filters = append(r.filters, p)
	}
	var err error
	r.positions, err = openPositions(filepath.Join(h.Positions, m.Function+"-"+m.Table+".json"))
	if err != nil {
		return nil, err
	}
	return r.run, nil
}

// run reads every shard until intake ends.
func (r *streamReader) run(intake context.Context) {
	var reading sync.WaitGroup
	defer reading.Wait()
	running := map[string]bool{}
	ended := make(chan string, 1)
	for intake.Err() == nil {
		stream, shards, err := r.describe()
		if err != nil {
			r.h.failed("describe the stream of "+r.mapping.Table, r.function.Name, err)
		} else {
			r.positions.attach(stream, shards, r.mapping.Latest)
		}
		for _, shard := range shards {
			id := aws.ToString(shard.ShardId)
			if running[id] || !r.positions.ready(shard) {
				continue
			}
			running[id] = true
			reading.Go(func() {
				r.read(intake, stream, id)
				select {
				case ended <- id:
				case <-intake.Done():
				}
			})
		}
		again := time.NewTimer(describeEvery)
		select {
		case id := <-ended:
			delete(running, id)
		case <-again.C:
		case <-intake.Done():
		}
		again.Stop()
	}
}

func (r *streamReader) describe() (stream string, shards []types.Shard, err error) {
	table := r.h.Tables[r.mapping.Table]
	described, err := r.h.DynamoDB.DescribeTable(r.h.calls, &dynamodb.DescribeTableInput{TableName: &table})
	if err != nil {
		return "", nil, err
	}
	stream = aws.ToString(described.Table.LatestStreamArn)
	if stream == "" {
		return "", nil, fmt.Errorf("table %s has no stream", table)
	}
	in := &dynamodbstreams.DescribeStreamInput{StreamArn: &stream}
	for {
		out, err := r.h.Streams.DescribeStream(r.h.calls, in)
		if err != nil {
			return "", nil, err
		}
		shards = append(shards, out.StreamDescription.Shards...)
		if in.ExclusiveStartShardId = out.StreamDescription.LastEvaluatedShardId; in.ExclusiveStartShardId == nil {
			return stream, shards, nil
		}
	}
}

// read processes one shard until the shard or intake ends.
func (r *streamReader) read(intake context.Context, stream, shard string) {
	var iterator *string
	pause := soon
	for intake.Err() == nil {
		wrote := r.h.nextWrites()
		records, next, err := r.records(stream, shard, iterator)
		if _, expired := errors.AsType[*types.ExpiredIteratorException](err); expired {
			iterator = nil
			continue
		}
		if err != nil {
			r.h.failed("read the stream of "+r.mapping.Table, r.function.Name, err)
			iterator = nil
			clock.Wait(intake, pollErrorPause)
			continue
		}
		if !r.work(intake, stream, shard, records) {
			return
		}
		if next == nil {
			r.keep(func() error { return r.positions.finish(shard) })
			return
		}
		iterator = next
		if len(records) > 0 {
			pause = soon
			continue
		}
		idle(intake, wrote, pause)
		pause = min(2*pause, readEvery)
	}
}

// idle waits until a call of a function has ended, but no longer than pause.
func idle(intake context.Context, wrote <-chan struct{}, pause time.Duration) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-wrote:
	case <-timer.C:
	case <-intake.Done():
	}
}

// records reads records from iterator, or from the saved position if iterator is nil.
func (r *streamReader) records(
	stream, shard string, iterator *string,
) (records []types.Record, next *string, err error) {
	if iterator == nil {
		in := &dynamodbstreams.GetShardIteratorInput{StreamArn: &stream, ShardId: &shard}
		in.ShardIteratorType, in.SequenceNumber = r.positions.from(shard)
		out, err := r.h.Streams.GetShardIterator(r.h.calls, in)
		if _, ok := errors.AsType[*types.TrimmedDataAccessException](err); ok {
			in.ShardIteratorType, in.SequenceNumber = types.ShardIteratorTypeTrimHorizon, nil
			out, err = r.h.Streams.GetShardIterator(r.h.calls, in)
		}
		if err != nil {
			return nil, nil, err
		}
		iterator = out.ShardIterator
	}
	out, err := r.h.Streams.GetRecords(r.h.calls, &dynamodbstreams.GetRecordsInput{
		ShardIterator: iterator, Limit: aws.Int32(int32(min(r.mapping.BatchSize, 1000))),
	})
	if err != nil {
		return nil, nil, err
	}
	return out.Records, out.NextShardIterator, nil
}

// keep saves a position. If that fails, records are only processed again after a restart.
func (r *streamReader) keep(write func() error) {
	if err := write(); err != nil {
		r.h.failed("save the position in the stream of "+r.mapping.Table, r.function.Name, err)
	}
}
