import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const organization = await aviso.catalogue.getOrganization(organizationId);
console.log(organization.name, organization.locales);
