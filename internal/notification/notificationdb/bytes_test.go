package notificationdb_test

import "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

// bytesOf returns the bytes of a stored string or binary value.
func bytesOf(value types.AttributeValue) ([]byte, bool) {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		return []byte(v.Value), true
	case *types.AttributeValueMemberB:
		return v.Value, true
	default:
		return nil, false
	}
}
