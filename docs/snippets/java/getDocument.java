var address = URI.create(baseUrl + "/openapi.yaml");
try (var document = address.toURL().openStream()) {
    Files.write(Path.of("openapi.yaml"), document.readAllBytes());
}
