curl "$BASE_URL/webhooks/v1/subscriptions/$SUBSCRIPTION_ID/attempts" \
  -H "Authorization: Bearer $TOKEN"
