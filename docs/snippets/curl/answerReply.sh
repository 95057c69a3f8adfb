curl -X POST "$BASE_URL/cancellations/v1/cancellations/$CANCELLATION_ID/replies/$REPLY_ID/answer" \
  -H "Authorization: Bearer $TOKEN" \
  -H "X-User-Id: $USER_ID" \
  -H "Content-Type: application/json" \
  -d '{"parameters": [{"fieldKey": "CUSTOMER_NUMBER", "fieldValue": "K-204817"}]}'
