import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
for await (const change of user.insights.listPriceChanges({ locale: "de-DE" })) {
  console.log(change.since, change.percent.toFixed(2), change.specialRight.text);
}
