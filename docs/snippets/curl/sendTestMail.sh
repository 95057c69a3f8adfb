REPLY_ADDRESS=$(curl -s "$BASE_URL/cancellations/v1/cancellations/$CANCELLATION_ID" \
  -H "Authorization: Bearer $TOKEN" \
  -H "X-User-Id: $USER_ID" |
  grep -o 'c-[0-9a-f]\{32\}@[a-z.]*')
printf '%s\r\n' "From: Vidorama <service@vidorama.example>" "To: $REPLY_ADDRESS" \
  "Subject: Your cancellation" "" "We have received your letter under the number 48201." |
  curl "$BASE_URL/sandbox/v1/mail" \
    -H "Authorization: Bearer $TOKEN" \
    -H "Content-Type: message/rfc822" \
    --data-binary @-
