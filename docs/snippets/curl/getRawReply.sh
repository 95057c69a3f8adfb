curl "$BASE_URL/cancellations/v1/cancellations/$CANCELLATION_ID/replies/$REPLY_ID/raw" \
  -H "Authorization: Bearer $TOKEN" \
  -H "X-User-Id: $USER_ID" \
  -o reply.eml
