curl -X POST "$BASE_URL/cancellations/v1/cancellations/$CANCELLATION_ID/withdraw" \
  -H "Authorization: Bearer $TOKEN" \
  -H "X-User-Id: $USER_ID"
