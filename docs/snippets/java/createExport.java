var export = client.users().createExport(userId);
System.out.println(export.exportId());
export.files().forEach(file -> System.out.println(file.name() + " " + file.url()));
