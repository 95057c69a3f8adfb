curl "$BASE_URL/cancellations/v1/cancellations/$CANCELLATION_ID/evidence" \
  -H "Authorization: Bearer $TOKEN" \
  -H "X-User-Id: $USER_ID" \
  -o evidence.zip
