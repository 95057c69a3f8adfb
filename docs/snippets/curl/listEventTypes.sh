curl "$BASE_URL/webhooks/v1/event-types" \
  -H "Authorization: Bearer $TOKEN"
