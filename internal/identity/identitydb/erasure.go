package identitydb

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/internal/dynamo"
	"aviso/internal/event"
	"aviso/internal/identity"
	"aviso/internal/owner"
)

const (
	skErasure      = "ERASURE"
	pkErasureTasks = "ERASURES"
	// eraseTries is how often an erasure meets an acceptance of terms before it
	// is given up.
	eraseTries = 5
)

func erasureKey(p owner.PartnerID, id string) (pk, sk string) { return p.Key() + "#E#" + id, skErasure }
func erasureTaskKey(id string) (pk, sk string)                { return pkErasureTasks, id }

// erasureRow is a receipt. It does not say whose data went.
type erasureRow struct {
	ID          string         `dynamodbav:"id"`
	Status      string         `dynamodbav:"status"`
	RequestedAt string         `dynamodbav:"requestedAt"`
	CompletedAt string         `dynamodbav:"completedAt,omitempty"`
	Counts      map[string]int `dynamodbav:"counts"`
}

// erasureTaskRow is an erasure that is running. All of them share a partition:
// they are few, and live for minutes.
type erasureTaskRow struct {
	ID          string `dynamodbav:"id"`
	Partner     string `dynamodbav:"partner"`
	User        string `dynamodbav:"user"`
	RequestedAt string `dynamodbav:"requestedAt"`
	Counted     bool   `dynamodbav:"counted,omitempty"`
}

// BeginErasure replaces the user and the pointer to it by the receipt and the
// task.
func (s *Store) BeginErasure(ctx context.Context, user owner.User, e identity.Erasure) error {
	for range eraseTries {
		u, err := s.User(ctx, user)
		if err != nil {
			return err
		}
		actions, err := s.eraseActions(u, e)
		if err != nil {
			return err
		}
		err = dynamo.Transact(ctx, s.db, actions)
		if !errors.Is(err, dynamo.ErrConditionFailed) {
			return err
		}
	}
	return fmt.Errorf("the user keeps changing")
}

func (s *Store) eraseActions(u identity.User, e identity.Erasure) ([]types.TransactWriteItem, error) {
	pk, sk := erasureKey(e.Partner, e.ID)
	receipt, err := dynamo.Marshal(pk, sk, erasureRow{
		ID: e.ID, Status: string(e.Status), RequestedAt: dynamo.Time(e.RequestedAt),
		Counts: map[string]int{identity.CountUsers: 1, identity.CountAcceptances: len(u.Acceptances)},
	})
	if err != nil {
		return nil, err
	}
	pk, sk = erasureTaskKey(e.ID)
	task, err := dynamo.Marshal(pk, sk, erasureTaskRow{
		ID: e.ID, Partner: string(u.Owner.Partner), User: string(u.Owner.ID), RequestedAt: dynamo.Time(e.RequestedAt),
	})
	if err != nil {
		return nil, err
	}
	actions := []types.TransactWriteItem{
		{Delete: &types.Delete{
			TableName: &s.table, Key: dynamo.Key(userKey(u.Owner)),
			// Acceptances only ever come, so that their number tells whether
			// those that were counted are all.
			ConditionExpression:       ptr("attribute_exists(pk) AND size(acceptances) = :acceptances"),
			ExpressionAttributeValues: dynamo.Item{":acceptances": dynamo.N(int64(len(u.Acceptances)))},
		}},
		{Put: &types.Put{TableName: &s.table, Item: receipt}},
		{Put: &types.Put{TableName: &s.table, Item: task}},
	}
	if u.ExternalID != "" {
		actions = append(actions, types.TransactWriteItem{Delete: &types.Delete{TableName: &s.table, Key: dynamo.Key(externalKey(u.Owner.Partner, u.ExternalID))}})
	}
	return actions, nil
}

// Erasure reads a receipt.
func (s *Store) Erasure(ctx context.Context, p owner.PartnerID, id string) (identity.Erasure, error) {
	pk, sk := erasureKey(p, id)
	var r erasureRow
	if err := dynamo.Get(ctx, s.db, s.table, pk, sk, true, &r); err != nil {
		return identity.Erasure{}, translate(err)
	}
	e := identity.Erasure{ID: r.ID, Partner: p, Status: identity.ErasureStatus(r.Status), Counts: r.Counts}
	var err error
	if e.RequestedAt, err = time.Parse(time.RFC3339Nano, r.RequestedAt); err != nil {
		return identity.Erasure{}, fmt.Errorf("erasure row: %w", err)
	}
	if r.CompletedAt != "" {
		if e.CompletedAt, err = time.Parse(time.RFC3339Nano, r.CompletedAt); err != nil {
			return identity.Erasure{}, fmt.Errorf("erasure row: %w", err)
		}
	}
	return e, nil
}

// ErasureTasks reads the partition of the erasures that are running.
func (s *Store) ErasureTasks(ctx context.Context) ([]identity.ErasureTask, error) {
	var tasks []identity.ErasureTask
	pages := dynamodb.NewQueryPaginator(s.db, &dynamodb.QueryInput{
		TableName: &s.table, KeyConditionExpression: ptr("pk = :pk"), ConsistentRead: ptr(true),
		ExpressionAttributeValues: dynamo.Item{":pk": dynamo.S(pkErasureTasks)},
	})
	for pages.HasMorePages() {
		out, err := pages.NextPage(ctx)
		if err != nil {
			return nil, fmt.Errorf("query erasures: %w", err)
		}
		for _, item := range out.Items {
			var r erasureTaskRow
			if err := dynamo.Unmarshal(item, &r); err != nil {
				return nil, err
			}
			at, err := time.Parse(time.RFC3339Nano, r.RequestedAt)
			if err != nil {
				return nil, fmt.Errorf("erasure task: %w", err)
			}
			tasks = append(tasks, identity.ErasureTask{
				ID: r.ID, User: owner.User{Partner: owner.PartnerID(r.Partner), ID: owner.UserID(r.User)}, RequestedAt: at, Counted: r.Counted,
			})
		}
	}
	return tasks, nil
}

// NoteCounts writes the counts into the receipt, and into the task that they are
// there.
func (s *Store) NoteCounts(ctx context.Context, t identity.ErasureTask, counts map[string]int) error {
	noted := types.TransactWriteItem{Update: &types.Update{
		TableName: &s.table, Key: dynamo.Key(erasureTaskKey(t.ID)), UpdateExpression: ptr("SET counted = :true"),
		ConditionExpression:       ptr("attribute_exists(pk) AND attribute_not_exists(counted)"),
		ExpressionAttributeValues: dynamo.Item{":true": &types.AttributeValueMemberBOOL{Value: true}},
	}}
	actions := []types.TransactWriteItem{noted}
	if len(counts) > 0 {
		actions = append(actions, types.TransactWriteItem{Update: s.addCounts(t, counts)})
	}
	return once(dynamo.Transact(ctx, s.db, actions))
}

func (s *Store) addCounts(t identity.ErasureTask, counts map[string]int) *types.Update {
	names, values, sets := map[string]string{}, dynamo.Item{}, make([]string, 0, len(counts))
	for kind, n := range counts {
		i := strconv.Itoa(len(sets))
		names["#k"+i], values[":n"+i] = kind, dynamo.N(int64(n))
		sets = append(sets, "counts.#k"+i+" = :n"+i)
	}
	return &types.Update{
		TableName: &s.table, Key: dynamo.Key(erasureKey(t.User.Partner, t.ID)), UpdateExpression: ptr("SET " + strings.Join(sets, ", ")),
		ExpressionAttributeNames: names, ExpressionAttributeValues: values,
	}
}

// Erasing is the store for the one who carries erasures through, with the outbox
// that their end is told by.
type Erasing struct {
	*Store
	outbox string
	newID  func() string
}

// NewErasing tells the end of erasures by the named outbox table.
func NewErasing(s *Store, outboxTable string, newID func() string) *Erasing {
	return &Erasing{Store: s, outbox: outboxTable, newID: newID}
}

// CompleteErasure completes the receipt, deletes the task, which is the last
// that is known of the user here, and leaves the event in the outbox.
func (s *Erasing) CompleteErasure(ctx context.Context, t identity.ErasureTask, at time.Time) error {
	e, err := event.New(s.newID(), identity.EventUserErased, at, t.User, identity.ErasedEventData{ErasureID: t.ID})
	if err != nil {
		return err
	}
	told, err := event.Put(s.outbox, e, at)
	if err != nil {
		return err
	}
	return once(dynamo.Transact(ctx, s.db, []types.TransactWriteItem{
		{Delete: &types.Delete{TableName: &s.table, Key: dynamo.Key(erasureTaskKey(t.ID)), ConditionExpression: ptr("attribute_exists(pk)")}},
		{Update: &types.Update{
			TableName: &s.table, Key: dynamo.Key(erasureKey(t.User.Partner, t.ID)),
			UpdateExpression: ptr("SET #status = :completed, completedAt = :at"), ExpressionAttributeNames: map[string]string{"#status": "status"},
			ExpressionAttributeValues: dynamo.Item{":completed": dynamo.S(string(identity.ErasureCompleted)), ":at": dynamo.S(dynamo.Time(at))},
		}},
		told,
	}))
}

// once lets what has been done already count as done.
func once(err error) error {
	if errors.Is(err, dynamo.ErrConditionFailed) {
		return nil
	}
	return err
}
