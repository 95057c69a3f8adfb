curl -X PUT "$BASE_URL/webhooks/v1/subscriptions/$SUBSCRIPTION_ID/status" \
  -H "Authorization: Bearer $TOKEN" \
  -H "Content-Type: application/json" \
  -d '{"status": "Paused"}'
