curl "$BASE_URL/webhooks/v1/subscriptions/$SUBSCRIPTION_ID/secrets" \
  -H "Authorization: Bearer $TOKEN" \
  -H "Content-Type: application/json" \
  -d '{}'
