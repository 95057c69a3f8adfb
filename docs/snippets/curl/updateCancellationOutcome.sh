curl -X POST "$BASE_URL/cancellations/v1/cancellations/$CANCELLATION_ID/outcome" \
  -H "Authorization: Bearer $TOKEN" \
  -H "X-User-Id: $USER_ID" \
  -H "Content-Type: application/json" \
  -d '{"status": "Confirmed", "endDate": "2027-01-31"}'
