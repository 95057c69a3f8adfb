curl "$BASE_URL/cancellations/v1/organizations/$ORGANIZATION_ID/products/$PRODUCT_ID?locale=de-DE" \
  -H "Authorization: Bearer $TOKEN"
