curl "$BASE_URL/cancellations/v1/organizations/$ORGANIZATION_ID/products/$PRODUCT_ID/deadline" \
  -H "Authorization: Bearer $TOKEN" \
  -H "Content-Type: application/json" \
  -d '{"contractStart": "2025-03-15", "customer": "Consumer", "agreedTerms": {"noticePeriod": "P2W"}}'
