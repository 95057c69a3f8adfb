import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
await user.transactions.deleteCategory(transactionId);
