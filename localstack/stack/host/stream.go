package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/google/uuid"

	"aviso/internal/clock"
	"aviso/localstack/stack/statefile"
	"aviso/localstack/template"
)

const (
	// soon is the first pause at the end of a shard. It doubles up to readEvery until there is a record. The end of a
	// call cuts the pause short, because the call may have written a record.
	soon, readEvery = 5 * time.Millisecond, 200 * time.Millisecond
	// describeEvery is the interval between searches for new shards. saveEvery is the minimum interval between saves of
	// a position.
	describeEvery, saveEvery = 5 * time.Second, 250 * time.Millisecond
)

// streamReader passes the records of a table's stream to a function: a shard after its parent, and the records of a
// shard in order.
type streamReader struct {
	h         *Host
	mapping   template.StreamMapping
	function  *function
	filters   []pattern
	iterators map[string]*string
	described time.Time
	// path is the file with the positions, where the next run continues.
	path      string
	saved     time.Time
	unsaved   bool
	positions struct {
		Stream string              `json:"stream"`
		Shards map[string]position `json:"shards"`
	}
}

// position is the read position in a shard.
type position struct {
	// After is the sequence number of the last finished record.
	After string `json:"after,omitempty"`
	// Finished is true once the shard is closed and read to its end.
	Finished bool `json:"finished,omitempty"`
}

func (h *Host) streamPoller(m template.StreamMapping) (func(context.Context), error) {
	r := &streamReader{h: h, mapping: m, function: h.functions[m.Function], iterators: map[string]*string{}}
	for _, raw := range m.Filters {
		p, err := parsePattern(raw)
		if err != nil {
			return nil, fmt.Errorf("filter of %s on %s: %w", m.Function, m.Table, err)
		}
		r.filters = append(r.filters, p)
	}
	r.path = filepath.Join(h.Positions, m.Function+"-"+m.Table+".json")
	if err := statefile.Read(r.path, &r.positions); err != nil {
		return nil, fmt.Errorf("read the stream position: %w", err)
	}
	return r.run, nil
}

// run reads every shard until intake ends. Emulators have one open shard at a time.
func (r *streamReader) run(intake context.Context) {
	defer r.save()
	var shards []types.Shard
	for pause := soon; intake.Err() == nil; {
		wrote := r.h.nextWrites()
		if time.Since(r.saved) > saveEvery {
			r.save()
		}
		if time.Since(r.described) > describeEvery {
			if found, err := r.describe(); err != nil {
				r.h.failed("describe the stream of "+r.mapping.Table, r.function.Name, err)
			} else {
				shards = found
			}
			r.described = time.Now()
		}
		some := false
		for _, shard := range shards {
			at := r.positions.Shards[aws.ToString(shard.ShardId)]
			parent, listed := r.positions.Shards[aws.ToString(shard.ParentShardId)]
			if !at.Finished && (!listed || parent.Finished) {
				some = r.read(intake, aws.ToString(shard.ShardId)) || some
			}
		}
		if some {
			pause = soon
			continue
		}
		if r.mapping.Window > 0 {
			pause, wrote = time.Duration(r.mapping.Window)*time.Second, nil
		}
		timer := time.NewTimer(pause)
		select {
		case <-wrote:
		case <-timer.C:
		case <-intake.Done():
		}
		timer.Stop()
		pause = min(2*pause, readEvery)
	}
}

// describe returns the shards of the stream. If the stream was replaced, all positions are dropped, otherwise those
// of deleted shards.
func (r *streamReader) describe() (shards []types.Shard, err error) {
	table := r.h.Tables[r.mapping.Table]
	described, err := r.h.DynamoDB.DescribeTable(r.h.calls, &dynamodb.DescribeTableInput{TableName: &table})
	if err != nil {
		return nil, err
	}
	stream := aws.ToString(described.Table.LatestStreamArn)
	if stream == "" {
		return nil, fmt.Errorf("table %s has no stream", table)
	}
	for in := (&dynamodbstreams.DescribeStreamInput{StreamArn: &stream}); ; {
		out, err := r.h.Streams.DescribeStream(r.h.calls, in)
		if err != nil {
			return nil, err
		}
		shards = append(shards, out.StreamDescription.Shards...)
		if in.ExclusiveStartShardId = out.StreamDescription.LastEvaluatedShardId; in.ExclusiveStartShardId == nil {
			break
		}
	}
	before := r.positions.Shards
	if r.positions.Stream != stream {
		before = nil
	}
	r.positions.Stream, r.positions.Shards = stream, map[string]position{}
	for _, shard := range shards {
		r.positions.Shards[aws.ToString(shard.ShardId)] = before[aws.ToString(shard.ShardId)]
	}
	return shards, nil
}

// read processes the new records of a shard. It returns false if there are none.
func (r *streamReader) read(intake context.Context, shard string) bool {
	out, err := r.next(shard)
	if _, expired := errors.AsType[*types.ExpiredIteratorException](err); expired {
		delete(r.iterators, shard)
		return true
	}
	if err != nil {
		r.h.failed("read the stream of "+r.mapping.Table, r.function.Name, err)
		delete(r.iterators, shard)
		clock.Wait(intake, pollErrorPause)
		return false
	}
	if !r.work(intake, shard, out.Records) {
		return false
	}
	r.iterators[shard] = out.NextShardIterator
	if out.NextShardIterator == nil {
		r.keep(shard, position{Finished: true})
		r.described = time.Time{}
	}
	return len(out.Records) > 0
}

// next reads records from the last iterator, or from the saved position if there is none.
func (r *streamReader) next(shard string) (*dynamodbstreams.GetRecordsOutput, error) {
	if r.iterators[shard] == nil {
		in := &dynamodbstreams.GetShardIteratorInput{
			StreamArn: &r.positions.Stream, ShardId: &shard, ShardIteratorType: types.ShardIteratorTypeTrimHorizon,
		}
		if at := r.positions.Shards[shard]; at.After != "" {
			in.ShardIteratorType, in.SequenceNumber = types.ShardIteratorTypeAfterSequenceNumber, &at.After
		}
		out, err := r.h.Streams.GetShardIterator(r.h.calls, in)
		if _, ok := errors.AsType[*types.TrimmedDataAccessException](err); ok {
			in.ShardIteratorType, in.SequenceNumber = types.ShardIteratorTypeTrimHorizon, nil
			out, err = r.h.Streams.GetShardIterator(r.h.calls, in)
		}
		if err != nil {
			return nil, err
		}
		r.iterators[shard] = out.ShardIterator
	}
	return r.h.Streams.GetRecords(r.h.calls, &dynamodbstreams.GetRecordsInput{
		ShardIterator: r.iterators[shard], Limit: aws.Int32(int32(min(r.mapping.BatchSize, 1000))),
	})
}

// keep remembers a position. If the process is killed before the next save, some records are processed again.
func (r *streamReader) keep(shard string, at position) {
	r.positions.Shards[shard], r.unsaved = at, true
}

// save saves the positions, if they have changed.
func (r *streamReader) save() {
	if !r.unsaved {
		return
	}
	r.unsaved, r.saved = false, time.Now()
	if err := statefile.Write(r.path, r.positions); err != nil {
		r.h.failed("save the position in the stream of "+r.mapping.Table, r.function.Name, err)
	}
}

const longestRetryPause = 10 * time.Second

// batch is a range of a shard's records for one call.
type batch struct {
	records []streamRecord
	// tries counts the failed calls. When a batch is split, its halves start at zero.
	tries int
}

// work passes records to the function, with the mapping's filters, retries and bisection, and saves the position in
// between. It returns false if intake ends first.
func (r *streamReader) work(intake context.Context, shard string, records []types.Record) bool {
	if len(records) == 0 {
		return true
	}
	var wanted []streamRecord
	for _, record := range records {
		converted, err := convertRecord(record, r.positions.Stream)
		if err != nil {
			r.h.failed("convert a record of "+r.mapping.Table, r.function.Name, err)
			continue
		}
		matches := func(p pattern) bool { return p.matches(converted.event) }
		if len(r.filters) == 0 || slices.ContainsFunc(r.filters, matches) {
			wanted = append(wanted, converted)
		}
	}
	if len(wanted) > 0 && !r.deliver(intake, shard, wanted) {
		return false
	}
	r.keep(shard, position{After: aws.ToString(records[len(records)-1].Dynamodb.SequenceNumber)})
	return true
}

func (r *streamReader) deliver(intake context.Context, shard string, records []streamRecord) bool {
	for pending := []batch{{records: records}}; len(pending) > 0; {
		b := pending[0]
		done, err := r.call(b)
		if done > 0 {
			// The records before the first failure are done.
			r.keep(shard, position{After: b.records[done-1].sequence})
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
			if err := r.giveUp(shard, b); err == nil {
				r.keep(shard, position{After: b.records[len(b.records)-1].sequence})
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

// call passes a batch to the function. It returns how many records from the start are finished, and the error of the
// next one.
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
	answer, err := r.function.call(r.h.calls, uuid.NewString(), raw)
	if err != nil {
		return 0, err
	}
	if !r.mapping.ReportsFailures {
		return len(b.records), nil
	}
	index := func(sequence string) int {
		return slices.IndexFunc(b.records, func(r streamRecord) bool { return r.sequence == sequence })
	}
	failed, err := failedItems(answer, func(sequence string) bool { return index(sequence) >= 0 })
	if err != nil {
		return 0, err
	}
	if len(failed) == 0 {
		return len(b.records), nil
	}
	// The earliest failure counts, because everything after it is retried.
	first := len(b.records)
	for _, sequence := range failed {
		first = min(first, index(sequence))
	}
	return first, fmt.Errorf("record %s failed", b.records[first].sequence)
}

// giveUp sends the position of the failed records to the failure queue. Like Lambda's message, it does not contain
// the records themselves. It has only the members that somebody reads.
func (r *streamReader) giveUp(shard string, b batch) error {
	first, last := b.records[0], b.records[len(b.records)-1]
	return r.h.sendFailure(r.mapping.FailureQueue, map[string]any{
		"requestContext": map[string]any{
			"requestId": uuid.NewString(), "functionArn": r.function.arn(),
			"condition": "RetryAttemptsExhausted", "approximateInvokeCount": b.tries,
		},
		"DDBStreamBatchInfo": map[string]any{
			"shardId": shard, "startSequenceNumber": first.sequence, "endSequenceNumber": last.sequence,
			"batchSize": len(b.records), "streamArn": r.positions.Stream,
		},
	})
}

// streamRecord is a record in the form that Lambda passes to a function: DynamoDB's JSON in the members of an event.
type streamRecord struct {
	sequence string
	event    map[string]any
}

func convertRecord(r types.Record, stream string) (streamRecord, error) {
	change := map[string]any{
		"SequenceNumber":              aws.ToString(r.Dynamodb.SequenceNumber),
		"SizeBytes":                   float64(aws.ToInt64(r.Dynamodb.SizeBytes)),
		"StreamViewType":              string(r.Dynamodb.StreamViewType),
		"ApproximateCreationDateTime": float64(aws.ToTime(r.Dynamodb.ApproximateCreationDateTime).Unix()),
	}
	for name, image := range map[string]map[string]types.AttributeValue{
		"Keys": r.Dynamodb.Keys, "NewImage": r.Dynamodb.NewImage, "OldImage": r.Dynamodb.OldImage,
	} {
		if len(image) == 0 {
			continue
		}
		// DynamoDB's JSON as decoded by encoding/json, for the filters.
		var converted map[string]any
		attributes, err := attributevalue.FromDynamoDBStreamsMap(image)
		text, textErr := attributevalue.MarshalMapJSON(attributes)
		if err := errors.Join(err, textErr, json.Unmarshal(text, &converted)); err != nil {
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
	return streamRecord{sequence: aws.ToString(r.Dynamodb.SequenceNumber), event: event}, nil
}
