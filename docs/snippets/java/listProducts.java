for (var product : client.catalogue().listProducts(organizationId)) {
    System.out.println(product.productId() + " " + product.name());
}
