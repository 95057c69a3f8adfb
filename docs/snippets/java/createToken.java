// The client fetches a token with its first call, and renews it in time.
var client = Aviso.builder()
        .credentials(clientId, clientSecret).baseUrl(baseUrl).build();
System.out.println(client.terms().list());
