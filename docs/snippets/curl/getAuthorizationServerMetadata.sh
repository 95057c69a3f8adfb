curl "$BASE_URL/.well-known/oauth-authorization-server"
