import { Aviso } from "@aviso/client";

const aviso = new Aviso();
const user = aviso.user(userId);
const transaction = await user.transactions.update(transactionId, { categoryId: 521 });
console.log(transaction.category.categoryName, transaction.category.subcategoryName);
