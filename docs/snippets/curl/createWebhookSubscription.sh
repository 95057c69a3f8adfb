curl "$BASE_URL/webhooks/v1/subscriptions" \
  -H "Authorization: Bearer $TOKEN" \
  -H "Content-Type: application/json" \
  -d '{"serverUrl": "https://partner.example/webhooks", "events": ["*"]}'
