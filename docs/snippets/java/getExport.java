var export = client.users().getExport(userId, exportId);
System.out.println(export.expiresAt() + " " + export.files().size());
