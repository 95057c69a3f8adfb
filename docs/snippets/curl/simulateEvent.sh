curl "$BASE_URL/webhooks/v1/events" \
  -H "Authorization: Bearer $TOKEN" \
  -H "Content-Type: application/json" \
  -d "{\"eventType\": \"webhook.ping\", \"subscriptionId\": \"$SUBSCRIPTION_ID\"}"
