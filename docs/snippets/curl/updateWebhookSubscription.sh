curl -X PATCH "$BASE_URL/webhooks/v1/subscriptions/$SUBSCRIPTION_ID" \
  -H "Authorization: Bearer $TOKEN" \
  -H "Content-Type: application/json" \
  -d '{"events": ["connection.expired", "cancellation.sent"]}'
