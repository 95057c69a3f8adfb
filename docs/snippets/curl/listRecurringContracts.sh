curl "$BASE_URL/openbanking/v1/insights/subscriptions" \
  -H "Authorization: Bearer $TOKEN" \
  -H "X-User-Id: $USER_ID"
