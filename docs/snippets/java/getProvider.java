var provider = client.providers().get(providerId);
System.out.println(provider.name() + " " + provider.supportedAccountTypes());
