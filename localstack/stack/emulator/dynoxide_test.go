package emulator_test

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/stack/emulator"
	"aviso/localstack/stack/provision"
	"aviso/localstack/tests/testenv"
)

// ticks returns the CPU time of a process, in hundredths of a second.
func ticks(t *testing.T, pid int) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	require.NoError(t, err)
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')'):]))
	user, err := strconv.Atoi(fields[12-1])
	require.NoError(t, err)
	system, err := strconv.Atoi(fields[13-1])
	require.NoError(t, err)
	return user + system
}

func TestAWriteCostsTheSameAfterThousandsOfStreamRecords(t *testing.T) {
	if os.Getenv("DYNAMODB") != "" || runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("another emulator")
	}
	p, err := emulator.StartDynamoDB(t.Context(), "")
	require.NoError(t, err)
	t.Cleanup(func() { _ = p.Stop() })
	client := dynamodb.NewFromConfig(testenv.Config(p.URL))
	outbox, _ := testenv.Template(t).Table("OutboxTable")
	require.NoError(t, provision.Table(t.Context(), client, outbox, "outbox"))
	written := 0
	write := func(batches int) (took int) {
		began := ticks(t, p.PID)
		for range batches {
			var puts []types.WriteRequest
			for range 25 {
				written++
				key := &types.AttributeValueMemberS{Value: strconv.Itoa(written)}
				puts = append(puts, types.WriteRequest{PutRequest: &types.PutRequest{Item: map[string]types.AttributeValue{"pk": key}}})
			}
			in := &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"outbox": puts}}
			_, err := client.BatchWriteItem(t.Context(), in)
			require.NoError(t, err)
		}
		return ticks(t, p.PID) - began
	}
	first := write(40)
	write(240)
	last := write(40)
	t.Logf("1,000 writes took %d ms of processor time at first, and %d ms after 7,000", 10*first, 10*last)
	assert.LessOrEqual(t, last, 2*first+10)
}
