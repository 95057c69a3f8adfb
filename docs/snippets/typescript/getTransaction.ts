import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
const { amount, currencyCode, category } = await user.transactions.get(transactionId);
console.log(amount.toFixed(2), currencyCode, category.categoryName);
