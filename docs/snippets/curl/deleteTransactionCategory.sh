curl -X DELETE "$BASE_URL/openbanking/v1/transactions/$TRANSACTION_ID/category" \
  -H "Authorization: Bearer $TOKEN" \
  -H "X-User-Id: $USER_ID"
