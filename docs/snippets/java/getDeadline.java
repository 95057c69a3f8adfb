var deadline = client.catalogue().getDeadline(organizationId, productId,
        options -> options.contractStart(LocalDate.of(2025, 3, 15)).locale("de-DE"));
for (var last : deadline.sendBy()) {
    System.out.println(last.channel() + " by " + last.date());
}
