package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"aviso/internal/clock"
	"aviso/localstack/statefile"
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

const longestRetryPause = 10 * time.Second

// batch is a run of a shard's records that goes to the function in one call.
type batch struct {
	records []streamRecord
	// tries counts the failed calls. When a batch is split, its halves start at zero.
	tries int
}

func (b batch) last() string { return b.records[len(b.records)-1].sequence }

// work passes records to the function, with the mapping's filters, retries and bisection,
// and saves the position as it goes. It returns false if intake ended first.
func (r *streamReader) work(intake context.Context, stream, shard string, records []types.Record) bool {
	if len(records) == 0 {
		return true
	}
	wanted := batch{}
	for _, record := range records {
		converted, err := convertRecord(record, stream)
		if err != nil {
			r.h.failed("convert a record of "+r.mapping.Table, r.function.Name, err)
			continue
		}
		matches := func(p pattern) bool { return p.matches(converted.event) }
		if len(r.filters) == 0 || slices.ContainsFunc(r.filters, matches) {
			wanted.records = append(wanted.records, converted)
		}
	}
	if len(wanted.records) > 0 && !r.deliver(intake, stream, shard, wanted) {
		return false
	}
	last := aws.ToString(records[len(records)-1].Dynamodb.SequenceNumber)
	r.keep(func() error { return r.positions.advance(shard, last) })
	return true
}

func (r *streamReader) deliver(intake context.Context, stream, shard string, whole batch) bool {
	pending := []batch{whole}
	for len(pending) > 0 {
		b := pending[0]
		done, err := r.call(b)
		if done > 0 {
			// The records before the first failure are done.
			r.keep(func() error { return r.positions.advance(shard, b.records[done-1].sequence) })
			b = batch{records: b.records[done:]}
		}
		if err == nil {
			pending = pending[1:]
			continue
		}
		if r.mapping.Bisect && len(b.records) > 1 {
			middle := len(b.records) / 2
			pending = append([]batch{{records: b.records[:middle]}, {records: b.records[middle:]}}, pending[1:]...)
		} else {
			b.tries++
			pending[0] = b
		}
		what := fmt.Sprintf("batch of %d from the stream of %s", len(b.records), r.mapping.Table)
		r.h.failed(what, r.function.Name, err)
		if r.mapping.MaximumRetries >= 0 && b.tries > r.mapping.MaximumRetries {
			if err := r.giveUp(stream, shard, b); err == nil {
				r.keep(func() error { return r.positions.advance(shard, b.last()) })
				pending = pending[1:]
				continue
			}
			r.h.failed("send to "+r.mapping.FailureQueue, r.function.Name, err)
		}
		if !clock.Wait(intake, min(r.h.RetryPause<<min(b.tries, 8), longestRetryPause)) {
			return false
		}
	}
	return true
}

// call passes a batch to the function. It returns how many of the first records are done,
// and why the next one is not.
func (r *streamReader) call(b batch) (done int, err error) {
	var payload struct {
		Records []map[string]any
	}
	for _, record := range b.records {
		payload.Records = append(payload.Records, record.event)
	}
	raw, err := json.Marshal(payload)
	if err != nil {
		return 0, err
	}
	answer, err := r.function.call(r.h.calls, raw)
	if err != nil {
		return 0, err
	}
	if !r.mapping.ReportsFailures {
		return len(b.records), nil
	}
	failed, err := failedItems(answer)
	if err != nil {
		return 0, err
	}
	if len(failed) == 0 {
		return len(b.records), nil
	}
	// The earliest failure counts, because everything after it is retried.
	first := len(b.records)
	for _, sequence := range failed {
		at := slices.IndexFunc(b.records, func(r streamRecord) bool { return r.sequence == sequence })
		if at < 0 {
			return 0, fmt.Errorf("batchItemFailures names %q, which is not in the batch", sequence)
		}
		first = min(first, at)
	}
	return first, fmt.Errorf("record %s failed", b.records[first].sequence)
}

// giveUp sends to the failure queue which records the function failed on, in Lambda's
// format. The message names the records but does not contain them.
func (r *streamReader) giveUp(stream, shard string, b batch) error {
	first, last := b.records[0], b.records[len(b.records)-1]
	return r.h.sendFailure(r.mapping.FailureQueue, map[string]any{
		"requestContext": map[string]any{
			"requestId": r.h.NewID(), "functionArn": r.function.arn(),
			"condition": "RetryAttemptsExhausted", "approximateInvokeCount": b.tries,
		},
		"DDBStreamBatchInfo": map[string]any{
			"shardId": shard, "startSequenceNumber": first.sequence, "endSequenceNumber": last.sequence,
			"approximateArrivalOfFirstRecord": first.created.UTC().Format(time.RFC3339Nano),
			"approximateArrivalOfLastRecord":  last.created.UTC().Format(time.RFC3339Nano),
			"batchSize":                       len(b.records), "streamArn": stream,
		},
	})
}

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

// streamRecord is a record as Lambda passes it to a function: DynamoDB's JSON in the
// members of an event.
type streamRecord struct {
	sequence string
	created  time.Time
	event    map[string]any
}

func convertRecord(r types.Record, stream string) (streamRecord, error) {
	change := map[string]any{
		"SequenceNumber": aws.ToString(r.Dynamodb.SequenceNumber),
		"SizeBytes":      float64(aws.ToInt64(r.Dynamodb.SizeBytes)),
		"StreamViewType": string(r.Dynamodb.StreamViewType),
	}
	created := aws.ToTime(r.Dynamodb.ApproximateCreationDateTime)
	change["ApproximateCreationDateTime"] = float64(created.Unix())
	for name, image := range map[string]map[string]types.AttributeValue{
		"Keys": r.Dynamodb.Keys, "NewImage": r.Dynamodb.NewImage, "OldImage": r.Dynamodb.OldImage,
	} {
		if len(image) == 0 {
			continue
		}
		converted, err := convertImage(image)
		if err != nil {
			return streamRecord{}, fmt.Errorf("%s: %w", name, err)
		}
		change[name] = converted
	}
	event := map[string]any{
		"eventID":        aws.ToString(r.EventID),
		"eventName":      string(r.EventName),
		"eventVersion":   aws.ToString(r.EventVersion),
		"eventSource":    "aws:dynamodb",
		"awsRegion":      template.Region,
		"eventSourceARN": stream,
		"dynamodb":       change,
	}
	if r.UserIdentity != nil {
		event["userIdentity"] = map[string]any{
			"type": aws.ToString(r.UserIdentity.Type), "principalId": aws.ToString(r.UserIdentity.PrincipalId),
		}
	}
	return streamRecord{sequence: aws.ToString(r.Dynamodb.SequenceNumber), created: created, event: event}, nil
}

// convertImage returns DynamoDB's JSON as decoded by encoding/json, for the filters.
func convertImage(image map[string]types.AttributeValue) (converted map[string]any, err error) {
	attributes, err := attributevalue.FromDynamoDBStreamsMap(image)
	if err != nil {
		return nil, err
	}
	text, err := attributevalue.MarshalMapJSON(attributes)
	if err != nil {
		return nil, err
	}
	err = json.Unmarshal(text, &converted)
	return converted, err
}
