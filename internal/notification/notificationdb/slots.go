package notificationdb

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// TakeSlot takes the first slot that is free. All slots are attributes of one
// row; each is taken by a write of its own, so that those who come at once do
// not get in each other's way. A write that is refused tells of the other slots,
// so that one write is enough to find all of them taken.
func (s *Store) TakeSlot(ctx context.Context, partner owner.PartnerID, subscriptionID string, slots int, now, until time.Time) (string, error) {
	pk, sk := slotsKey(partner, subscriptionID)
	var known dynamo.Item
	for i := range slots {
		name := "s" + strconv.Itoa(i)
		if taken(known[name], now) {
			continue
		}
		_, err := s.db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: &s.table, Key: dynamo.LegacyKey(pk, sk), UpdateExpression: ptr("SET #slot = :until"),
			ConditionExpression:      ptr("attribute_not_exists(#slot) OR #slot <= :now"),
			ExpressionAttributeNames: map[string]string{"#slot": name},
			ExpressionAttributeValues: dynamo.Item{
				":now": dynamo.N(dynamo.Millis(now)), ":until": dynamo.N(dynamo.Millis(until)),
			},
			ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
		})
		var refused *types.ConditionalCheckFailedException
		switch {
		case err == nil:
			return name, nil
		case errors.As(err, &refused):
			known = refused.Item
		default:
			return "", fmt.Errorf("take slot: %w", err)
		}
	}
	return "", outcome.ErrChanged
}

// taken tells whether a slot's attribute is there and has not run out.
func taken(slot types.AttributeValue, now time.Time) bool {
	n, ok := slot.(*types.AttributeValueMemberN)
	if !ok {
		return false
	}
	until, err := strconv.ParseInt(n.Value, 10, 64)
	return err == nil && until > dynamo.Millis(now)
}

// GiveSlot frees a slot, unless it has run out and is somebody else's by now.
func (s *Store) GiveSlot(ctx context.Context, partner owner.PartnerID, subscriptionID, slot string, until time.Time) error {
	pk, sk := slotsKey(partner, subscriptionID)
	_, err := s.db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.table, Key: dynamo.LegacyKey(pk, sk), UpdateExpression: ptr("REMOVE #slot"), ConditionExpression: ptr("#slot = :until"),
		ExpressionAttributeNames: map[string]string{"#slot": slot}, ExpressionAttributeValues: dynamo.Item{":until": dynamo.N(dynamo.Millis(until))},
	})
	if err = dynamo.Conditional(err); err != nil && !errors.Is(err, outcome.ErrChanged) {
		return fmt.Errorf("give slot: %w", err)
	}
	return nil
}
