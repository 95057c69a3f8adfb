curl "$BASE_URL/cancellations/v1/cancellations" \
  -H "Authorization: Bearer $TOKEN" \
  -H "X-User-Id: $USER_ID"
