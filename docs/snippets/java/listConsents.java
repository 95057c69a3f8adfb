for (var consent : client.user(userId).connections().listConsents(connectionId)) {
    System.out.println(consent.consentStatus() + " " + consent.text());
}
