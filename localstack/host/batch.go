package host

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"aviso/localstack/provision"
)

const longestRetryPause = 10 * time.Second

// batch is a run of records of one shard on its way to the function.
type batch struct {
	records []streamRecord
	// tries counts the failed ones; splitting a batch starts its halves at zero.
	tries int
}

func (b batch) last() string { return b.records[len(b.records)-1].sequence }

// work gives records to the function, with the mapping's filters, retries and
// bisection, and keeps the position as it goes. It is false when intake ended
// before all was done.
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
		if len(r.filters) == 0 || slices.ContainsFunc(r.filters, func(p pattern) bool { return p.matches(converted.event) }) {
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
			// What came before the first failure is through.
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
		r.h.failed(fmt.Sprintf("batch of %d from the stream of %s", len(b.records), r.mapping.Table), r.function.Name, err)
		if r.mapping.MaximumRetries >= 0 && b.tries > r.mapping.MaximumRetries {
			if err := r.giveUp(stream, shard, b); err == nil {
				r.keep(func() error { return r.positions.advance(shard, b.last()) })
				pending = pending[1:]
				continue
			}
			r.h.failed("tell "+r.mapping.FailureQueue, r.function.Name, err)
		}
		if !pause(intake, min(r.h.RetryPause<<min(b.tries, 8), longestRetryPause)) {
			return false
		}
	}
	return true
}

// call gives a batch to the function and tells how many of its first records are
// done; the error says why the next one is not.
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
	// The earliest failure counts: everything after it is given again.
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

// giveUp tells the failure queue which records the function could not take, in
// Lambda's words; the message names them and does not hold them.
func (r *streamReader) giveUp(stream, shard string, b batch) error {
	if r.mapping.FailureQueue == "" {
		return nil
	}
	first, last := b.records[0], b.records[len(b.records)-1]
	body, err := json.Marshal(map[string]any{
		"requestContext": map[string]any{
			"requestId": r.h.NewID(), "functionArn": r.function.arn(),
			"condition": "RetryAttemptsExhausted", "approximateInvokeCount": b.tries,
		},
		"responseContext": map[string]any{"statusCode": 200, "executedVersion": "$LATEST", "functionError": "Unhandled"},
		"version":         "1.0",
		"timestamp":       r.h.Now().UTC().Format(time.RFC3339Nano),
		"DDBStreamBatchInfo": map[string]any{
			"shardId": shard, "startSequenceNumber": first.sequence, "endSequenceNumber": last.sequence,
			"approximateArrivalOfFirstRecord": first.created.UTC().Format(time.RFC3339Nano),
			"approximateArrivalOfLastRecord":  last.created.UTC().Format(time.RFC3339Nano),
			"batchSize":                       len(b.records), "streamArn": stream,
		},
	})
	if err != nil {
		return err
	}
	url, ok := r.h.Queues[r.mapping.FailureQueue]
	if !ok {
		return fmt.Errorf("no queue %s", provision.QueueARN(r.mapping.FailureQueue))
	}
	_, err = r.h.SQS.SendMessage(r.h.calls, &sqs.SendMessageInput{QueueUrl: &url, MessageBody: aws.String(string(body))})
	return err
}
