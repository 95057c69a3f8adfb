curl "$BASE_URL/sandbox/v1/users/$USER_ID/transactions" \
  -H "Authorization: Bearer $TOKEN" \
  -H "Content-Type: application/json" \
  -d "{\"accountId\": \"$ACCOUNT_ID\",
    \"transactions\": [{\"amount\": -17.99, \"counterparty\": \"Vidorma\", \"note\": \"VIDORMA 4711\"}]}"
