curl "$BASE_URL/cancellations/v1/cancellations/$CANCELLATION_ID/letter" \
  -H "Authorization: Bearer $TOKEN" \
  -H "X-User-Id: $USER_ID" \
  -o letter.pdf
