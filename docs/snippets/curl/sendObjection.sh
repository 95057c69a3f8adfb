curl "$BASE_URL/cancellations/v1/cancellations/$CANCELLATION_ID/objections" \
  -H "Authorization: Bearer $TOKEN" \
  -H "X-User-Id: $USER_ID" \
  -H "Idempotency-Key: objection-$CANCELLATION_ID" \
  -H "Content-Type: application/json" \
  -d @- <<JSON
{
  "parameters": [
    { "fieldKey": "NAME", "fieldValue": "Anna Sommer" },
    { "fieldKey": "ADDRESS", "fieldValue": "Lindenallee 12" },
    { "fieldKey": "ZIP", "fieldValue": "50667" },
    { "fieldKey": "CITY", "fieldValue": "Köln" },
    { "fieldKey": "EMAIL", "fieldValue": "anna.sommer@example.org" },
    { "fieldKey": "CUSTOMER_NUMBER", "fieldValue": "K-204817" },
    { "fieldKey": "DATA_DELETE_REQUEST", "fieldValue": "false" }
  ],
  "signature": { "type": "TEXT", "data": "Anna Sommer" }
}
JSON
