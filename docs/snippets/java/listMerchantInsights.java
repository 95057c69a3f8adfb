for (var insight : client.user(userId).insights().listMerchantInsights().insights()) {
    System.out.println(insight.periodStart() + " " + insight.merchant().name() + " " + insight.amount());
}
