import { Aviso, Decimal } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
const { added } = await user.sandbox.createTestTransactions({
  accountId,
  transactions: [
    { amount: Decimal.from("-17.99"), counterparty: "Vidorma", note: "VIDORMA 4711" },
  ],
});
console.log(added);
