package host

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"aviso/internal/clock"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
)

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
