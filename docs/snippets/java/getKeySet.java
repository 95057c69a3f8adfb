// The client needs no keys. A gateway of yours that checks tokens takes this address.
try (var answer = URI.create(baseUrl + "/.well-known/jwks.json").toURL().openStream()) {
    System.out.println(new String(answer.readAllBytes(), StandardCharsets.UTF_8));
}
