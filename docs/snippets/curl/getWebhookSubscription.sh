curl "$BASE_URL/webhooks/v1/subscriptions/$SUBSCRIPTION_ID" \
  -H "Authorization: Bearer $TOKEN"
