// The variables that the samples in docs/snippets take for granted.
declare const baseUrl: string;
declare const clientId: string;
declare const clientSecret: string;
declare const userId: string;
declare const providerId: string;
declare const connectionId: string;
declare const accountId: string;
declare const transactionId: string;
declare const organizationId: string;
declare const productId: string;
declare const cancellationId: string;
declare const replyId: string;
declare const subscriptionId: string;
declare const secretId: string;
declare const exportId: string;
declare const erasureId: string;
