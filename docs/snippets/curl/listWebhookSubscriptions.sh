curl "$BASE_URL/webhooks/v1/subscriptions" \
  -H "Authorization: Bearer $TOKEN"
