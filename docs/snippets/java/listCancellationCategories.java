for (var category : client.catalogue().listCancellationCategories()) {
    System.out.println(category.id() + " " + category.name());
}
