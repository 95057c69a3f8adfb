var list = client.user(userId).insights().listMerchantInsights();
for (var insight : list.insights()) {
    System.out.println(insight.merchant().name() + " " + insight.amount());
}
