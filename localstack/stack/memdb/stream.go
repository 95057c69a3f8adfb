package memdb

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"aviso/localstack/template"
)

// reply is the result of an operation of DynamoDB Streams. encoding/json encodes it, because the SDK has separate
// types for its values.
type reply map[string]any

// shard is the only shard of a stream. It keeps all records.
const shard = "shardId-00000000000000000001"

// written is a write of a row. Either row may be nil.
type written struct{ old, row Item }

// record returns the stream's record of a write.
func (t *table) record(number int) (reply, error) {
	w := t.records[number]
	name, keys := "MODIFY", w.row
	switch {
	case w.old == nil:
		name = "INSERT"
	case w.row == nil:
		name, keys = "REMOVE", w.old
	}
	change := reply{
		"SequenceNumber": strconv.Itoa(number + 1), "SizeBytes": size(w.old) + size(w.row),
		"StreamViewType": types.StreamViewTypeNewImage, "ApproximateCreationDateTime": time.Now().Unix(),
	}
	for name, image := range map[string]Item{"Keys": pick(keys, t.views[0].keys), "NewImage": w.row} {
		if image == nil {
			continue
		}
		text, err := attributevalue.MarshalMapJSON(image)
		if err != nil {
			return nil, err
		}
		change[name] = json.RawMessage(text)
	}
	return reply{"eventID": strconv.Itoa(number + 1), "eventName": name, "eventVersion": "1.1", "dynamodb": change}, nil
}

func (db *DB) createTable(in *dynamodb.CreateTableInput) (any, error) {
	name := aws.ToString(in.TableName)
	if db.tables[name] != nil {
		return nil, &types.ResourceInUseException{Message: aws.String("there is a table " + name)}
	}
	t := newTable(name, template.Table{Definition: *in})
	if s := in.StreamSpecification; s != nil {
		if t.streams = true; s.StreamViewType != types.StreamViewTypeNewImage {
			return nil, invalid("memdb has no streams of %s", s.StreamViewType)
		}
	}
	db.tables[name] = t
	return &dynamodb.CreateTableOutput{TableDescription: t.describe()}, nil
}

func (db *DB) describeTable(in *dynamodb.DescribeTableInput) (any, error) {
	t, err := db.table(in.TableName)
	if err != nil {
		return nil, err
	}
	return &dynamodb.DescribeTableOutput{Table: t.describe()}, nil
}

func (db *DB) listTables(*dynamodb.ListTablesInput) (any, error) {
	return &dynamodb.ListTablesOutput{TableNames: slices.Sorted(maps.Keys(db.tables))}, nil
}

func (t *table) describe() *types.TableDescription {
	return &types.TableDescription{TableName: &t.name, TableStatus: types.TableStatusActive, LatestStreamArn: &t.name}
}

// updateTimeToLive does nothing: rows never expire.
func (db *DB) updateTimeToLive(in *dynamodb.UpdateTimeToLiveInput) (any, error) {
	_, err := db.table(in.TableName)
	return &dynamodb.UpdateTimeToLiveOutput{TimeToLiveSpecification: in.TimeToLiveSpecification}, err
}

func (db *DB) describeStream(in *dynamodbstreams.DescribeStreamInput) (any, error) {
	_, err := db.table(in.StreamArn)
	return reply{"StreamDescription": reply{"StreamArn": in.StreamArn, "Shards": []reply{{"ShardId": shard}}}}, err
}

// getShardIterator returns the table and the number of records before the next one.
func (db *DB) getShardIterator(in *dynamodbstreams.GetShardIteratorInput) (any, error) {
	after, _ := strconv.Atoi(aws.ToString(in.SequenceNumber)) // 0 without one
	return reply{"ShardIterator": fmt.Sprint(after, " ", *in.StreamArn)}, nil
}

func (db *DB) getRecords(in *dynamodbstreams.GetRecordsInput) (any, error) {
	var after int
	var name string
	if _, err := fmt.Sscan(*in.ShardIterator, &after, &name); err != nil {
		return nil, invalid("shard iterator: %s", err)
	}
	t, err := db.table(&name)
	if err != nil {
		return nil, err
	}
	records := []reply{}
	for ; after < len(t.records) && len(records) < int(aws.ToInt32(in.Limit)); after++ {
		r, err := t.record(after)
		if err != nil {
			return nil, err
		}
		records = append(records, r)
	}
	return reply{"Records": records, "NextShardIterator": fmt.Sprint(after, " ", name)}, nil
}
