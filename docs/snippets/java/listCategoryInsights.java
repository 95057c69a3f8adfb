for (var insight : client.user(userId).insights().listCategoryInsights().insights()) {
    System.out.println(insight.periodStart() + " " + insight.category().name() + " " + insight.amount());
}
