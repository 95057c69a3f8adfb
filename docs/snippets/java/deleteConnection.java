client.user(userId).connections().delete(connectionId);
