curl -X PATCH "$BASE_URL/openbanking/v1/insights/subscriptions/$SUBSCRIPTION_ID" \
  -H "Authorization: Bearer $TOKEN" \
  -H "X-User-Id: $USER_ID" \
  -H "Content-Type: application/json" \
  -d '{"contractStart": "2024-11-15"}'
