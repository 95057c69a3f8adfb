curl "$BASE_URL/oauth2/token" -u "$CLIENT_ID:$CLIENT_SECRET" -d grant_type=client_credentials
