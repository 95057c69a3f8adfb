var to = client.user(userId).cancellations().get(cancellationId).replyAddress();
var mail = "From: Vidorama <service@vidorama.example>\r\nTo: " + to
        + "\r\nSubject: Your cancellation\r\n\r\n"
        + "We have received your letter under the number 48201.\r\n";
var http = HttpClient.newHttpClient();
var form = "grant_type=client_credentials&client_id=" + clientId + "&client_secret=" + clientSecret;
var fetched = http.send(HttpRequest.newBuilder(URI.create(baseUrl + "/oauth2/token"))
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(HttpRequest.BodyPublishers.ofString(form)).build(), HttpResponse.BodyHandlers.ofString());
var token = fetched.body().replaceAll(".*\"access_token\":\"([^\"]+)\".*", "$1").strip();
var request = HttpRequest.newBuilder(URI.create(baseUrl + "/sandbox/v1/mail"))
        .header("Authorization", "Bearer " + token)
        .header("Content-Type", "message/rfc822")
        .POST(HttpRequest.BodyPublishers.ofString(mail))
        .build();
var response = http.send(request, HttpResponse.BodyHandlers.ofString());
System.out.println(response.statusCode());
