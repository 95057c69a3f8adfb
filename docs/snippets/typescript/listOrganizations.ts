import { Aviso } from "@aviso/client";

const aviso = new Aviso();
for await (const organization of aviso.catalogue.listOrganizations()) {
  console.log(organization.id, organization.name);
}
