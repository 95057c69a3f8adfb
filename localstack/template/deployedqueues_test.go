package template_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Queues whose work housekeeping repeats minutes after it should have been done, which raises
// an alarm. The sync of a connection is repeated after two hours only.
var repeats = map[string]bool{"LetterQueue": true, "DeliveryQueue": true, "RetryQueue": true}

func TestNoQueueLosesMessages(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	deadLetters := map[string]bool{}
	consumers := map[string]int{} // the longest time-out
	windows := map[string]int{}   // for how long Lambda fills a batch
	for id, f := range d.ofType("AWS::Serverless::Function") {
		timeout := d.property(id, "Timeout").(int)
		for name, e := range events(f, "SQS") {
			queue := named(e["Queue"])[0]
			consumers[queue] = max(consumers[queue], timeout)
			window, _ := e["MaximumBatchingWindowInSeconds"].(int)
			windows[queue] = window
			assert.Equal(t, []any{"ReportBatchItemFailures"}, e["FunctionResponseTypes"], "%s %s", id, name)
			assert.NotNil(t, at(e, "ScalingConfig", "MaximumConcurrency"), "%s %s", id, name)
		}
		for name, e := range events(f, "DynamoDB") {
			assert.Equal(t, []any{"ReportBatchItemFailures"}, e["FunctionResponseTypes"], "%s %s", id, name)
			assert.Equal(t, true, e["BisectBatchOnFunctionError"], "%s %s", id, name)
			assert.NotNil(t, e["MaximumRetryAttempts"], "%s %s: without it one bad record stops a shard for a day", id, name)
			for _, queue := range named(at(e, "DestinationConfig", "OnFailure")) {
				deadLetters[queue] = true
			}
		}
		for _, queue := range named(at(f, "Properties", "EventInvokeConfig", "DestinationConfig", "OnFailure")) {
			deadLetters[queue] = true
		}
	}
	queues := d.ofType("AWS::SQS::Queue")
	for _, q := range queues {
		for _, queue := range named(at(q, "Properties", "RedrivePolicy", "deadLetterTargetArn")) {
			deadLetters[queue] = true
		}
	}
	for id, q := range queues {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, true, at(q, "Properties", "SqsManagedSseEnabled"))
			assert.EqualValues(t, 14*24*60*60, at(q, "Properties", "MessageRetentionPeriod"), "as long as SQS can")
			if deadLetters[id] {
				assert.True(t, strings.HasSuffix(id, "DeadLetters"), "TestEveryDeadLetterQueueIsCounted goes by the name")
				return
			}
			if !repeats[id] {
				d.assertAlarmed(t, id, "ApproximateNumberOfMessagesVisible", "NumberOfMessagesDeleted")
			}
			assert.EqualValues(t, 5, at(q, "Properties", "RedrivePolicy", "maxReceiveCount"))
			require.NotZero(t, consumers[id], "nobody reads it")
			assert.GreaterOrEqual(t, at(q, "Properties", "VisibilityTimeout"), 6*consumers[id]+windows[id],
				"six times the function's time-out and the window, as Lambda advises")
			assert.LessOrEqual(t, windows[id], 5, "a user waits for it")
		})
	}
}

// The event of an asynchronous call is lost when the function fails for good, unless a
// queue keeps it or the next event makes up for it.
func TestEveryAsynchronousEventIsKept(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	for id, f := range d.ofType("AWS::Serverless::Function") {
		config := at(f, "Properties", "EventInvokeConfig")
		for name, rule := range events(f, "EventBridgeRule") {
			assert.NotEmpty(t, named(at(config, "DestinationConfig", "OnFailure")), "%s %s", id, name)
			assert.NotEmpty(t, named(at(rule, "DeadLetterConfig")), "%s %s: when Lambda does not take it", id, name)
		}
		for name := range events(f, "ScheduleV2") {
			assert.Equal(t, 0, at(config, "MaximumRetryAttempts"), "%s %s: the next run makes up for it", id, name)
		}
	}
}

func TestOneFunctionCannotStarveTheOthers(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	assert.Equal(t, map[string]any{"Fn::Equals": []any{map[string]any{"Ref": "ReserveConcurrency"}, "true"}},
		d.conditions["ReservesConcurrency"])
	for id, f := range d.ofType("AWS::Serverless::Function") {
		reserved := at(f, "Properties", "ReservedConcurrentExecutions")
		sum := 0
		for _, e := range events(f, "SQS") {
			limit := at(e, "ScalingConfig", "MaximumConcurrency")
			if choice, ok := at(limit, "Fn::If").([]any); ok { // unless whoever deploys wants more
				limit = choice[2]
			}
			if parameter, ok := at(limit, "Ref").(string); ok { // whoever raises it, raises the account's, too
				limit = at(d.parameters[parameter], "Default")
			}
			sum += limit.(int)
		}
		if choice, ok := at(reserved, "Fn::If").([]any); ok && sum > 0 {
			assert.Equal(t, "ReservesConcurrency", choice[0])
			assert.GreaterOrEqual(t, choice[1], sum, "%s: its queues would be throttled", id)
		} else {
			assert.Less(t, sum, 100, "%s may take much of the account's concurrency and has no bound", id)
		}
	}
}

// The share of a partner whose receivers all hang is half of these numbers.
func TestWebhookDeliveryKnowsItsConcurrency(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	f := d.ofType("AWS::Serverless::Function")["WebhookDeliveryFunction"]
	limit := at(events(f, "SQS")["Deliveries"], "ScalingConfig", "MaximumConcurrency", "Ref")
	known := at(f, "Properties", "Environment", "Variables", "DELIVERY_CONCURRENCY", "Ref")
	assert.Equal(t, "DeliveryConcurrency", limit)
	assert.Equal(t, limit, known)
	retries := at(events(f, "SQS")["Retries"], "ScalingConfig", "MaximumConcurrency").(int)
	assert.Equal(t, strconv.Itoa(retries), at(f, "Properties", "Environment", "Variables", "RETRY_CONCURRENCY"))
}

// A sync mostly waits for its bank, so ten at a time cost as much as two alone.
func TestSyncsComeInBatches(t *testing.T) {
	t.Parallel()
	e := events(readDeployed(t).resources["BankSyncFunction"], "SQS")["Sync"]
	assert.Equal(t, []any{10, 2}, []any{e["BatchSize"], e["MaximumBatchingWindowInSeconds"]})
}

// What is sent to RetryQueue without a wait of its own waits as long as SQS can: 900 s.
func TestRetryQueueDelays(t *testing.T) {
	t.Parallel()
	for id, q := range readDeployed(t).ofType("AWS::SQS::Queue") {
		want := map[string]any{"RetryQueue": 900}[id]
		assert.Equal(t, want, at(q, "Properties", "DelaySeconds"), id)
	}
}

// Who trusts a service that acts for any account says for which one (confused deputy).
func TestSchedulesActForThisAccountOnly(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	for id, f := range d.ofType("AWS::Serverless::Function") {
		for name, e := range events(f, "ScheduleV2") {
			role := named(e["RoleArn"])
			require.Len(t, role, 1, "%s %s: SAM's own role lets schedules of any account in", id, name)
			trust := list(at(d.resources[role[0]], "Properties", "AssumeRolePolicyDocument", "Statement"))[0]
			assert.Equal(t, map[string]any{"Ref": "AWS::AccountId"}, at(trust, "Condition", "StringEquals", "aws:SourceAccount"))
		}
	}
}
