// Generated from docs/openapi.yaml by generate.mjs. Do not edit.
import type { Decimal } from "../decimal.js";
export interface paths {
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the public keys for access tokens and evidence
         * @description A JSON Web Key Set (RFC 7517). Two keys may be valid at the same time.
         */
        get: operations["getKeySet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the authorization server's metadata
         * @description For OAuth libraries (RFC 8414): where the token endpoint and the keys are.
         */
        get: operations["getAuthorizationServerMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cancellations/v1/cancellations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a user's cancellations
         * @description The newest first.
         */
        get: operations["listCancellations"];
        put?: never;
        /**
         * Cancel a contract
         * @description We write a letter and send it by e-mail, fax, mail or registered mail. With dryRun, nothing is stored or sent, and the response is 200 with the letter. If the user already has a cancellation with the same external identifier and content, the response is 200 with that cancellation. A second letter for the same contract is usually a mistake. So the answer is 409 already_cancelled with the cancellationId of the first, unless you send repeat, or that cancellation failed, was rejected or withdrawn, or its contract has ended. Another customer, contract or phone number, or another number plate, means another contract. The answer is 422 form_not_supported if the law wants an original signature; dryRun then gives the letter to print. It is 422 reason_not_available if the law does not know the reason, or if the period of a withdrawal is over. Electricity, gas and water need endDate, unless the user withdraws: the new supplier cancels, and an own letter can end the supply.
         */
        post: operations["createCancellation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cancellations/v1/cancellations/{cancellationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a cancellation
         * @description Its status, and every status before.
         */
        get: operations["getCancellation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cancellations/v1/cancellations/{cancellationId}/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the evidence of a cancellation
         * @description A ZIP archive that records what happened, and that can be verified offline: the letter, every step in a chain of digests (evidence.json), the same in words for people and judges (evidence.pdf), our signature (evidence.jws), a time stamp of it (evidence.tsr, RFC 3161), and what carriers sent. It has the same bytes until something happens. If the time-stamp authority does not answer, the archive has timestamp-pending.txt instead; fetch it again later. The ID of an objection gives the evidence of that letter.
         */
        get: operations["getCancellationEvidence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cancellations/v1/cancellations/{cancellationId}/letter": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the letter of a cancellation
         * @description The PDF that was or will be sent. Its SHA-256 is the cancellation's letterSha256. The ID of an objection gives its letter.
         */
        get: operations["getCancellationLetter"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cancellations/v1/cancellations/{cancellationId}/objection": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a letter that objects to debits
         * @description The same letter as in sendObjection, for the user to send. We neither store nor send it. It offers the evidence on request. If no debit is unpaid, the answer is conflict.
         */
        post: operations["createObjection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cancellations/v1/cancellations/{cancellationId}/objections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the objections to debits
         * @description Objections to debits after the end of the contract, oldest first.
         */
        get: operations["listObjections"];
        put?: never;
        /**
         * Send a letter that objects to debits
         * @description If debits came after the end of the contract, the letter asks for the money back, withdraws the permission to debit, and names the cancellation with its digest. It goes the same way as the letter of cancellation, and encloses its evidence. With dryRun, nothing is stored or sent, and the response is 200 with the letter. If the outcome is not StillDebited, the answer is conflict. Each debit has one objection. If all debits already have one, the answer is conflict with its objectionId. An objection that could not be delivered does not count.
         */
        post: operations["sendObjection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cancellations/v1/cancellations/{cancellationId}/outcome": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report the organization's answer
         * @description For an answer that the user got in another way, such as by post. The history and the evidence say that it is your word. If the cancellation is not waiting for an answer, the answer is conflict. The same report again has no effect.
         */
        post: operations["updateCancellationOutcome"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cancellations/v1/cancellations/{cancellationId}/replies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the organization's answers
         * @description What the organization has answered to replyAddress, newest first. A confirmation or a rejection that is clear changes the status of the cancellation. All others only inform you.
         */
        get: operations["listReplies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cancellations/v1/cancellations/{cancellationId}/replies/{replyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an answer with its text
         * @description The text is without quotations of your letter, and includes that of PDF files.
         */
        get: operations["getReply"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cancellations/v1/cancellations/{cancellationId}/replies/{replyId}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send what the organization asks for
         * @description For a reply of kind NeedsInformation. The fields go to the organization by e-mail, in the thread of its mail: to its sender if the sender is authenticated, or else to the address that the letter went to. A reply has one answer; if it has one that was not refused by the mail server, or cannot be answered, the answer is conflict.
         */
        post: operations["answerReply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cancellations/v1/cancellations/{cancellationId}/replies/{replyId}/raw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an answer as it was received
         * @description The mail as a file. A mail of more than 4 MB is not kept; the answer is then 404.
         */
        get: operations["getRawReply"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cancellations/v1/cancellations/{cancellationId}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdraw a cancellation
         * @description Possible until the letter is being handed to a carrier. Withdrawing again has no effect.
         */
        post: operations["withdrawCancellation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cancellations/v1/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the categories of organizations
         * @description All categories, in display order.
         */
        get: operations["listCancellationCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cancellations/v1/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List organizations
         * @description Organizations whose contracts can be cancelled, sorted by name.
         */
        get: operations["listOrganizations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cancellations/v1/organizations/{organizationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an organization
         * @description The organization that a product, a cancellation or a recurring contract names by its organizationId.
         */
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cancellations/v1/organizations/{organizationId}/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an organization's products
         * @description What can be cancelled with the organization.
         */
        get: operations["listProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cancellations/v1/organizations/{organizationId}/products/{productId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a product with its template
         * @description The template lists the fields that the user fills in to cancel the product.
         */
        get: operations["getProduct"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cancellations/v1/organizations/{organizationId}/products/{productId}/deadline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the deadline of a contract
         * @description When a contract for the product can end, and by when a cancellation must be sent by each channel. Each step names its source: the product's terms, or the statute that overrides them. The deadline is computed without the contract itself, and is not legal advice.
         */
        get: operations["getDeadline"];
        put?: never;
        /**
         * Calculate the deadline of a contract from more facts
         * @description Like getDeadline, but with facts that only the user knows. Nothing is stored.
         */
        post: operations["calculateDeadline"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/cancellations/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search organizations and products
         * @description Searches names by their words, in any order, and returns the best match first. Case, accents and the spelling of umlauts (ä, ae, a) do not matter. Words of four or more letters may contain one typo. The beginning of a word also matches. A product also matches by the name of its organization. If no name contains all words, rare words decide and common ones are ignored.
         */
        get: operations["searchCatalogue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/identity/v1/erasures/{erasureId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the receipt of an erasure
         * @description The status of the erasure, and how much was erased of each kind. The receipt has no personal data, and we keep it.
         */
        get: operations["getErasure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/identity/v1/terms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the terms in force
         * @description Users accept exactly these versions. Once a new version is in force, they have to accept again. A version that is published ahead is listed after the one that it replaces; who accepts it needs no other. Users who have not accepted can still list their connections, end them, and leave.
         */
        get: operations["listTerms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/identity/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find a Partner User by your own ID
         * @description The user that you created with this externalId.
         */
        get: operations["findUser"];
        put?: never;
        /**
         * Create a Partner User
         * @description If you already have a user with this externalId, the response is 200 with that user, unchanged.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/identity/v1/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a Partner User
         * @description One of your users, by the ID that we gave it.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        /**
         * Erase a Partner User
         * @description From now on, every call for the user returns 404, including this one, and you can use the externalId for a new user. We delete all data of the user within minutes, and then end the consents at the banks. If a bank does not respond, we retry for up to an hour. A letter that has not been handed to its carrier by now is never sent; `withdrawals` counts these.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /**
         * Update a Partner User
         * @description Members that are not sent keep their values. If another user has the externalId, the answer is 409.
         */
        patch: operations["updateUser"];
        trace?: never;
    };
    "/identity/v1/users/{userId}/exports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export all data of a user
         * @description For users who want a copy of their data (GDPR, articles 15 and 20). The links lead to archives of JSON Lines with what this API answers, and letters as PDF: one archive for each scope of your token. Give them to nobody but the user: they need no token. They show the data of the moment at which they are opened, need no accepted terms, and end with an erasure. An archive of more than 4 MB is answered with 422; then read the lists.
         */
        post: operations["createExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/identity/v1/users/{userId}/exports/{exportId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get new links of an export
         * @description Each link works for an hour. Ask for new ones within a day.
         */
        get: operations["getExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/identity/v1/users/{userId}/terms-acceptances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the terms a user accepted
         * @description Oldest first, including previous versions.
         */
        get: operations["listTermsAcceptances"];
        put?: never;
        /**
         * Record that a user accepts terms
         * @description Only the version in force can be accepted, or the one that follows. Accepting it again changes nothing.
         */
        post: operations["acceptTerms"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth2/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get an access token
         * @description Client credentials grant (RFC 6749 §4.4). The client authenticates with HTTP Basic, or with client_id and client_secret in the form.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.yaml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get this document
         * @description The OpenAPI description of the version that runs in this environment. Compressed with gzip if you accept that.
         */
        get: operations["getDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openbanking/v1/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a user's accounts
         * @description Accounts from all of the user's connections. An account that several connections share is in the list once, with the connection that holds it.
         */
        get: operations["listAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openbanking/v1/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the transaction categories
         * @description Top-level categories (L1) with their subcategories (L2), ordered by ID.
         */
        get: operations["listTransactionCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openbanking/v1/clients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a client
         * @deprecated
         * @description No longer needed: remove the call. It returns the same ID for a user every time.
         */
        post: operations["createOpenBankingClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openbanking/v1/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a user's connections
         * @description All of the user's connections, whatever their status. The order is stable but has no meaning.
         */
        get: operations["listConnections"];
        put?: never;
        /**
         * Connect a user's bank account
         * @description Send the user to redirectUrl before expiresAt. The bank asks the user for consent. Then the user returns to returnUrl, with connectionId and status (success, failed, cancelled) in the query. If the user has connected this bank before, the new connection takes over the accounts that both list, with their IDs, history and categories. An older connection that keeps no account becomes Expired with the reason ConsentReplaced.
         */
        post: operations["createConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openbanking/v1/connections/{connectionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a connection
         * @description Its status, and the reason for it.
         */
        get: operations["getConnection"];
        put?: never;
        post?: never;
        /**
         * Delete a connection
         * @description The connection and the accounts that it holds disappear at once, their transactions within 20 seconds. Accounts that another connection has taken over stay. We end the consent at the bank.
         */
        delete: operations["deleteConnection"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openbanking/v1/connections/{connectionId}/consents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the consents of a connection
         * @description For a permission dashboard: each answer that the user gave on our consent page, the latest first, with the words of the page and how the consent ended. They stay when the connection is deleted. Empty if the operator has no consent page; then keep your own record.
         */
        get: operations["listConsents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openbanking/v1/connections/{connectionId}/reconnect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Renew or repair a connection
         * @description Creates a new link to the bank for the same connection. The connection, its accounts and its transactions keep their IDs. An Active connection stays as it is until the user authorises the new consent; any other becomes Pending. Any earlier link stops working. If the user shares none of the accounts that we know, we read nothing and end the new consent: the connection becomes ActionRequired with the reason AccountsMismatch.
         */
        post: operations["reconnectConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openbanking/v1/connections/{connectionId}/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refresh a connection now
         * @description We read the bank within seconds; lastSuccessAt shows when we succeeded. Possible from nextRefreshPossibleAt on, and at most four times in any 24 hours without the user, automatic refreshes included.
         */
        post: operations["refreshConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openbanking/v1/insights/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sum a user's transactions by category
         * @description One element for each category, currency and period. Pending transactions count; void ones do not. Sums are signed. Without a limit, you get all elements, at most 10,000. With a limit, you get pages.
         */
        get: operations["listCategoryInsights"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openbanking/v1/insights/merchants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sum a user's transactions by merchant
         * @description One element for each merchant, currency and period. Transactions that name neither merchant nor counterparty are left out, as are cash and transfers between the user's own accounts, so that the sums may be less than those by category. Pending transactions count; void ones do not. Sums are signed. Without a limit, you get all elements, at most 10,000. With a limit, you get pages.
         */
        get: operations["listMerchantInsights"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openbanking/v1/insights/price-changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List how prices of recurring contracts changed
         * @description How the prices of running contracts changed, based on the latest payments, and whether a rise gives a right to end the contract early. Amounts that change all the time, promotions that end, and steps of over 30 percent are not price changes. Not paginated.
         */
        get: operations["listPriceChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openbanking/v1/insights/savings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what cancelled contracts save
         * @description Contracts that were cancelled and whose debits have stopped: the cancellation's outcome is Ended. One element for each currency; amounts are not converted. Not paginated.
         */
        get: operations["listSavings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openbanking/v1/insights/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a user's recurring contracts
         * @description Contracts found in the user's payments, such as phone, streaming, insurance and gym. Rent, loans, taxes and transfers between own accounts are left out, and so are contracts that have ended. The largest yearly cost comes first; amounts are not converted. Not paginated.
         */
        get: operations["listRecurringContracts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openbanking/v1/insights/subscriptions/{subscriptionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Say when a contract began, or what it is for
         * @description What the user says replaces what was found in the payments, and stays when the bank is read again. The deadline is computed from it. You can also change contracts that have ended.
         */
        patch: operations["updateRecurringContract"];
        trace?: never;
    };
    "/openbanking/v1/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List or search banks
         * @description Ordered by name. With bic or bankCode, ordered by country.
         */
        get: operations["listProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openbanking/v1/providers/countries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List countries that have banks
         * @description Countries with at least one bank, ordered by code.
         */
        get: operations["listProviderCountries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openbanking/v1/providers/{providerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a bank
         * @description One bank by its ID.
         */
        get: operations["getProvider"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openbanking/v1/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a user's transactions
         * @description Newest day first. If few transactions match the filters, a page may have fewer elements than the limit, or none, although another page follows. Continue while there is a nextToken.
         */
        get: operations["listTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openbanking/v1/transactions/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow changes to a user's transactions
         * @description Changes since the previous call, in the order in which they happened. If a transaction changed several times, only the last change is listed. Call again with the new since until changes is empty.
         */
        get: operations["listTransactionChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openbanking/v1/transactions/{transactionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a transaction
         * @description One transaction, and how its category was found.
         */
        get: operations["getTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set a transaction's category
         * @description The user's choice stays when we read the bank again. deleteTransactionCategory undoes it.
         */
        patch: operations["updateTransaction"];
        trace?: never;
    };
    "/openbanking/v1/transactions/{transactionId}/category": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take back the user's category
         * @description The transaction gets the category that was found for it. If the user has chosen the category for the merchant, that choice ends for all of the merchant's transactions; the others follow within moments. Without a choice, nothing changes.
         */
        delete: operations["deleteTransactionCategory"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/v1/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver a mail of an organization
         * @description Delivers a mail as the mail server would, by its fields To and Cc, so that you can test how answers are read. A mail to an unknown address is dropped. The field Authentication-Results says what the server found out: with dmarc=fail no mail changes a status. In production the answer is 404.
         */
        post: operations["sendTestMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/v1/users/{userId}/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a user's clock
         * @description Every user of a sandbox has a clock of their own. It shows real time until you advance it. In production this operation does not exist.
         */
        get: operations["getClock"];
        put?: never;
        /**
         * Advance a user's clock
         * @description Everything that would have happened to the user until then happens now, in the right order: the bank books what was pending, and continues with salary, rent and contracts; connections with automaticFetch are refreshed once a day; links and consents expire, with the events before that; letters are delivered, come back or are answered; callbacks that failed are repeated. Answers and events have the user's time. Other users are not affected. A clock only moves forward. Read it until its status is Ready. In production this operation does not exist.
         */
        post: operations["advanceClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/v1/users/{userId}/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add transactions to a sandbox account
         * @description The sandbox bank reports the rows from then on, and the next refresh of the connection reads them. That refresh is possible at once, whatever nextRefreshPossibleAt says. An account takes at most 500 added rows. In production this operation does not exist.
         */
        post: operations["createTestTransactions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/v1/event-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List event types
         * @description Each event type has the JSON Schema of its data and an example.
         */
        get: operations["listEventTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate an event
         * @description The event is delivered like any other, with isSimulated set to true. Refused if no Active subscription includes its type. Not available in production.
         */
        post: operations["simulateEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/v1/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook subscriptions
         * @description All of your subscriptions, at most 50.
         */
        get: operations["listWebhookSubscriptions"];
        put?: never;
        /**
         * Subscribe to events
         * @description The subscription comes with its first secret. Only this response has its key: store it.
         */
        post: operations["createWebhookSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/v1/subscriptions/{subscriptionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook subscription
         * @description The URL and events of the subscription, and whether it receives events.
         */
        get: operations["getWebhookSubscription"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook subscription
         * @description Deliveries that are pending are given up.
         */
        delete: operations["deleteWebhookSubscription"];
        options?: never;
        head?: never;
        /**
         * Update a webhook subscription
         * @description Members that are not sent keep their values. Further attempts of pending deliveries use the new values.
         */
        patch: operations["updateWebhookSubscription"];
        trace?: never;
    };
    "/webhooks/v1/subscriptions/{subscriptionId}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List delivery attempts
         * @description Every callback of the last 30 days and its outcome, newest first.
         */
        get: operations["listDeliveryAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/v1/subscriptions/{subscriptionId}/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the secrets of a subscription
         * @description Newest first, without their keys. Revoked secrets stay in the list for 30 days.
         */
        get: operations["listWebhookSecrets"];
        put?: never;
        /**
         * Create a secret
         * @description The new secret signs from now on. The previous one keeps signing for 24 hours; during that time a callback has both signatures. Only this response contains the key.
         */
        post: operations["createWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/v1/subscriptions/{subscriptionId}/secrets/{secretId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a secret
         * @description The secret stops signing at once. Refused if no other secret is Active.
         */
        delete: operations["deleteWebhookSecret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/v1/subscriptions/{subscriptionId}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Pause or resume a webhook subscription
         * @description A paused subscription never gets the events that happen meanwhile. If the next attempt of a delivery is due during the pause, the delivery is given up.
         */
        put: operations["updateWebhookSubscriptionStatus"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "cancellation.confirmed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * cancellation.confirmed
         * @description The organization has confirmed the cancellation.
         */
        post: operations["receiveCancellationConfirmed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "cancellation.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * cancellation.created
         * @description A cancellation has been created and its letter written.
         */
        post: operations["receiveCancellationCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "cancellation.debit_after_end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * cancellation.debit_after_end
         * @description The contract has ended, but the user's account has been debited for it. Sent once for each debit.
         */
        post: operations["receiveCancellationDebitAfterEnd"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "cancellation.delivered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * cancellation.delivered
         * @description The letter has been delivered to the organization.
         */
        post: operations["receiveCancellationDelivered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "cancellation.delivery_failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * cancellation.delivery_failed
         * @description The letter could not be delivered through any channel.
         */
        post: operations["receiveCancellationDeliveryFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "cancellation.effective": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * cancellation.effective
         * @description No debit for the contract has come for one and a half periods: it has ended. Sent once.
         */
        post: operations["receiveCancellationEffective"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "cancellation.queued": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * cancellation.queued
         * @description The letter is waiting to be sent, for the first time or through the next channel.
         */
        post: operations["receiveCancellationQueued"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "cancellation.rejected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * cancellation.rejected
         * @description The organization has rejected the cancellation.
         */
        post: operations["receiveCancellationRejected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "cancellation.replied": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * cancellation.replied
         * @description The organization has answered by mail. getReply has the text.
         */
        post: operations["receiveCancellationReplied"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "cancellation.sent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * cancellation.sent
         * @description The letter has been handed over for delivery.
         */
        post: operations["receiveCancellationSent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "cancellation.withdrawn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * cancellation.withdrawn
         * @description The cancellation has been withdrawn before its letter was sent.
         */
        post: operations["receiveCancellationWithdrawn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "connection.action_required": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * connection.action_required
         * @description No data can be read until the user authorises access again. Reconnect the connection.
         */
        post: operations["receiveConnectionActionRequired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "connection.activated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * connection.activated
         * @description The user has authorised access: for the first time, after a reconnect, or to renew it before it expires. A sync follows.
         */
        post: operations["receiveConnectionActivated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "connection.data_expiring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * connection.data_expiring
         * @description The connection ended weeks ago, and nobody has reconnected it. At dataExpiresAt, the connection and all that was read with it are deleted. Reconnect it to keep them.
         */
        post: operations["receiveConnectionDataExpiring"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "connection.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * connection.deleted
         * @description The connection has been deleted and its data is being deleted. Status and reason are its last ones.
         */
        post: operations["receiveConnectionDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "connection.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * connection.expired
         * @description The consent has expired. Data that was read is kept until connection.data_expiring says otherwise. Reconnect the connection to read new data.
         */
        post: operations["receiveConnectionExpired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "connection.expiring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * connection.expiring
         * @description The consent expires in seven days, or in one day. Reconnect the connection to renew it.
         */
        post: operations["receiveConnectionExpiring"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "connection.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * connection.failed
         * @description The user did not complete the authorisation, so there is no consent.
         */
        post: operations["receiveConnectionFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "connection.refreshed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * connection.refreshed
         * @description All accounts have been read from the bank, whether or not there was anything new.
         */
        post: operations["receiveConnectionRefreshed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "connection.revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * connection.revoked
         * @description The user has revoked the consent at the bank.
         */
        post: operations["receiveConnectionRevoked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "connection.sync_failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * connection.sync_failed
         * @description A sync has failed for good: its retries are used up, or the bank refuses. The connection stays Active, its data is as old as lastSuccessAt, and syncs go on. Sent once, until a sync succeeds again.
         */
        post: operations["receiveConnectionSyncFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "connection.sync_recovered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * connection.sync_recovered
         * @description A sync has succeeded again after connection.sync_failed.
         */
        post: operations["receiveConnectionSyncRecovered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "contract.deadline_approaching": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * contract.deadline_approaching
         * @description A recurring contract must be cancelled in 30 days, or in 7, or it runs for more than a month longer. Sent once each for every deadline. The days follow from what is known; contractStartSource says whether the start is a guess.
         */
        post: operations["receiveContractDeadlineApproaching"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "contract.price_increased": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * contract.price_increased
         * @description A recurring contract costs more: a debit, or two if they come every month, had a new price after at least two or three at the old one. Sent once for each rise, unless the debit is more than 60 days old. GET /openbanking/v1/insights/price-changes has the prices, and whether the rise gives a right to end the contract.
         */
        post: operations["receiveContractPriceIncreased"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "objection.delivered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * objection.delivered
         * @description The letter of objection has been delivered to the organization.
         */
        post: operations["receiveObjectionDelivered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "objection.delivery_failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * objection.delivery_failed
         * @description The letter of objection could not be delivered through any channel.
         */
        post: operations["receiveObjectionDeliveryFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "objection.sent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * objection.sent
         * @description A letter that objects to debits after the end of a contract has been handed over for delivery.
         */
        post: operations["receiveObjectionSent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.failing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * subscription.failing
         * @description One of your subscriptions fails: all attempts to deliver an event to it have failed. Sent once, until it acknowledges an event again, and once more if it becomes Disabled. Your other subscriptions get it. What was given up is not sent again.
         */
        post: operations["receiveSubscriptionFailing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "transactions.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * transactions.updated
         * @description A sync has changed transactions. To get the changes, pass since to GET /openbanking/v1/transactions/changes within 30 days.
         */
        post: operations["receiveTransactionsUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.erased": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * user.erased
         * @description All data of the user has been erased. userId is the ID the user had.
         */
        post: operations["receiveUserErased"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * webhook.ping
         * @description A test call to see whether the receiver responds. It is always simulated.
         */
        post: operations["receiveWebhookPing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description The terms that the user accepts. */
        AcceptTermsRequest: {
            /**
             * @description The type of the terms.
             * @enum {string}
             */
            termsType: "Operator" | "BankingSupplier" | "CancellationProvider";
            /** @description The version in force, from GET /identity/v1/terms. */
            version: string;
        };
        /** @description A mail that was accepted. */
        AcceptedMail: {
            /** @description The mail. */
            data: components["schemas"]["AcceptedMailData"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description The mail. */
        AcceptedMailData: {
            /** @description The mail. */
            mail: components["schemas"]["AcceptedMailStatus"];
        };
        /** @description The mail. */
        AcceptedMailStatus: {
            /** @description Always Accepted. Known values: `Accepted`. More may be added: do not fail on an unknown one. */
            status: "Accepted" | (string & {});
        };
        /** @description An account of a user at a connected bank, as we last read it. */
        Account: {
            /**
             * Format: uuid
             * @description Stable: neither the bank nor a reconnect nor a new connection to the same bank changes it.
             */
            accountId: string;
            /** @description The bank's name for the account. */
            accountName: string;
            /** @description Domestic or masked number; may be empty. */
            accountNumber: string;
            /** @description What kind of account the bank says it is. Known values: `CurrentAccount`, `SavingAccount`, `BonusAccount`, `CreditCard`, `Loan`, `Mortgage`, `Overdraft`, `Investment`, `Insurance`, `Cash`, `General`. More may be added: do not fail on an unknown one. */
            accountType: "CurrentAccount" | "SavingAccount" | "BonusAccount" | "CreditCard" | "Loan" | "Mortgage" | "Overdraft" | "Investment" | "Insurance" | "Cash" | "General" | (string & {});
            /** @description Booked balance in major units; negative if the user owes money. */
            balance: components["schemas"]["Amount"];
            /** @description The connection that an account is read through. */
            connectionInfo: components["schemas"]["ConnectionInfo"];
            /**
             * Format: date-time
             * @description When we read the account for the first time.
             */
            createdAt: string;
            /** @description Currency of the account and its balance (ISO 4217). */
            currencyCode: string;
            /** @description IBAN without spaces; empty if the account has none or the bank does not tell. */
            iban: string;
            /**
             * Format: date-time
             * @description When something about the account, such as its balance, last changed.
             */
            updatedAt: string;
        };
        /** @description One page of the user's accounts. */
        AccountList: {
            /** @description One page of the user's accounts. */
            accounts: components["schemas"]["Account"][];
        };
        /** @description The body of every JSON response that is not an error. */
        AccountListResponse: {
            /** @description One page of the user's accounts. */
            data: components["schemas"]["AccountList"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description What was added, and what to refresh. */
        AddedTestTransactions: {
            /**
             * Format: uuid
             * @description The account that has the new rows.
             */
            accountId: string;
            /**
             * Format: int32
             * @description How many rows were added.
             */
            added: number;
            /**
             * Format: uuid
             * @description Refresh this connection to read the rows.
             */
            connectionId: string;
        };
        /** @description How far to advance the clock: one of the two members. */
        AdvanceClockRequest: {
            /** @description By how much: an ISO 8601 duration, at most two years. A month later is the same day of the next month, or its last one. */
            advanceBy?: string | null;
            /**
             * Format: date-time
             * @description The user's new time: at most two years after the present one, and ten years ahead of real time.
             */
            advanceTo?: string | null;
        };
        /** @description What a contract says about its end. Durations have one unit: P24M, P1Y, P2W, P14D. */
        AgreedTerms: {
            /** @description Where it was concluded. Distance: online, by phone or by letter. Doorstep: with an agent, outside the organization's premises. A right to withdraw often depends on it. */
            concludedAt?: ("Distance" | "Doorstep" | "Shop") | null;
            /** @description The days on which it can end. */
            endOf?: ("Day" | "Month" | "Quarter" | "HalfYear" | "CalendarYear" | "ContractMonth" | "ContractHalfYear" | "ContractYear") | null;
            /** @description The first term. */
            minimumTerm?: string | null;
            /** @description How long before the end a cancellation must arrive. */
            noticePeriod?: string | null;
            /** @description What happens after the first term. None: the contract ends. Fixed: it renews for renewalTerm. Open: it runs on. */
            renewal?: ("None" | "Fixed" | "Open") | null;
            /** @description For how long it renews. */
            renewalTerm?: string | null;
            /** @description The kind of contract, which decides what statutes apply. HealthInsurance: private. Affinity: insurance sold with goods or a service. Rental: of a home. Course: a distance course. Banking: a payment account. Care: a home that cares for those who live in it. */
            sector?: ("Telecom" | "Television" | "Energy" | "EnergyBasicSupply" | "Heat" | "Water" | "Insurance" | "MotorInsurance" | "HomeInsurance" | "HealthInsurance" | "StatutoryHealth" | "Life" | "Affinity" | "Rental" | "Press" | "Association" | "Party" | "Course" | "Banking" | "Care" | "Goods" | "Services") | null;
        };
        /**
         * @description An exact decimal in major units, with the bank's digits. It is a JSON number: read it as a decimal, not as a binary fraction. Most generators need an option for that: see docs/clients.md.
         * @example -23.9
         */
        Amount: Decimal;
        /** @description What the organization asks for. */
        AnswerReplyRequest: {
            /** @description The fields of neededFields, without SIGNATURE and PROOF, which are not text. Other fields of the product's template may be sent along. */
            parameters: components["schemas"]["CancellationParameter"][];
        };
        /** @description Metadata of the authorization server (RFC 8414), for OAuth libraries. */
        AuthorizationServerMetadata: {
            /** @description Only client_credentials. */
            grant_types_supported: string[];
            /**
             * Format: uri
             * @description The issuer of access tokens, which is their iss.
             */
            issuer: string;
            /**
             * Format: uri
             * @description The public keys for access tokens and evidence.
             */
            jwks_uri: string;
            /** @description Empty: there is no authorization endpoint. */
            response_types_supported: string[];
            /** @description All scopes. Your client may have fewer. */
            scopes_supported: string[];
            /**
             * Format: uri
             * @description The documentation.
             */
            service_documentation: string;
            /**
             * Format: uri
             * @description Where to get access tokens.
             */
            token_endpoint: string;
            /** @description How a client can authenticate. */
            token_endpoint_auth_methods_supported: string[];
        };
        /** @description What is known about the contract. All of it is optional. */
        CalculateDeadlineRequest: {
            /** @description Terms that differ from those of the product. Each that you send replaces the product's. */
            agreedTerms?: components["schemas"]["AgreedTerms"] | null;
            /**
             * Format: date
             * @description The day on which the cancellation is sent; today by default, where the recipient is.
             */
            cancelledOn?: string | null;
            /** @description The channel that counts for earliestEnd; the product's first by default. */
            channel?: ("Email" | "Mail" | "RegisteredMail" | "Fax") | null;
            /**
             * Format: date
             * @description The day on which the contract was concluded, which decides which law and terms apply; contractStart by default. A right to withdraw is counted from it, and only if you send it.
             */
            concludedOn?: string | null;
            /**
             * Format: date
             * @description First day of the contract.
             */
            contractStart?: string | null;
            /** @description Whether the user concluded the contract as a consumer (default) or a business. SmallBusiness: one that some statutes protect like a consumer. */
            customer?: ("Consumer" | "SmallBusiness" | "Business") | null;
            /**
             * Format: date
             * @description First day of the current term, if known. Renewals are counted from it.
             */
            lastRenewal?: string | null;
            /** @description Whether the organization told the user in time that the contract would renew; sent by default. */
            renewalReminder?: ("Sent" | "NotSent") | null;
        };
        /** @description The catalogue's entry for a contract. */
        CancellableContract: {
            /**
             * Format: uuid
             * @description The organization to cancel with.
             */
            organizationId: string;
            /**
             * Format: uuid
             * @description The product to cancel.
             */
            productId: string;
        };
        /** @description A user's cancellation of a contract, and its status. */
        Cancellation: {
            /**
             * Format: uuid
             * @description Identifies the cancellation.
             */
            cancellationId: string;
            /** @description How the letter is sent. If a channel fails, the next allowed one is used. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one. */
            channel: "Email" | "Mail" | "RegisteredMail" | "Fax" | (string & {});
            /**
             * Format: date
             * @description Last day of the contract, as the organization has confirmed it; absent if unknown.
             */
            confirmedEndDate?: string;
            /**
             * Format: date-time
             * @description When the cancellation was created.
             */
            createdAt: string;
            /** @description Payments for the contract after its end, oldest first. */
            debitsAfterEnd: components["schemas"]["DebitAfterEnd"][];
            /**
             * Format: date
             * @description Last day of the contract that the letter names: yours or else the earliest one. Absent if that is not known; the letter then asks for the earliest possible date.
             */
            endDate?: string;
            /** @description Your own identifier; empty if you sent none. */
            externalCancellationRequestIdentifier: string;
            /** @description Every status so far, oldest first. */
            history: components["schemas"]["CancellationStep"][];
            /** @description SHA-256 of the letter's PDF, in hexadecimal. */
            letterSha256: string;
            /** @description Language of the letter, in the form <language>-<COUNTRY>. */
            locale: string;
            /**
             * Format: uuid
             * @description Who the contract is with.
             */
            organizationId: string;
            /** @description What the user's account shows. StillDebited: the contract has ended, but debits go on. Ended: none has come for one and a half periods. Known values: `Waiting`, `StillDebited`, `Ended`, `Unknown`. More may be added: do not fail on an unknown one. */
            outcome: "Waiting" | "StillDebited" | "Ended" | "Unknown" | (string & {});
            /** @description Why. The guide to errors explains each. Known values: `LetterNotSent`, `ContractRuns`, `NoDebitSince`, `FinalBill`, `Refunded`, `DebitAfterEnd`, `DebitsStopped`, `NotCancelled`, `ContractUnknown`, `ConnectionLost`, `DataOutdated`, `AccountDeleted`. More may be added: do not fail on an unknown one. */
            outcomeReason: "LetterNotSent" | "ContractRuns" | "NoDebitSince" | "FinalBill" | "Refunded" | "DebitAfterEnd" | "DebitsStopped" | "NotCancelled" | "ContractUnknown" | "ConnectionLost" | "DataOutdated" | "AccountDeleted" | (string & {});
            /**
             * Format: uuid
             * @description What is cancelled.
             */
            productId: string;
            /** @description Why the user is cancelling. */
            reason: components["schemas"]["Reason"];
            /**
             * Format: email
             * @description Where the service receives the organization's answer. Absent if this environment receives none.
             */
            replyAddress?: string;
            /** @description Confirmed and Rejected are the organization's answer. DeliveryFailed: no channel worked. Withdrawn: you withdrew it in time. Known values: `Created`, `Queued`, `Sent`, `Delivered`, `Confirmed`, `DeliveryFailed`, `Rejected`, `Withdrawn`. More may be added: do not fail on an unknown one. */
            status: "Created" | "Queued" | "Sent" | "Delivered" | "Confirmed" | "DeliveryFailed" | "Rejected" | "Withdrawn" | (string & {});
            /** @description Why it was rejected or not delivered; otherwise empty. The guide to errors explains each. Known values: `UserNotFound`, `InconsistentData`, `AlreadyCancelled`, `BindingPeriod`, `Undeliverable`, `CarrierRefused`, `CarrierUnavailable`. More may be added: do not fail on an unknown one. */
            statusReason: "" | "UserNotFound" | "InconsistentData" | "AlreadyCancelled" | "BindingPeriod" | "Undeliverable" | "CarrierRefused" | "CarrierUnavailable" | (string & {});
            /**
             * Format: uuid
             * @description The recurring contract in the user's account; absent if unknown.
             */
            subscriptionId?: string;
            /** @description Tracking number of registered mail; empty until the carrier reports one. */
            trackingNumber: string;
            /**
             * Format: date-time
             * @description When the status last changed.
             */
            updatedAt: string;
        };
        /** @description The organization has confirmed the cancellation. */
        CancellationConfirmedEvent: {
            /** @description What the event is about. */
            data: components["schemas"]["CancellationConfirmedEventData"];
            /** @description Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one. */
            environment: "local" | "test" | "acceptance" | "production" | (string & {});
            /**
             * Format: uuid
             * @description The same in every callback for the event: recognize duplicates by it.
             */
            eventId: string;
            /**
             * @description What has happened.
             * @enum {string}
             */
            eventType: "cancellation.confirmed";
            /** @description True if the event is simulated. */
            isSimulated: boolean;
            /**
             * Format: date-time
             * @description When it happened, not when it was sent.
             */
            occurredAt: string;
            /** @description The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none. */
            userId: string;
        };
        /** @description The data of cancellation.confirmed. */
        CancellationConfirmedEventData: {
            /**
             * Format: uuid
             * @description The cancellation.
             */
            cancellationId: string;
            /** @description How the letter is sent. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one. */
            channel: "Email" | "Mail" | "RegisteredMail" | "Fax" | (string & {});
            /** @description Last day of the contract, as the organization says; empty if it names none. */
            endDate: string;
            /** @description The partner's own identifier; empty if it gave none. */
            externalCancellationRequestIdentifier: string;
            /** @description The new status. Known values: `Confirmed`. More may be added: do not fail on an unknown one. */
            status: "Confirmed" | (string & {});
            /** @description The reason for the status; empty if there is none. */
            statusReason: string;
        };
        /** @description A cancellation has been created and its letter written. */
        CancellationCreatedEvent: {
            /** @description What the event is about. */
            data: components["schemas"]["CancellationCreatedEventData"];
            /** @description Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one. */
            environment: "local" | "test" | "acceptance" | "production" | (string & {});
            /**
             * Format: uuid
             * @description The same in every callback for the event: recognize duplicates by it.
             */
            eventId: string;
            /**
             * @description What has happened.
             * @enum {string}
             */
            eventType: "cancellation.created";
            /** @description True if the event is simulated. */
            isSimulated: boolean;
            /**
             * Format: date-time
             * @description When it happened, not when it was sent.
             */
            occurredAt: string;
            /** @description The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none. */
            userId: string;
        };
        /** @description The data of cancellation.created. */
        CancellationCreatedEventData: {
            /**
             * Format: uuid
             * @description The cancellation.
             */
            cancellationId: string;
            /** @description How the letter is sent. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one. */
            channel: "Email" | "Mail" | "RegisteredMail" | "Fax" | (string & {});
            /** @description The partner's own identifier; empty if it gave none. */
            externalCancellationRequestIdentifier: string;
            /** @description The new status. Known values: `Created`. More may be added: do not fail on an unknown one. */
            status: "Created" | (string & {});
            /** @description The reason for the status; empty if there is none. */
            statusReason: string;
        };
        /** @description A user's cancellation of a contract, and its status. */
        CancellationData: {
            /** @description A user's cancellation of a contract, and its status. */
            cancellation: components["schemas"]["Cancellation"];
        };
        /** @description The contract has ended, but the user's account has been debited for it. Sent once for each debit. */
        CancellationDebitAfterEndEvent: {
            /** @description What the event is about. */
            data: components["schemas"]["CancellationDebitAfterEndEventData"];
            /** @description Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one. */
            environment: "local" | "test" | "acceptance" | "production" | (string & {});
            /**
             * Format: uuid
             * @description The same in every callback for the event: recognize duplicates by it.
             */
            eventId: string;
            /**
             * @description What has happened.
             * @enum {string}
             */
            eventType: "cancellation.debit_after_end";
            /** @description True if the event is simulated. */
            isSimulated: boolean;
            /**
             * Format: date-time
             * @description When it happened, not when it was sent.
             */
            occurredAt: string;
            /** @description The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none. */
            userId: string;
        };
        /** @description The data of cancellation.debit_after_end. */
        CancellationDebitAfterEndEventData: {
            /**
             * Format: uuid
             * @description The cancellation.
             */
            cancellationId: string;
            /** @description How the letter is sent. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one. */
            channel: "Email" | "Mail" | "RegisteredMail" | "Fax" | (string & {});
            /** @description The partner's own identifier; empty if it gave none. */
            externalCancellationRequestIdentifier: string;
            /** @description What the user's account shows. Known values: `StillDebited`, `Waiting`, `Ended`. More may be added: do not fail on an unknown one. */
            outcome: "StillDebited" | "Waiting" | "Ended" | (string & {});
            /** @description The new status. Known values: `Delivered`, `Sent`, `Confirmed`. More may be added: do not fail on an unknown one. */
            status: "Delivered" | "Sent" | "Confirmed" | (string & {});
            /** @description The reason for the status; empty if there is none. */
            statusReason: string;
            /**
             * Format: uuid
             * @description The recurring contract.
             */
            subscriptionId: string;
            /** @description The debits. The cancellation has them with their amounts. */
            transactionIds: string[];
        };
        /** @description The letter has been delivered to the organization. */
        CancellationDeliveredEvent: {
            /** @description What the event is about. */
            data: components["schemas"]["CancellationDeliveredEventData"];
            /** @description Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one. */
            environment: "local" | "test" | "acceptance" | "production" | (string & {});
            /**
             * Format: uuid
             * @description The same in every callback for the event: recognize duplicates by it.
             */
            eventId: string;
            /**
             * @description What has happened.
             * @enum {string}
             */
            eventType: "cancellation.delivered";
            /** @description True if the event is simulated. */
            isSimulated: boolean;
            /**
             * Format: date-time
             * @description When it happened, not when it was sent.
             */
            occurredAt: string;
            /** @description The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none. */
            userId: string;
        };
        /** @description The data of cancellation.delivered. */
        CancellationDeliveredEventData: {
            /**
             * Format: uuid
             * @description The cancellation.
             */
            cancellationId: string;
            /** @description How the letter is sent. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one. */
            channel: "Email" | "Mail" | "RegisteredMail" | "Fax" | (string & {});
            /** @description The partner's own identifier; empty if it gave none. */
            externalCancellationRequestIdentifier: string;
            /** @description The new status. Known values: `Delivered`. More may be added: do not fail on an unknown one. */
            status: "Delivered" | (string & {});
            /** @description The reason for the status; empty if there is none. */
            statusReason: string;
        };
        /** @description The letter could not be delivered through any channel. */
        CancellationDeliveryFailedEvent: {
            /** @description What the event is about. */
            data: components["schemas"]["CancellationDeliveryFailedEventData"];
            /** @description Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one. */
            environment: "local" | "test" | "acceptance" | "production" | (string & {});
            /**
             * Format: uuid
             * @description The same in every callback for the event: recognize duplicates by it.
             */
            eventId: string;
            /**
             * @description What has happened.
             * @enum {string}
             */
            eventType: "cancellation.delivery_failed";
            /** @description True if the event is simulated. */
            isSimulated: boolean;
            /**
             * Format: date-time
             * @description When it happened, not when it was sent.
             */
            occurredAt: string;
            /** @description The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none. */
            userId: string;
        };
        /** @description The data of cancellation.delivery_failed. */
        CancellationDeliveryFailedEventData: {
            /**
             * Format: uuid
             * @description The cancellation.
             */
            cancellationId: string;
            /** @description How the letter is sent. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one. */
            channel: "Email" | "Mail" | "RegisteredMail" | "Fax" | (string & {});
            /** @description The partner's own identifier; empty if it gave none. */
            externalCancellationRequestIdentifier: string;
            /** @description The new status. Known values: `DeliveryFailed`. More may be added: do not fail on an unknown one. */
            status: "DeliveryFailed" | (string & {});
            /** @description The reason for the status; empty if there is none. */
            statusReason: string;
        };
        /** @description No debit for the contract has come for one and a half periods: it has ended. Sent once. */
        CancellationEffectiveEvent: {
            /** @description What the event is about. */
            data: components["schemas"]["CancellationEffectiveEventData"];
            /** @description Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one. */
            environment: "local" | "test" | "acceptance" | "production" | (string & {});
            /**
             * Format: uuid
             * @description The same in every callback for the event: recognize duplicates by it.
             */
            eventId: string;
            /**
             * @description What has happened.
             * @enum {string}
             */
            eventType: "cancellation.effective";
            /** @description True if the event is simulated. */
            isSimulated: boolean;
            /**
             * Format: date-time
             * @description When it happened, not when it was sent.
             */
            occurredAt: string;
            /** @description The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none. */
            userId: string;
        };
        /** @description The data of cancellation.effective. */
        CancellationEffectiveEventData: {
            /**
             * Format: uuid
             * @description The cancellation.
             */
            cancellationId: string;
            /** @description How the letter is sent. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one. */
            channel: "Email" | "Mail" | "RegisteredMail" | "Fax" | (string & {});
            /** @description The partner's own identifier; empty if it gave none. */
            externalCancellationRequestIdentifier: string;
            /** @description What the user's account shows. Known values: `Ended`. More may be added: do not fail on an unknown one. */
            outcome: "Ended" | (string & {});
            /** @description The new status. Known values: `Delivered`, `Sent`, `Confirmed`. More may be added: do not fail on an unknown one. */
            status: "Delivered" | "Sent" | "Confirmed" | (string & {});
            /** @description The reason for the status; empty if there is none. */
            statusReason: string;
            /**
             * Format: uuid
             * @description The recurring contract.
             */
            subscriptionId: string;
        };
        /** @description A preview of a letter. */
        CancellationLetter: {
            /** @description The channel that would be tried first. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one. */
            channel: "Email" | "Mail" | "RegisteredMail" | "Fax" | (string & {});
            /**
             * Format: date
             * @description Last day of the contract that the letter names. Absent if it names none.
             */
            endDate?: string;
            /** @description Language of the letter, in the form <language>-<COUNTRY>. */
            locale: string;
            /** @description The letter as PDF. */
            pdf: string;
            /** @description The e-mail address that the organization's answer goes to. Absent if there is none. */
            replyTo?: string;
            /** @description SHA-256 of the PDF, in hexadecimal. */
            sha256: string;
        };
        /** @description One page of the user's cancellations. */
        CancellationList: {
            /** @description One page of the user's cancellations. */
            cancellations: components["schemas"]["Cancellation"][];
        };
        /** @description The body of every JSON response that is not an error. */
        CancellationListResponse: {
            /** @description One page of the user's cancellations. */
            data: components["schemas"]["CancellationList"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description The user's value for a field of the template. */
        CancellationParameter: {
            /** @description Ignored, as label. */
            example?: string | null;
            /** @description The fieldKey of the field. */
            fieldKey: string;
            /**
             * @description At most 300 characters, and must match the field's format. Before that is checked, values are read as people
             *     mean them: other spaces become spaces, hyphens and dashes (except in ADDRESS) become hyphens, and
             *     characters without a width and spaces around the value are removed. The letter has the value after these
             *     changes, so dryRun shows it. Accents may be sent in any form. If the letter cannot have a character, the
             *     error says which and where.
             */
            fieldValue: string;
            /** @description Ignored, as label. */
            format?: string | null;
            /** @description Ignored, as label. */
            help?: string | null;
            /** @description Ignored, so that a field of the template may be sent back with its value. */
            label?: string | null;
            /** @description Ignored, as label. */
            type?: string | null;
        };
        /** @description The letter is waiting to be sent, for the first time or through the next channel. */
        CancellationQueuedEvent: {
            /** @description What the event is about. */
            data: components["schemas"]["CancellationQueuedEventData"];
            /** @description Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one. */
            environment: "local" | "test" | "acceptance" | "production" | (string & {});
            /**
             * Format: uuid
             * @description The same in every callback for the event: recognize duplicates by it.
             */
            eventId: string;
            /**
             * @description What has happened.
             * @enum {string}
             */
            eventType: "cancellation.queued";
            /** @description True if the event is simulated. */
            isSimulated: boolean;
            /**
             * Format: date-time
             * @description When it happened, not when it was sent.
             */
            occurredAt: string;
            /** @description The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none. */
            userId: string;
        };
        /** @description The data of cancellation.queued. */
        CancellationQueuedEventData: {
            /**
             * Format: uuid
             * @description The cancellation.
             */
            cancellationId: string;
            /** @description How the letter is sent. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one. */
            channel: "Email" | "Mail" | "RegisteredMail" | "Fax" | (string & {});
            /** @description The partner's own identifier; empty if it gave none. */
            externalCancellationRequestIdentifier: string;
            /** @description The new status. Known values: `Queued`. More may be added: do not fail on an unknown one. */
            status: "Queued" | (string & {});
            /** @description The reason for the status; empty if there is none. */
            statusReason: string;
        };
        /** @description The organization has rejected the cancellation. */
        CancellationRejectedEvent: {
            /** @description What the event is about. */
            data: components["schemas"]["CancellationRejectedEventData"];
            /** @description Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one. */
            environment: "local" | "test" | "acceptance" | "production" | (string & {});
            /**
             * Format: uuid
             * @description The same in every callback for the event: recognize duplicates by it.
             */
            eventId: string;
            /**
             * @description What has happened.
             * @enum {string}
             */
            eventType: "cancellation.rejected";
            /** @description True if the event is simulated. */
            isSimulated: boolean;
            /**
             * Format: date-time
             * @description When it happened, not when it was sent.
             */
            occurredAt: string;
            /** @description The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none. */
            userId: string;
        };
        /** @description The data of cancellation.rejected. */
        CancellationRejectedEventData: {
            /**
             * Format: uuid
             * @description The cancellation.
             */
            cancellationId: string;
            /** @description How the letter is sent. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one. */
            channel: "Email" | "Mail" | "RegisteredMail" | "Fax" | (string & {});
            /** @description The partner's own identifier; empty if it gave none. */
            externalCancellationRequestIdentifier: string;
            /** @description The new status. Known values: `Rejected`. More may be added: do not fail on an unknown one. */
            status: "Rejected" | (string & {});
            /** @description The reason for the status; empty if there is none. */
            statusReason: string;
        };
        /** @description The organization has answered by mail. getReply has the text. */
        CancellationRepliedEvent: {
            /** @description What the event is about. */
            data: components["schemas"]["CancellationRepliedEventData"];
            /** @description Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one. */
            environment: "local" | "test" | "acceptance" | "production" | (string & {});
            /**
             * Format: uuid
             * @description The same in every callback for the event: recognize duplicates by it.
             */
            eventId: string;
            /**
             * @description What has happened.
             * @enum {string}
             */
            eventType: "cancellation.replied";
            /** @description True if the event is simulated. */
            isSimulated: boolean;
            /**
             * Format: date-time
             * @description When it happened, not when it was sent.
             */
            occurredAt: string;
            /** @description The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none. */
            userId: string;
        };
        /** @description The data of cancellation.replied. */
        CancellationRepliedEventData: {
            /**
             * Format: uuid
             * @description The cancellation.
             */
            cancellationId: string;
            /** @description How the letter is sent. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one. */
            channel: "Email" | "Mail" | "RegisteredMail" | "Fax" | (string & {});
            /** @description Last day of the contract, as the organization says; empty if it names none. */
            endDate: string;
            /** @description The partner's own identifier; empty if it gave none. */
            externalCancellationRequestIdentifier: string;
            /** @description What the reply means. Known values: `Confirmed`, `Rejected`, `NeedsInformation`, `Received`, `Offer`, `AutoReply`, `Unclear`. More may be added: do not fail on an unknown one. */
            kind: "Confirmed" | "Rejected" | "NeedsInformation" | "Received" | "Offer" | "AutoReply" | "Unclear" | (string & {});
            /** @description What the organization asks for: keys of template fields, SIGNATURE or PROOF. */
            neededFields: string[];
            /**
             * Format: uuid
             * @description The reply.
             */
            replyId: string;
            /** @description The new status. Known values: `Sent`, `Delivered`, `Confirmed`, `Rejected`, `DeliveryFailed`, `Withdrawn`. More may be added: do not fail on an unknown one. */
            status: "Sent" | "Delivered" | "Confirmed" | "Rejected" | "DeliveryFailed" | "Withdrawn" | (string & {});
            /** @description The reason for the status; empty if there is none. */
            statusReason: string;
        };
        /** @description The body of every JSON response that is not an error. */
        CancellationResponse: {
            /** @description A user's cancellation of a contract, and its status. */
            data: components["schemas"]["CancellationData"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description The letter has been handed over for delivery. */
        CancellationSentEvent: {
            /** @description What the event is about. */
            data: components["schemas"]["CancellationSentEventData"];
            /** @description Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one. */
            environment: "local" | "test" | "acceptance" | "production" | (string & {});
            /**
             * Format: uuid
             * @description The same in every callback for the event: recognize duplicates by it.
             */
            eventId: string;
            /**
             * @description What has happened.
             * @enum {string}
             */
            eventType: "cancellation.sent";
            /** @description True if the event is simulated. */
            isSimulated: boolean;
            /**
             * Format: date-time
             * @description When it happened, not when it was sent.
             */
            occurredAt: string;
            /** @description The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none. */
            userId: string;
        };
        /** @description The data of cancellation.sent. */
        CancellationSentEventData: {
            /**
             * Format: uuid
             * @description The cancellation.
             */
            cancellationId: string;
            /** @description How the letter is sent. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one. */
            channel: "Email" | "Mail" | "RegisteredMail" | "Fax" | (string & {});
            /** @description The partner's own identifier; empty if it gave none. */
            externalCancellationRequestIdentifier: string;
            /** @description The new status. Known values: `Sent`. More may be added: do not fail on an unknown one. */
            status: "Sent" | (string & {});
            /** @description The reason for the status; empty if there is none. */
            statusReason: string;
        };
        /** @description A status, and when it began. */
        CancellationStep: {
            /**
             * Format: date-time
             * @description When the status began.
             */
            at: string;
            /** @description Present if the letter was late then. */
            delay?: components["schemas"]["LetterDelay"];
            /** @description In the first step: why the user is cancelling, unless that is Ordinary. */
            reason?: components["schemas"]["Reason"];
            /** @description The status. Known values: `Created`, `Queued`, `Sent`, `Delivered`, `Confirmed`, `DeliveryFailed`, `Rejected`, `Withdrawn`. More may be added: do not fail on an unknown one. */
            status: "Created" | "Queued" | "Sent" | "Delivered" | "Confirmed" | "DeliveryFailed" | "Rejected" | "Withdrawn" | (string & {});
        };
        /** @description The cancellation has been withdrawn before its letter was sent. */
        CancellationWithdrawnEvent: {
            /** @description What the event is about. */
            data: components["schemas"]["CancellationWithdrawnEventData"];
            /** @description Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one. */
            environment: "local" | "test" | "acceptance" | "production" | (string & {});
            /**
             * Format: uuid
             * @description The same in every callback for the event: recognize duplicates by it.
             */
            eventId: string;
            /**
             * @description What has happened.
             * @enum {string}
             */
            eventType: "cancellation.withdrawn";
            /** @description True if the event is simulated. */
            isSimulated: boolean;
            /**
             * Format: date-time
             * @description When it happened, not when it was sent.
             */
            occurredAt: string;
            /** @description The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none. */
            userId: string;
        };
        /** @description The data of cancellation.withdrawn. */
        CancellationWithdrawnEventData: {
            /**
             * Format: uuid
             * @description The cancellation.
             */
            cancellationId: string;
            /** @description How the letter is sent. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one. */
            channel: "Email" | "Mail" | "RegisteredMail" | "Fax" | (string & {});
            /** @description The partner's own identifier; empty if it gave none. */
            externalCancellationRequestIdentifier: string;
            /** @description The new status. Known values: `Withdrawn`. More may be added: do not fail on an unknown one. */
            status: "Withdrawn" | (string & {});
            /** @description The reason for the status; empty if there is none. */
            statusReason: string;
        };
        /** @description The category (L1) and subcategory (L2) of a transaction. */
        Category: {
            /**
             * Format: int32
             * @description L1 ID. GET /openbanking/v1/categories lists all.
             */
            categoryId: number;
            /** @description Stable name for programs, such as HOUSING. */
            categoryName: string;
            /**
             * Format: int32
             * @description L2 ID.
             */
            subcategoryId: number;
            /** @description Stable name for programs, such as HOUSING__Rent. */
            subcategoryName: string;
        };
        /** @description The sum of one category, in one currency and one period. */
        CategoryInsight: {
            /** @description Sum in major units; negative for expenses. */
            amount: components["schemas"]["Amount"];
            /** @description A category or, with categoryLevel=L2, a subcategory. */
            category: components["schemas"]["InsightCategory"];
            /** @description ISO 4217. Amounts are not converted. */
            currencyCode: string;
            /**
             * Format: int32
             * @description How many transactions the sum is of.
             */
            numberOfTransactions: number;
            /**
             * Format: date
             * @description First day of the period; absent for alltime.
             */
            periodStart?: string;
        };
        /** @description Sums of transactions by category. */
        CategoryInsightList: {
            /** @description Length of a period, as requested. Known values: `alltime`, `daily`, `weekly`, `monthly`, `quarterly`, `yearly`. More may be added: do not fail on an unknown one. */
            granularity: "alltime" | "daily" | "weekly" | "monthly" | "quarterly" | "yearly" | (string & {});
            /** @description The sums, ordered as orderBy says. */
            insights: components["schemas"]["CategoryInsight"][];
        };
        /** @description The body of every JSON response that is not an error. */
        CategoryInsightListResponse: {
            /** @description Sums of transactions by category. */
            data: components["schemas"]["CategoryInsightList"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description The clock of a sandbox's user. */
        Clock: {
            /**
             * Format: date-time
             * @description The time to which the clock was last advanced, or is being advanced. Absent if never.
             */
            advancedTo?: string;
            /**
             * Format: date-time
             * @description The user's present time. While the clock is being advanced, it is the time up to which everything has happened.
             */
            now: string;
            /** @description Advancing until everything that was due has happened, then Ready. Known values: `Ready`, `Advancing`. More may be added: do not fail on an unknown one. */
            status: "Ready" | "Advancing" | (string & {});
            /**
             * Format: uuid
             * @description The user.
             */
            userId: string;
        };
        /** @description The clock of a sandbox's user. */
        ClockData: {
            /** @description The clock of a sandbox's user. */
            clock: components["schemas"]["Clock"];
        };
        /** @description The body of every JSON response that is not an error. */
        ClockResponse: {
            /** @description The clock of a sandbox's user. */
            data: components["schemas"]["ClockData"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description A user's connection to a bank: the consent to read accounts there. */
        Connection: {
            /**
             * Format: uuid
             * @description Identifies the connection. A reconnect does not change it.
             */
            connectionId: string;
            /** @description Pending: the user has not authorised yet. Active: we read the bank. ActionRequired: reconnect. Failed, Expired, Revoked: no consent. Known values: `Pending`, `Active`, `ActionRequired`, `Failed`, `Expired`, `Revoked`. More may be added: do not fail on an unknown one. */
            connectionStatus: "Pending" | "Active" | "ActionRequired" | "Failed" | "Expired" | "Revoked" | (string & {});
            /**
             * Format: date-time
             * @description When the consent expires, or when it ended; 0001-01-01T00:00:00Z if unknown.
             */
            consentExpiresAt: string;
            /**
             * Format: date-time
             * @description When the connection was created.
             */
            createdAt: string;
            /** @description Whether connectionStatus is Active. */
            isActive: boolean;
            /**
             * Format: date-time
             * @description When we last read all accounts; 0001-01-01T00:00:00Z before the first time.
             */
            lastSuccessAt: string;
            /**
             * Format: date-time
             * @description The earliest time for a refresh with the user; 0001-01-01T00:00:00Z if unknown.
             */
            nextRefreshPossibleAt: string;
            /** @description Bank data that the last sync could not read. Only if statusReason is PartialData. */
            partialData?: components["schemas"]["PartialData"];
            /**
             * Format: uuid
             * @description The bank.
             */
            providerId: string;
            /** @description The bank's name. */
            providerName: string;
            /** @description Why the connection has this status; empty if there is nothing to report. The guide to errors says what each means and what to do. Known values: `PartiallyAuthorised`, `LinkExpired`, `UserCancelled`, `AuthorisationFailed`, `ConsentExpired`, `ConsentRevoked`, `ConsentReplaced`, `TermsNotAccepted`, `PartialData`, `AccountsMismatch`, `SupplierUnavailable`, `SupplierRateLimited`, `SupplierInvalidResponse`, `SupplierRejected`, `SupplierConsentInvalid`, `SupplierConsentExpired`, `SupplierConsentUnknown`, `InternalError`. More may be added: do not fail on an unknown one. */
            statusReason: "" | "PartiallyAuthorised" | "LinkExpired" | "UserCancelled" | "AuthorisationFailed" | "ConsentExpired" | "ConsentRevoked" | "ConsentReplaced" | "TermsNotAccepted" | "PartialData" | "AccountsMismatch" | "SupplierUnavailable" | "SupplierRateLimited" | "SupplierInvalidResponse" | "SupplierRejected" | "SupplierConsentInvalid" | "SupplierConsentExpired" | "SupplierConsentUnknown" | "InternalError" | (string & {});
        };
        /** @description No data can be read until the user authorises access again. Reconnect the connection. */
        ConnectionActionRequiredEvent: {
            /** @description What the event is about. */
            data: components["schemas"]["ConnectionActionRequiredEventData"];
            /** @description Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one. */
            environment: "local" | "test" | "acceptance" | "production" | (string & {});
            /**
             * Format: uuid
             * @description The same in every callback for the event: recognize duplicates by it.
             */
            eventId: string;
            /**
             * @description What has happened.
             * @enum {string}
             */
            eventType: "connection.action_required";
            /** @description True if the event is simulated. */
            isSimulated: boolean;
            /**
             * Format: date-time
             * @description When it happened, not when it was sent.
             */
            occurredAt: string;
            /** @description The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none. */
            userId: string;
        };
        /** @description The data of connection.action_required. */
        ConnectionActionRequiredEventData: {
            /**
             * Format: uuid
             * @description The connection.
             */
            connectionId: string;
            /** @description The connection's status. Known values: `ActionRequired`. More may be added: do not fail on an unknown one. */
            connectionStatus: "ActionRequired" | (string & {});
            /**
             * Format: uuid
             * @description The connection's bank.
             */
            providerId: string;
            /** @description The reason for the status; empty if there is none. */
            statusReason: string;
        };
        /** @description The user has authorised access: for the first time, after a reconnect, or to renew it before it expires. A sync follows. */
        ConnectionActivatedEvent: {
            /** @description What the event is about. */
            data: components["schemas"]["ConnectionActivatedEventData"];
            /** @description Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one. */
            environment: "local" | "test" | "acceptance" | "production" | (string & {});
            /**
             * Format: uuid
             * @description The same in every callback for the event: recognize duplicates by it.
             */
            eventId: string;
            /**
             * @description What has happened.
             * @enum {string}
             */
            eventType: "connection.activated";
            /** @description True if the event is simulated. */
            isSimulated: boolean;
            /**
             * Format: date-time
             * @description When it happened, not when it was sent.
             */
            occurredAt: string;
            /** @description The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none. */
            userId: string;
        };
        /** @description The data of connection.activated. */
        ConnectionActivatedEventData: {
            /**
             * Format: uuid
             * @description The connection.
             */
            connectionId: string;
            /** @description The connection's status. Known values: `Active`. More may be added: do not fail on an unknown one. */
            connectionStatus: "Active" | (string & {});
            /**
             * Format: uuid
             * @description The connection's bank.
             */
            providerId: string;
            /** @description The reason for the status; empty if there is none. */
            statusReason: string;
        };
        /** @description A user's connection to a bank: the consent to read accounts there. */
        ConnectionData: {
            /** @description A user's connection to a bank: the consent to read accounts there. */
            connection: components["schemas"]["Connection"];
        };
        /** @description The connection ended weeks ago, and nobody has reconnected it. At dataExpiresAt, the connection and all that was read with it are deleted. Reconnect it to keep them. */
        ConnectionDataExpiringEvent: {
            /** @description What the event is about. */
            data: components["schemas"]["ConnectionDataExpiringEventData"];
            /** @description Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one. */
            environment: "local" | "test" | "acceptance" | "production" | (string & {});
            /**
             * Format: uuid
             * @description The same in every callback for the event: recognize duplicates by it.
             */
            eventId: string;
            /**
             * @description What has happened.
             * @enum {string}
             */
            eventType: "connection.data_expiring";
            /** @description True if the event is simulated. */
            isSimulated: boolean;
            /**
             * Format: date-time
             * @description When it happened, not when it was sent.
             */
            occurredAt: string;
            /** @description The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none. */
            userId: string;
        };
        /** @description The data of connection.data_expiring. */
        ConnectionDataExpiringEventData: {
            /**
             * Format: uuid
             * @description The connection.
             */
            connectionId: string;
            /** @description The connection's status. Known values: `Expired`, `Revoked`, `Failed`. More may be added: do not fail on an unknown one. */
            connectionStatus: "Expired" | "Revoked" | "Failed" | (string & {});
            /**
             * Format: date-time
             * @description When the connection and its data are deleted.
             */
            dataExpiresAt: string;
            /**
             * Format: uuid
             * @description The connection's bank.
             */
            providerId: string;
            /** @description The reason for the status; empty if there is none. */
            statusReason: string;
        };
        /** @description The connection has been deleted and its data is being deleted. Status and reason are its last ones. */
        ConnectionDeletedEvent: {
            /** @description What the event is about. */
            data: components["schemas"]["ConnectionDeletedEventData"];
            /** @description Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one. */
            environment: "local" | "test" | "acceptance" | "production" | (string & {});
            /**
             * Format: uuid
             * @description The same in every callback for the event: recognize duplicates by it.
             */
            eventId: string;
            /**
             * @description What has happened.
             * @enum {string}
             */
            eventType: "connection.deleted";
            /** @description True if the event is simulated. */
            isSimulated: boolean;
            /**
             * Format: date-time
             * @description When it happened, not when it was sent.
             */
            occurredAt: string;
            /** @description The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none. */
            userId: string;
        };
        /** @description The data of connection.deleted. */
        ConnectionDeletedEventData: {
            /**
             * Format: uuid
             * @description The connection.
             */
            connectionId: string;
            /** @description The connection's status. Known values: `Active`, `Pending`, `ActionRequired`, `Failed`, `Expired`, `Revoked`. More may be added: do not fail on an unknown one. */
            connectionStatus: "Active" | "Pending" | "ActionRequired" | "Failed" | "Expired" | "Revoked" | (string & {});
            /**
             * Format: uuid
             * @description The connection's bank.
             */
            providerId: string;
            /** @description The reason for the status; empty if there is none. */
            statusReason: string;
        };
        /** @description The consent has expired. Data that was read is kept until connection.data_expiring says otherwise. Reconnect the connection to read new data. */
        ConnectionExpiredEvent: {
            /** @description What the event is about. */
            data: components["schemas"]["ConnectionExpiredEventData"];
            /** @description Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one. */
            environment: "local" | "test" | "acceptance" | "production" | (string & {});
            /**
             * Format: uuid
             * @description The same in every callback for the event: recognize duplicates by it.
             */
            eventId: string;
            /**
             * @description What has happened.
             * @enum {string}
             */
            eventType: "connection.expired";
            /** @description True if the event is simulated. */
            isSimulated: boolean;
            /**
             * Format: date-time
             * @description When it happened, not when it was sent.
             */
            occurredAt: string;
            /** @description The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none. */
            userId: string;
        };
        /** @description The data of connection.expired. */
        ConnectionExpiredEventData: {
            /**
             * Format: uuid
             * @description The connection.
             */
            connectionId: string;
            /** @description The connection's status. Known values: `Expired`. More may be added: do not fail on an unknown one. */
            connectionStatus: "Expired" | (string & {});
            /**
             * Format: date-time
             * @description When the consent expires, or when it ended: from this moment on it is not valid.
             */
            consentExpiresAt: string;
            /**
             * Format: uuid
             * @description The connection's bank.
             */
            providerId: string;
            /** @description The reason for the status; empty if there is none. */
            statusReason: string;
        };
        /** @description The consent expires in seven days, or in one day. Reconnect the connection to renew it. */
        ConnectionExpiringEvent: {
            /** @description What the event is about. */
            data: components["schemas"]["ConnectionExpiringEventData"];
            /** @description Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one. */
            environment: "local" | "test" | "acceptance" | "production" | (string & {});
            /**
             * Format: uuid
             * @description The same in every callback for the event: recognize duplicates by it.
             */
            eventId: string;
            /**
             * @description What has happened.
             * @enum {string}
             */
            eventType: "connection.expiring";
            /** @description True if the event is simulated. */
            isSimulated: boolean;
            /**
             * Format: date-time
             * @description When it happened, not when it was sent.
             */
            occurredAt: string;
            /** @description The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none. */
            userId: string;
        };
        /** @description The data of connection.expiring. */
        ConnectionExpiringEventData: {
            /**
             * Format: uuid
             * @description The connection.
             */
            connectionId: string;
            /** @description The connection's status. Known values: `Active`. More may be added: do not fail on an unknown one. */
            connectionStatus: "Active" | (string & {});
            /**
             * Format: date-time
             * @description When the consent expires, or when it ended: from this moment on it is not valid.
             */
            consentExpiresAt: string;
            /**
             * Format: uuid
             * @description The connection's bank.
             */
            providerId: string;
            /** @description The reason for the status; empty if there is none. */
            statusReason: string;
        };
        /** @description The user did not complete the authorisation, so there is no consent. */
        ConnectionFailedEvent: {
            /** @description What the event is about. */
            data: components["schemas"]["ConnectionFailedEventData"];
            /** @description Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one. */
            environment: "local" | "test" | "acceptance" | "production" | (string & {});
            /**
             * Format: uuid
             * @description The same in every callback for the event: recognize duplicates by it.
             */
            eventId: string;
            /**
             * @description What has happened.
             * @enum {string}
             */
            eventType: "connection.failed";
            /** @description True if the event is simulated. */
            isSimulated: boolean;
            /**
             * Format: date-time
             * @description When it happened, not when it was sent.
             */
            occurredAt: string;
            /** @description The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none. */
            userId: string;
        };
        /** @description The data of connection.failed. */
        ConnectionFailedEventData: {
            /**
             * Format: uuid
             * @description The connection.
             */
            connectionId: string;
            /** @description The connection's status. Known values: `Failed`. More may be added: do not fail on an unknown one. */
            connectionStatus: "Failed" | (string & {});
            /**
             * Format: uuid
             * @description The connection's bank.
             */
            providerId: string;
            /** @description The reason for the status; empty if there is none. */
            statusReason: string;
        };
        /** @description The connection that an account is read through. */
        ConnectionInfo: {
            /**
             * Format: uri
             * @description Address of the bank's logo, an image.
             */
            bankLogoUrl: string;
            /** @description The bank's name. */
            bankName: string;
            /**
             * Format: uuid
             * @description The connection that holds the account.
             */
            connectionId: string;
            /** @description Status of the connection. If it is not Active, the account keeps what was read last. Known values: `Pending`, `Active`, `ActionRequired`, `Failed`, `Expired`, `Revoked`. More may be added: do not fail on an unknown one. */
            connectionStatus: "Pending" | "Active" | "ActionRequired" | "Failed" | "Expired" | "Revoked" | (string & {});
            /**
             * Format: date-time
             * @description When the consent expires, or when it ended; 0001-01-01T00:00:00Z if unknown.
             */
            consentExpiresAt: string;
            /** @description Whether connectionStatus is Active, so that we can read the account. */
            isActive: boolean;
            /** @description Whether we can read the account only after the user has authorised again. */
            isInteractive: boolean;
            /**
             * Format: date-time
             * @description When we last read all of the connection's accounts; 0001-01-01T00:00:00Z before the first time.
             */
            lastSuccessAt: string;
            /**
             * Format: date-time
             * @description The earliest time for a refresh with the user; 0001-01-01T00:00:00Z if unknown.
             */
            nextRefreshPossibleAt: string;
        };
        /** @description A link that takes the user to the bank. */
        ConnectionLink: {
            /**
             * Format: uuid
             * @description The connection that the link is for.
             */
            connectionId: string;
            /**
             * Format: date-time
             * @description When the link expires. The user must finish before that.
             */
            expiresAt: string;
            /**
             * Format: uri
             * @description Send the user here to authorise the connection, and nobody else: the address contains a secret, and whoever opens it can authorise.
             */
            redirectUrl: string;
        };
        /** @description The body of every JSON response that is not an error. */
        ConnectionLinkResponse: {
            /** @description A link that takes the user to the bank. */
            data: components["schemas"]["ConnectionLink"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description One page of the user's connections. */
        ConnectionList: {
            /** @description One page of the user's connections. */
            connections: components["schemas"]["Connection"][];
        };
        /** @description The body of every JSON response that is not an error. */
        ConnectionListResponse: {
            /** @description One page of the user's connections. */
            data: components["schemas"]["ConnectionList"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description All accounts have been read from the bank, whether or not there was anything new. */
        ConnectionRefreshedEvent: {
            /** @description What the event is about. */
            data: components["schemas"]["ConnectionRefreshedEventData"];
            /** @description Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one. */
            environment: "local" | "test" | "acceptance" | "production" | (string & {});
            /**
             * Format: uuid
             * @description The same in every callback for the event: recognize duplicates by it.
             */
            eventId: string;
            /**
             * @description What has happened.
             * @enum {string}
             */
            eventType: "connection.refreshed";
            /** @description True if the event is simulated. */
            isSimulated: boolean;
            /**
             * Format: date-time
             * @description When it happened, not when it was sent.
             */
            occurredAt: string;
            /** @description The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none. */
            userId: string;
        };
        /** @description The data of connection.refreshed. */
        ConnectionRefreshedEventData: {
            /**
             * Format: uuid
             * @description The connection.
             */
            connectionId: string;
            /** @description The connection's status. Known values: `Active`. More may be added: do not fail on an unknown one. */
            connectionStatus: "Active" | (string & {});
            /**
             * Format: uuid
             * @description The connection's bank.
             */
            providerId: string;
            /** @description The reason for the status; empty if there is none. */
            statusReason: string;
        };
        /** @description The body of every JSON response that is not an error. */
        ConnectionResponse: {
            /** @description A user's connection to a bank: the consent to read accounts there. */
            data: components["schemas"]["ConnectionData"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description The user has revoked the consent at the bank. */
        ConnectionRevokedEvent: {
            /** @description What the event is about. */
            data: components["schemas"]["ConnectionRevokedEventData"];
            /** @description Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one. */
            environment: "local" | "test" | "acceptance" | "production" | (string & {});
            /**
             * Format: uuid
             * @description The same in every callback for the event: recognize duplicates by it.
             */
            eventId: string;
            /**
             * @description What has happened.
             * @enum {string}
             */
            eventType: "connection.revoked";
            /** @description True if the event is simulated. */
            isSimulated: boolean;
            /**
             * Format: date-time
             * @description When it happened, not when it was sent.
             */
            occurredAt: string;
            /** @description The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none. */
            userId: string;
        };
        /** @description The data of connection.revoked. */
        ConnectionRevokedEventData: {
            /**
             * Format: uuid
             * @description The connection.
             */
            connectionId: string;
            /** @description The connection's status. Known values: `Revoked`. More may be added: do not fail on an unknown one. */
            connectionStatus: "Revoked" | (string & {});
            /**
             * Format: uuid
             * @description The connection's bank.
             */
            providerId: string;
            /** @description The reason for the status; empty if there is none. */
            statusReason: string;
        };
        /** @description A sync has failed for good: its retries are used up, or the bank refuses. The connection stays Active, its data is as old as lastSuccessAt, and syncs go on. Sent once, until a sync succeeds again. */
        ConnectionSyncFailedEvent: {
            /** @description What the event is about. */
            data: components["schemas"]["ConnectionSyncFailedEventData"];
            /** @description Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one. */
            environment: "local" | "test" | "acceptance" | "production" | (string & {});
            /**
             * Format: uuid
             * @description The same in every callback for the event: recognize duplicates by it.
             */
            eventId: string;
            /**
             * @description What has happened.
             * @enum {string}
             */
            eventType: "connection.sync_failed";
            /** @description True if the event is simulated. */
            isSimulated: boolean;
            /**
             * Format: date-time
             * @description When it happened, not when it was sent.
             */
            occurredAt: string;
            /** @description The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none. */
            userId: string;
        };
        /** @description The data of connection.sync_failed. */
        ConnectionSyncFailedEventData: {
            /**
             * Format: uuid
             * @description The connection.
             */
            connectionId: string;
            /** @description The connection's status. Known values: `Active`. More may be added: do not fail on an unknown one. */
            connectionStatus: "Active" | (string & {});
            /**
             * Format: uuid
             * @description The connection's bank.
             */
            providerId: string;
            /** @description The reason for the status; empty if there is none. */
            statusReason: string;
        };
        /** @description A sync has succeeded again after connection.sync_failed. */
        ConnectionSyncRecoveredEvent: {
            /** @description What the event is about. */
            data: components["schemas"]["ConnectionSyncRecoveredEventData"];
            /** @description Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one. */
            environment: "local" | "test" | "acceptance" | "production" | (string & {});
            /**
             * Format: uuid
             * @description The same in every callback for the event: recognize duplicates by it.
             */
            eventId: string;
            /**
             * @description What has happened.
             * @enum {string}
             */
            eventType: "connection.sync_recovered";
            /** @description True if the event is simulated. */
            isSimulated: boolean;
            /**
             * Format: date-time
             * @description When it happened, not when it was sent.
             */
            occurredAt: string;
            /** @description The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none. */
            userId: string;
        };
        /** @description The data of connection.sync_recovered. */
        ConnectionSyncRecoveredEventData: {
            /**
             * Format: uuid
             * @description The connection.
             */
            connectionId: string;
            /** @description The connection's status. Known values: `Active`. More may be added: do not fail on an unknown one. */
            connectionStatus: "Active" | (string & {});
            /**
             * Format: uuid
             * @description The connection's bank.
             */
            providerId: string;
            /** @description The reason for the status; empty if there is none. */
            statusReason: string;
        };
        /** @description What a user was told and answered on our consent page, and what happened to it. */
        Consent: {
            /** @description The accounts that the user chose at the bank, as the first sync found them. */
            accountIds: string[];
            /**
             * Format: date-time
             * @description When the user pressed a button.
             */
            answeredAt: string;
            /**
             * Format: date-time
             * @description When the bank authorised the consent.
             */
            authorisedAt?: string;
            /**
             * Format: uuid
             * @description The connection that the user agreed to.
             */
            connectionId: string;
            /**
             * Format: uuid
             * @description Identifies the record.
             */
            consentId: string;
            /** @description Given: the user agreed, and has not finished at the bank. Active: the bank is read with it. Declined: the user left. Unused: the user did not finish at the bank, or none of the known accounts came. Expired: its time was up. Revoked: ended at the bank. Replaced: by a newer one. Withdrawn: the connection was deleted. Erased: the user was erased. Known values: `Given`, `Active`, `Declined`, `Unused`, `Expired`, `Revoked`, `Replaced`, `Withdrawn`, `Erased`. More may be added: do not fail on an unknown one. */
            consentStatus: "Given" | "Active" | "Declined" | "Unused" | "Expired" | "Revoked" | "Replaced" | "Withdrawn" | "Erased" | (string & {});
            /**
             * Format: date-time
             * @description When the consent ended, or was declined.
             */
            endedAt?: string;
            /** @description Language of the text (ISO 639-1). */
            languageCode: string;
            /**
             * Format: uuid
             * @description The bank.
             */
            providerId: string;
            /** @description The bank's name. */
            providerName: string;
            /** @description What the page said, in the user's language, one paragraph a line. */
            text: string;
            /** @description SHA-256 of the text in UTF-8, in hexadecimal. */
            textSha256: string;
            /**
             * Format: int32
             * @description Version of the wording, apart from names and days.
             */
            textVersion: number;
            /**
             * Format: date-time
             * @description When the consent ends by itself.
             */
            validUntil: string;
        };
        /** @description The user's answers, the latest first. */
        ConsentList: {
            /** @description The user's answers, the latest first. */
            consents: components["schemas"]["Consent"][];
        };
        /** @description The body of every JSON response that is not an error. */
        ConsentListResponse: {
            /** @description The user's answers, the latest first. */
            data: components["schemas"]["ConsentList"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description When a contract can end. getDeadline explains each step, and takes more facts. */
        ContractDeadline: {
            /** @description As in getDeadline: with Latest, the law may allow an earlier end. Known values: `Exact`, `Latest`. More may be added: do not fail on an unknown one. */
            certainty?: "Exact" | "Latest" | (string & {});
            /** @description True if earliestEnd may cost something. */
            costs: boolean;
            /**
             * Format: date
             * @description When the contract ends if it is cancelled today by the product's first channel.
             */
            earliestEnd: string;
            /**
             * Format: date
             * @description The earliest end that costs nothing and rests on confirmed law. sendBy and nextChance refer to it.
             */
            earliestFreeEnd: string;
            /** @description Absent if any text will do. */
            form?: components["schemas"]["ContractForm"];
            /** @description Facts that would change the deadline, as in getDeadline. */
            missing: string[];
            /**
             * Format: date
             * @description When the contract ends if the first day of sendBy is missed.
             */
            nextChance?: string;
            /** @description The last day to send a cancellation by each channel, the product's first channel first. Empty if the contract ends by itself, and if certainty is Latest. */
            sendBy: components["schemas"]["ContractSendBy"][];
        };
        /** @description A recurring contract must be cancelled in 30 days, or in 7, or it runs for more than a month longer. Sent once each for every deadline. The days follow from what is known; contractStartSource says whether the start is a guess. */
        ContractDeadlineApproachingEvent: {
            /** @description What the event is about. */
            data: components["schemas"]["ContractDeadlineApproachingEventData"];
            /** @description Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one. */
            environment: "local" | "test" | "acceptance" | "production" | (string & {});
            /**
             * Format: uuid
             * @description The same in every callback for the event: recognize duplicates by it.
             */
            eventId: string;
            /**
             * @description What has happened.
             * @enum {string}
             */
            eventType: "contract.deadline_approaching";
            /** @description True if the event is simulated. */
            isSimulated: boolean;
            /**
             * Format: date-time
             * @description When it happened, not when it was sent.
             */
            occurredAt: string;
            /** @description The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none. */
            userId: string;
        };
        /** @description The data of contract.deadline_approaching. */
        ContractDeadlineApproachingEventData: {
            /** @description As in getDeadline: with Latest, the law may allow an earlier end. Known values: `Exact`, `Latest`. More may be added: do not fail on an unknown one. */
            certainty: "Exact" | "Latest" | (string & {});
            /** @description The product's first channel. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one. */
            channel: "Email" | "Mail" | "RegisteredMail" | "Fax" | (string & {});
            /**
             * Format: date
             * @description First day of the contract.
             */
            contractStart: string;
            /** @description FirstPayment: a guess. User: what the user said. Known values: `FirstPayment`, `User`. More may be added: do not fail on an unknown one. */
            contractStartSource: "FirstPayment" | "User" | (string & {});
            /**
             * Format: date
             * @description When the contract ends, without costs, if the deadline is met.
             */
            earliestEnd: string;
            /**
             * Format: date
             * @description When the contract ends if the deadline is missed.
             */
            nextChance: string;
            /**
             * Format: uuid
             * @description The organization to cancel with.
             */
            organizationId: string;
            /**
             * Format: uuid
             * @description The product to cancel.
             */
            productId: string;
            /**
             * Format: date
             * @description The last day to send the cancellation by that channel.
             */
            sendBy: string;
            /**
             * Format: uuid
             * @description The contract, of GET /openbanking/v1/insights/subscriptions.
             */
            subscriptionId: string;
        };
        /** @description What a cancellation must look like to be valid, as in getDeadline. */
        ContractForm: {
            /** @description Why, for the user. */
            reason: string;
            /** @description What is required. Known values: `Text`, `Written`, `Registered`, `NewProvider`. More may be added: do not fail on an unknown one. */
            requirement: "Text" | "Written" | "Registered" | "NewProvider" | (string & {});
        };
        /** @description A recurring contract costs more: a debit, or two if they come every month, had a new price after at least two or three at the old one. Sent once for each rise, unless the debit is more than 60 days old. GET /openbanking/v1/insights/price-changes has the prices, and whether the rise gives a right to end the contract. */
        ContractPriceIncreasedEvent: {
            /** @description What the event is about. */
            data: components["schemas"]["ContractPriceIncreasedEventData"];
            /** @description Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one. */
            environment: "local" | "test" | "acceptance" | "production" | (string & {});
            /**
             * Format: uuid
             * @description The same in every callback for the event: recognize duplicates by it.
             */
            eventId: string;
            /**
             * @description What has happened.
             * @enum {string}
             */
            eventType: "contract.price_increased";
            /** @description True if the event is simulated. */
            isSimulated: boolean;
            /**
             * Format: date-time
             * @description When it happened, not when it was sent.
             */
            occurredAt: string;
            /** @description The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none. */
            userId: string;
        };
        /** @description The data of contract.price_increased. */
        ContractPriceIncreasedEventData: {
            /**
             * Format: date
             * @description Day of that debit.
             */
            since: string;
            /**
             * Format: uuid
             * @description The contract, of GET /openbanking/v1/insights/subscriptions.
             */
            subscriptionId: string;
            /**
             * Format: uuid
             * @description The first debit at the new price.
             */
            transactionId: string;
        };
        /** @description The last day for one channel. */
        ContractSendBy: {
            /** @description How the cancellation is sent. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one. */
            channel: "Email" | "Mail" | "RegisteredMail" | "Fax" | (string & {});
            /**
             * Format: date
             * @description The last day to send it.
             */
            date: string;
        };
        /** @description When the contract began. */
        ContractStart: {
            /**
             * Format: date
             * @description First day of the contract.
             */
            date: string;
            /** @description FirstPayment: a guess, the day of the first known payment. User: what the user said. Known values: `FirstPayment`, `User`. More may be added: do not fail on an unknown one. */
            source: "FirstPayment" | "User" | (string & {});
        };
        /** @description The contract to cancel, and what the letter needs. */
        CreateCancellationRequest: {
            /**
             * Format: date
             * @description Last day of the contract, from today to ten years ahead; the earliest possible by default. If the contract cannot end on it, the error has the next day as earliestEnd. That is not checked if the terms of the product are not known, or depend on when the contract began.
             */
            endDate?: string | null;
            /** @description Your own identifier, unique per user. Sending it again with the same content returns the first cancellation. */
            externalCancellationRequestIdentifier?: string | null;
            /** @description The user consents to a letter that reveals an opinion or belief. Must be true if the organization's extraConsent is. */
            extraConsent?: boolean | null;
            /** @description Language of the letter: one of the locales of the product. */
            locale: string;
            /**
             * Format: uuid
             * @description Who the contract is with.
             */
            organizationId: string;
            /** @description One for each field of the product's template. */
            parameters: components["schemas"]["CancellationParameter"][];
            /**
             * Format: uuid
             * @description What to cancel; one of the products of the organization.
             */
            productId: string;
            /** @description Why; Ordinary by default. 422 if we know no such right in the country for this kind of contract, or if its date is missing. */
            reason?: components["schemas"]["GivenReason"] | null;
            /** @description Cancel even if the user has already cancelled this contract. Otherwise you get already_cancelled. */
            repeat?: boolean | null;
            /** @description E-mail address for the organization's answer, if the template has no EMAIL. Without either, it goes to the user's postal address and our mailbox. */
            replyTo?: string | null;
            /** @description Signature of the user, for the letter. */
            signature: components["schemas"]["Signature"];
            /**
             * Format: uuid
             * @description The contract in the user's account, from listRecurringContracts. Without it, we look for the only contract with the organization.
             */
            subscriptionId?: string | null;
        };
        /** @description The bank to connect, and where to send the user afterwards. */
        CreateConnectionRequest: {
            /** @description Optional, and ignored: the user picks the accounts at the bank. */
            accountType?: ("CurrentAccount" | "SavingAccount" | "BonusAccount" | "CreditCard" | "Loan" | "Mortgage" | "Overdraft" | "Investment" | "Insurance" | "Cash" | "General") | null;
            /**
             * Format: uuid
             * @description The bank, from GET /openbanking/v1/providers.
             */
            providerId: string;
            /**
             * Format: uri
             * @description Where the user returns to. Must be under a URL that is registered for you, else the answer is 422 return_url_not_registered, whose errors[].detail lists the registered ones. Without it, the first of those is used. We add connectionId and status to its query.
             */
            returnUrl?: string | null;
        };
        /** @description What the letter needs: the same as the letter of cancellation. */
        CreateObjectionRequest: {
            /** @description One for each field of the product's template. */
            parameters: components["schemas"]["CancellationParameter"][];
            /** @description As in createCancellation. */
            replyTo?: string | null;
            /** @description Signature of the user, for the letter. */
            signature: components["schemas"]["Signature"];
        };
        /** @description The request of the deprecated operation. It is checked, and otherwise ignored. */
        CreateOpenBankingClientRequest: {
            /** @description The user's country (ISO 3166-1 alpha-2). Case does not matter. */
            countryCode: string;
            /** @description The user's language (ISO 639), in lower case. */
            languageCode: string;
        };
        /** @description Transactions for one account. */
        CreateTestTransactionsRequest: {
            /**
             * Format: uuid
             * @description One of the user's accounts at a sandbox bank.
             */
            accountId: string;
            /** @description The transactions to add. */
            transactions: components["schemas"]["TestTransaction"][];
        };
        /** @description The request for a token (RFC 6749 §4.4.2). */
        CreateTokenRequest: {
            /** @description Required unless sent with HTTP Basic. */
            client_id?: string;
            /** @description Required unless sent with HTTP Basic. */
            client_secret?: string;
            /**
             * @description The only grant.
             * @enum {string}
             */
            grant_type: "client_credentials";
            /** @description A space-separated subset of the client's scopes. Default: all of them. */
            scope?: string;
        };
        /** @description A new user. */
        CreateUserRequest: {
            /** @description The user's country (ISO 3166-1 alpha-2). */
            countryCode: string;
            /** @description Your own ID for the user. The same ID always returns the same user. Do not use a name or an e-mail address. */
            externalId?: string | null;
            /** @description Language (ISO 639) of our pages for the user. */
            languageCode: string;
        };
        /** @description An empty object, which may be left out: a secret has no settings. */
        CreateWebhookSecretRequest: Record<string, never>;
        /** @description Which events to post, and where. */
        CreateWebhookSubscriptionRequest: {
            /** @description Your own note. Default: empty. */
            description?: string | null;
            /** @description Event types of GET /webhooks/v1/event-types, or only "*" for all types, including future ones. */
            events: string[];
            /** @description The URL to post events to: https on port 443, 8443 or 8843, in production on any port, or http on 80, 8080 or 8888. */
            serverUrl: string;
        };
        /** @description The cancellation or, with dryRun, the preview of its letter. */
        CreatedCancellationData: {
            /** @description Absent with dryRun. */
            cancellation?: components["schemas"]["Cancellation"];
            /** @description Present only with dryRun. */
            letter?: components["schemas"]["CancellationLetter"];
        };
        /** @description The body of every JSON response that is not an error. */
        CreatedCancellationResponse: {
            /** @description The cancellation or, with dryRun, the preview of its letter. */
            data: components["schemas"]["CreatedCancellationData"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description A new subscription and its first secret. */
        CreatedWebhookSubscriptionData: {
            /** @description The first secret. Store its key now: no other response has it. */
            secret: components["schemas"]["WebhookSecret"];
            /** @description A subscription to events, and whether it receives them. */
            subscription: components["schemas"]["WebhookSubscription"];
        };
        /** @description The body of every JSON response that is not an error. */
        CreatedWebhookSubscriptionResponse: {
            /** @description A new subscription and its first secret. */
            data: components["schemas"]["CreatedWebhookSubscriptionData"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description When a contract can end, and by when its cancellation must be sent. It is computed from terms, statutes and public holidays; it is not legal advice. */
        Deadline: {
            /** @description Exact: by the contract and the law. Latest: no law is known, so that this is the latest end; the law may allow an earlier one, and the user should send the cancellation now. Absent if earliestEnd is. Known values: `Exact`, `Latest`. More may be added: do not fail on an unknown one. */
            certainty?: "Exact" | "Latest" | (string & {});
            /** @description True if earliestEnd may cost something, so that earliestFreeEnd is later. */
            costs: boolean;
            /**
             * Format: date
             * @description The last day of the contract, if the cancellation is sent in time. Absent if it cannot be computed; missing says why.
             */
            earliestEnd?: string;
            /**
             * Format: date
             * @description The earliest end that costs nothing. Absent if earliestEnd is.
             */
            earliestFreeEnd?: string;
            /** @description Absent if any text will do. */
            form?: components["schemas"]["RequiredForm"];
            /** @description Facts that would change the answer. terms: those of the product are not known, send agreedTerms. holidays: those of the recipient's country are not known. sector: it is not known, so that no statute was applied; send it in agreedTerms. law: no statute of the country and sector is known. concludedAt: a right to withdraw depends on it; send it in agreedTerms. The others are named as the facts that you can send. */
            missing: ("terms" | "contractStart" | "customer" | "renewalReminder" | "concludedOn" | "holidays" | "sector" | "law" | "concludedAt" | (string & {}))[];
            /**
             * Format: date
             * @description The next free end, if the last day to send by the first channel is missed. Absent if there is none.
             */
            nextChance?: string;
            /** @description The reason to send with createCancellation, if the facts give one: Withdrawal, with its date, or NotReminded. Absent if they do not. */
            reason?: components["schemas"]["Reason"];
            /** @description The reasons that we know from the law of the country, for this kind of contract. */
            reasons: components["schemas"]["KnownReason"][];
            /** @description The channels by which the contract can end on earliestFreeEnd; the one that counts is first. Channels that do not count by law are left out. Empty if the contract ends by itself, if certainty is Latest, and if earliestEnd is absent. */
            sendBy: components["schemas"]["SendBy"][];
            /** @description How it was computed, step by step. */
            steps: components["schemas"]["DeadlineStep"][];
            /** @description The right to withdraw from a new contract, while it lasts. Absent if there is none, or if that is not known. */
            withdrawal?: components["schemas"]["Withdrawal"];
        };
        /** @description When a contract can end, and by when its cancellation must be sent. It is computed from terms, statutes and public holidays; it is not legal advice. */
        DeadlineData: {
            /** @description When a contract can end, and by when its cancellation must be sent. It is computed from terms, statutes and public holidays; it is not legal advice. */
            deadline: components["schemas"]["Deadline"];
        };
        /** @description The body of every JSON response that is not an error. */
        DeadlineResponse: {
            /** @description When a contract can end, and by when its cancellation must be sent. It is computed from terms, statutes and public holidays; it is not legal advice. */
            data: components["schemas"]["DeadlineData"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description A step of the computation. */
        DeadlineStep: {
            /** @description What the step does, such as notice_period. The guide to deadlines lists the rules. */
            rule: string;
            /** @description Where the rule is from: a statute with the address of its official text, the product's terms, or the source of the public holidays. Empty for a missing fact. */
            source: string;
            /** @description The step for the user, in the language of the locale. */
            text: string;
        };
        /** @description A payment for a contract after its end. */
        DebitAfterEnd: {
            /** @description Negative, in major units. */
            amount: components["schemas"]["Amount"];
            /** @description ISO 4217. */
            currencyCode: string;
            /**
             * Format: date
             * @description Its day.
             */
            date: string;
            /**
             * Format: uuid
             * @description The transaction that paid it back in full; absent if none has.
             */
            refundTransactionId?: string;
            /**
             * Format: uuid
             * @description The transaction in the user's account.
             */
            transactionId: string;
        };
        /** @description One attempt to post an event to you. */
        DeliveryAttempt: {
            /**
             * Format: uuid
             * @description Identifies the attempt.
             */
            attemptId: string;
            /**
             * Format: int32
             * @description Which of the three attempts this was.
             */
            attemptNumber: number;
            /** @description What went wrong, such as a member missing from the acknowledgement; otherwise empty. */
            detail: string;
            /**
             * Format: int32
             * @description How long the attempt took, in milliseconds.
             */
            durationMs: number;
            /**
             * Format: uuid
             * @description The event. It equals the id of the callback, and is the same in every attempt.
             */
            eventId: string;
            /** @description The type of the event. */
            eventType: string;
            /**
             * Format: int32
             * @description HTTP status of your response; null if there was none.
             */
            httpStatus: number | null;
            /**
             * Format: date-time
             * @description When the event is posted again; null after an acknowledgement and after the last attempt.
             */
            nextAttemptAt: string | null;
            /** @description How the attempt ended. Only Acknowledged ends the delivery; The guide to webhooks says what to do about the others. Known values: `Acknowledged`, `NotAcknowledged`, `InvalidAcknowledgement`, `HttpError`, `RedirectRefused`, `Timeout`, `DnsError`, `TlsError`, `ConnectionError`, `AddressRefused`, `ResponseTooLarge`. More may be added: do not fail on an unknown one. */
            outcome: "Acknowledged" | "NotAcknowledged" | "InvalidAcknowledgement" | "HttpError" | "RedirectRefused" | "Timeout" | "DnsError" | "TlsError" | "ConnectionError" | "AddressRefused" | "ResponseTooLarge" | (string & {});
            /** @description The body of the callback as it was sent, with the members described under Events. Kept for testing only, in environments with a sandbox; in production nothing is kept. Missing for user.erased, for callbacks of more than 16 KB, and once the user has been erased. */
            payload?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the attempt started.
             */
            startedAt: string;
        };
        /** @description One page of attempts, newest first. */
        DeliveryAttemptList: {
            /** @description One page of attempts, newest first. */
            attempts: components["schemas"]["DeliveryAttempt"][];
        };
        /** @description The body of every JSON response that is not an error. */
        DeliveryAttemptListResponse: {
            /** @description One page of attempts, newest first. */
            data: components["schemas"]["DeliveryAttemptList"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description The erasure of a user, as it begins. */
        Erasure: {
            /**
             * Format: uuid
             * @description The ID of the receipt. Keep it: nothing else leads to the receipt once the user is erased.
             */
            erasureId: string;
            /** @description Running until everything is deleted, then Completed. Known values: `Running`, `Completed`. More may be added: do not fail on an unknown one. */
            status: "Running" | "Completed" | (string & {});
        };
        /** @description The erasure of a user, as it begins. */
        ErasureData: {
            /** @description The erasure of a user, as it begins. */
            erasure: components["schemas"]["Erasure"];
        };
        /** @description The receipt of an erasure. It has no personal data. */
        ErasureReceipt: {
            /**
             * Format: date-time
             * @description Absent while the erasure is running.
             */
            completedAt?: string;
            /** @description How much was erased, by kind. We may add kinds. Final when the status is Completed. */
            counts: {
                [key: string]: number;
            };
            /**
             * Format: uuid
             * @description The ID that the erasure returned.
             */
            erasureId: string;
            /**
             * Format: date-time
             * @description When calls stopped finding the user.
             */
            requestedAt: string;
            /** @description Running until everything is deleted, then Completed. Known values: `Running`, `Completed`. More may be added: do not fail on an unknown one. */
            status: "Running" | "Completed" | (string & {});
        };
        /** @description The receipt of an erasure. It has no personal data. */
        ErasureReceiptData: {
            /** @description The receipt of an erasure. It has no personal data. */
            erasure: components["schemas"]["ErasureReceipt"];
        };
        /** @description The body of every JSON response that is not an error. */
        ErasureReceiptResponse: {
            /** @description The receipt of an erasure. It has no personal data. */
            data: components["schemas"]["ErasureReceiptData"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description The body of every JSON response that is not an error. */
        ErasureResponse: {
            /** @description The erasure of a user, as it begins. */
            data: components["schemas"]["ErasureData"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description Your answer to a callback. Other members are ignored. */
        EventAcknowledgement: {
            /** @description True if you have the event. False is a failure. */
            isAcknowledged: boolean;
            /**
             * Format: date-time
             * @description Your current time (RFC 3339).
             */
            timestamp: string;
        };
        /** @description A type of event that you can subscribe to. */
        EventType: {
            /** @description What has happened, and what to do. */
            description: string;
            /** @description Name of the type. */
            eventType: string;
            /** @description An example of the data. */
            example: {
                [key: string]: unknown;
            };
            /** @description The JSON Schema (2020-12) of the callback's data. */
            schema: {
                [key: string]: unknown;
            };
        };
        /** @description All types of events. */
        EventTypeList: {
            /** @description All types of events. */
            eventTypes: components["schemas"]["EventType"][];
        };
        /** @description The body of every JSON response that is not an error. */
        EventTypeListResponse: {
            /** @description All types of events. */
            data: components["schemas"]["EventTypeList"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description All data of a user, to download. */
        Export: {
            /**
             * Format: date-time
             * @description Until when getExport returns new links.
             */
            expiresAt: string;
            /** @description Identifies the export. Opaque. */
            exportId: string;
            /** @description One archive for each scope of the access token. */
            files: components["schemas"]["ExportFile"][];
            /** @description Ready at once. Known values: `Ready`. More may be added: do not fail on an unknown one. */
            status: "Ready" | (string & {});
        };
        /** @description All data of a user, to download. */
        ExportData: {
            /** @description All data of a user, to download. */
            export: components["schemas"]["Export"];
        };
        /** @description An archive in the format ZIP. */
        ExportFile: {
            /**
             * Format: date-time
             * @description Until when the address works.
             */
            expiresAt: string;
            /** @description user.zip, banking.zip or cancellations.zip. */
            name: string;
            /**
             * Format: uri
             * @description The archive. Whoever has the address can read it.
             */
            url: string;
        };
        /** @description The body of every JSON response that is not an error. */
        ExportResponse: {
            /** @description All data of a user, to download. */
            data: components["schemas"]["ExportData"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description Why the user is cancelling. The letter names the reason with its article. */
        GivenReason: {
            /**
             * Format: date
             * @description The day of the price rise, move or death or, for a withdrawal, the day on which the contract was concluded.
             */
            date?: string | null;
            /**
             * @description Ordinary: at the end of the term, by notice. The others end it early, where the law knows them: getDeadline lists them. Withdrawal: within the first days. Special: good cause.
             * @enum {string}
             */
            kind: "Ordinary" | "Withdrawal" | "PriceRise" | "Moved" | "NotReminded" | "NoCancellationButton" | "Death" | "Special";
            /** @description What happened, and when. The letter says it. Good cause is nothing without it. */
            text?: string | null;
        };
        /** @description A category or, with categoryLevel=L2, a subcategory. */
        InsightCategory: {
            /**
             * Format: int32
             * @description L1 or L2 ID.
             */
            id: number;
            /** @description Stable name for programs, such as FOOD_AND_DRINKS. */
            name: string;
        };
        /** @description A JSON Web Key Set (RFC 7517). */
        KeySet: {
            /** @description The public keys. Find a token's key by its kid. */
            keys: {
                [key: string]: unknown;
            }[];
        };
        /** @description A reason to end a contract before its term. */
        KnownReason: {
            /** @description Whether we read the law itself, or a report of it. */
            confirmed: boolean;
            /** @description The kind, as createCancellation takes it. Known values: `Withdrawal`, `PriceRise`, `Moved`, `NotReminded`, `NoCancellationButton`, `Death`, `Special`. More may be added: do not fail on an unknown one. */
            kind: "Withdrawal" | "PriceRise" | "Moved" | "NotReminded" | "NoCancellationButton" | "Death" | "Special" | (string & {});
            /** @description Whether it needs a date. */
            needsDate: boolean;
            /** @description Whether it needs a text, because the law wants the facts in the letter. */
            needsText: boolean;
            /** @description The article, with the address of its official text. */
            source: string;
        };
        /** @description The last payment for a contract. */
        LastDebit: {
            /** @description Negative, in major units. */
            amount: components["schemas"]["Amount"];
            /**
             * Format: date
             * @description Its day.
             */
            date: string;
            /**
             * Format: uuid
             * @description The transaction.
             */
            transactionId: string;
        };
        /** @description The carrier reported a delay, and still tries to deliver the letter. The status does not change. */
        LetterDelay: {
            /**
             * Format: date-time
             * @description When it was first reported.
             */
            at: string;
            /** @description The carrier's code, such as MailboxFull. */
            reason: string;
        };
        /** @description The sum of one merchant or counterparty, in one currency and one period. */
        MerchantInsight: {
            /** @description Sum in major units; negative for expenses. */
            amount: components["schemas"]["Amount"];
            /** @description ISO 4217. Amounts are not converted. */
            currencyCode: string;
            /** @description The merchant or, if it is unknown, the counterparty. */
            merchant: components["schemas"]["Reference"];
            /**
             * Format: int32
             * @description How many transactions the sum is of.
             */
            numberOfTransactions: number;
            /**
             * Format: date
             * @description First day of the period; absent for alltime.
             */
            periodStart?: string;
        };
        /** @description Sums of transactions by merchant. */
        MerchantInsightList: {
            /** @description Length of a period, as requested. Known values: `alltime`, `daily`, `weekly`, `monthly`, `quarterly`, `yearly`. More may be added: do not fail on an unknown one. */
            granularity: "alltime" | "daily" | "weekly" | "monthly" | "quarterly" | "yearly" | (string & {});
            /** @description The sums, ordered as orderBy says. */
            insights: components["schemas"]["MerchantInsight"][];
        };
        /** @description The body of every JSON response that is not an error. */
        MerchantInsightListResponse: {
            /** @description Sums of transactions by merchant. */
            data: components["schemas"]["MerchantInsightList"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description What a response says about itself. */
        Meta: {
            /** @description Where a list continues. Empty after its last page, and for what is not a list. */
            pagination: components["schemas"]["Pagination"];
        };
        /** @description A letter that objects to debits after the end of a contract, and its status. */
        Objection: {
            /**
             * Format: uuid
             * @description The cancellation that it belongs to.
             */
            cancellationId: string;
            /** @description How the letter is sent. If a channel fails, the next allowed one is used. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one. */
            channel: "Email" | "Mail" | "RegisteredMail" | "Fax" | (string & {});
            /**
             * Format: date-time
             * @description When the objection was created.
             */
            createdAt: string;
            /** @description What it objects to, as it was when the letter was written. */
            debits: components["schemas"]["DebitAfterEnd"][];
            /** @description SHA-256 of the enclosure, in hexadecimal: the evidence.pdf of the cancellation. An e-mail has it as a second file. In other channels its pages follow the letter. */
            enclosureSha256: string;
            /** @description Every status so far, oldest first. */
            history: components["schemas"]["CancellationStep"][];
            /** @description SHA-256 of the letter's PDF, in hexadecimal. */
            letterSha256: string;
            /**
             * Format: uuid
             * @description Identifies the objection. getCancellationLetter and getCancellationEvidence take it, too.
             */
            objectionId: string;
            /** @description DeliveryFailed: no channel worked, so you can send another objection. Known values: `Created`, `Queued`, `Sent`, `Delivered`, `DeliveryFailed`. More may be added: do not fail on an unknown one. */
            status: "Created" | "Queued" | "Sent" | "Delivered" | "DeliveryFailed" | (string & {});
            /** @description Why it was not delivered; otherwise empty. Known values: `Undeliverable`, `CarrierRefused`, `CarrierUnavailable`. More may be added: do not fail on an unknown one. */
            statusReason: "" | "Undeliverable" | "CarrierRefused" | "CarrierUnavailable" | (string & {});
            /** @description Tracking number of registered mail; empty until the carrier reports one. */
            trackingNumber: string;
            /**
             * Format: date-time
             * @description When the status last changed.
             */
            updatedAt: string;
        };
        /** @description A preview of a letter. */
        ObjectionData: {
            /** @description A preview of a letter. */
            letter: components["schemas"]["CancellationLetter"];
        };
        /** @description The letter of objection has been delivered to the organization. */
        ObjectionDeliveredEvent: {
            /** @description What the event is about. */
            data: components["schemas"]["ObjectionDeliveredEventData"];
            /** @description Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one. */
            environment: "local" | "test" | "acceptance" | "production" | (string & {});
            /**
             * Format: uuid
             * @description The same in every callback for the event: recognize duplicates by it.
             */
            eventId: string;
            /**
             * @description What has happened.
             * @enum {string}
             */
            eventType: "objection.delivered";
            /** @description True if the event is simulated. */
            isSimulated: boolean;
            /**
             * Format: date-time
             * @description When it happened, not when it was sent.
             */
            occurredAt: string;
            /** @description The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none. */
            userId: string;
        };
        /** @description The data of objection.delivered. */
        ObjectionDeliveredEventData: {
            /**
             * Format: uuid
             * @description The cancellation.
             */
            cancellationId: string;
            /** @description How the letter is sent. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one. */
            channel: "Email" | "Mail" | "RegisteredMail" | "Fax" | (string & {});
            /** @description The partner's own identifier; empty if it gave none. */
            externalCancellationRequestIdentifier: string;
            /**
             * Format: uuid
             * @description The objection, of GET /cancellations/v1/cancellations/{cancellationId}/objections.
             */
            objectionId: string;
            /** @description The new status. Known values: `Delivered`. More may be added: do not fail on an unknown one. */
            status: "Delivered" | (string & {});
            /** @description The reason for the status; empty if there is none. */
            statusReason: string;
        };
        /** @description The letter of objection could not be delivered through any channel. */
        ObjectionDeliveryFailedEvent: {
            /** @description What the event is about. */
            data: components["schemas"]["ObjectionDeliveryFailedEventData"];
            /** @description Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one. */
            environment: "local" | "test" | "acceptance" | "production" | (string & {});
            /**
             * Format: uuid
             * @description The same in every callback for the event: recognize duplicates by it.
             */
            eventId: string;
            /**
             * @description What has happened.
             * @enum {string}
             */
            eventType: "objection.delivery_failed";
            /** @description True if the event is simulated. */
            isSimulated: boolean;
            /**
             * Format: date-time
             * @description When it happened, not when it was sent.
             */
            occurredAt: string;
            /** @description The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none. */
            userId: string;
        };
        /** @description The data of objection.delivery_failed. */
        ObjectionDeliveryFailedEventData: {
            /**
             * Format: uuid
             * @description The cancellation.
             */
            cancellationId: string;
            /** @description How the letter is sent. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one. */
            channel: "Email" | "Mail" | "RegisteredMail" | "Fax" | (string & {});
            /** @description The partner's own identifier; empty if it gave none. */
            externalCancellationRequestIdentifier: string;
            /**
             * Format: uuid
             * @description The objection, of GET /cancellations/v1/cancellations/{cancellationId}/objections.
             */
            objectionId: string;
            /** @description The new status. Known values: `DeliveryFailed`. More may be added: do not fail on an unknown one. */
            status: "DeliveryFailed" | (string & {});
            /** @description The reason for the status; empty if there is none. */
            statusReason: string;
        };
        /** @description All objections, oldest first. */
        ObjectionList: {
            /** @description All objections, oldest first. */
            objections: components["schemas"]["Objection"][];
        };
        /** @description The body of every JSON response that is not an error. */
        ObjectionListResponse: {
            /** @description All objections, oldest first. */
            data: components["schemas"]["ObjectionList"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description The body of every JSON response that is not an error. */
        ObjectionResponse: {
            /** @description A preview of a letter. */
            data: components["schemas"]["ObjectionData"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description A letter that objects to debits after the end of a contract has been handed over for delivery. */
        ObjectionSentEvent: {
            /** @description What the event is about. */
            data: components["schemas"]["ObjectionSentEventData"];
            /** @description Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one. */
            environment: "local" | "test" | "acceptance" | "production" | (string & {});
            /**
             * Format: uuid
             * @description The same in every callback for the event: recognize duplicates by it.
             */
            eventId: string;
            /**
             * @description What has happened.
             * @enum {string}
             */
            eventType: "objection.sent";
            /** @description True if the event is simulated. */
            isSimulated: boolean;
            /**
             * Format: date-time
             * @description When it happened, not when it was sent.
             */
            occurredAt: string;
            /** @description The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none. */
            userId: string;
        };
        /** @description The data of objection.sent. */
        ObjectionSentEventData: {
            /**
             * Format: uuid
             * @description The cancellation.
             */
            cancellationId: string;
            /** @description How the letter is sent. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one. */
            channel: "Email" | "Mail" | "RegisteredMail" | "Fax" | (string & {});
            /** @description The partner's own identifier; empty if it gave none. */
            externalCancellationRequestIdentifier: string;
            /**
             * Format: uuid
             * @description The objection, of GET /cancellations/v1/cancellations/{cancellationId}/objections.
             */
            objectionId: string;
            /** @description The new status. Known values: `Sent`. More may be added: do not fail on an unknown one. */
            status: "Sent" | (string & {});
            /** @description The reason for the status; empty if there is none. */
            statusReason: string;
        };
        /** @description A client of the deprecated operation. Nothing else uses it. */
        OpenBankingClient: {
            /**
             * Format: uuid
             * @description No operation needs this ID.
             */
            id: string;
        };
        /** @description A client of the deprecated operation. Nothing else uses it. */
        OpenBankingClientData: {
            /** @description A client of the deprecated operation. Nothing else uses it. */
            client: components["schemas"]["OpenBankingClient"];
        };
        /** @description The body of every JSON response that is not an error. */
        OpenBankingClientResponse: {
            /** @description A client of the deprecated operation. Nothing else uses it. */
            data: components["schemas"]["OpenBankingClientData"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description A company, club or other body that contracts can be cancelled with. */
        Organization: {
            /**
             * Format: uuid
             * @description Category of the organization.
             */
            categoryId: string;
            /** @description Whether its address is confirmed for cancellations. Letters to others go out by post or fax alone. */
            confirmed: boolean;
            /** @description Whether a cancellation reveals an opinion or belief and so needs the extra consent of the user. */
            extraConsent: boolean;
            /**
             * Format: uuid
             * @description Identifies the organization.
             */
            id: string;
            /** @description Languages of its letters, in the form <language>-<COUNTRY>. */
            locales: string[];
            /** @description Its name, for the user. */
            name: string;
            /** @description Where its data comes from, and when; empty if the operator keeps it. */
            source: string;
            /** @description Its web site; empty if unknown. */
            url: string;
        };
        /** @description A category of organizations. */
        OrganizationCategory: {
            /**
             * Format: uuid
             * @description Identifies the category.
             */
            id: string;
            /** @description Its name in the requested language. */
            name: string;
        };
        /** @description All categories, in display order. */
        OrganizationCategoryList: {
            /** @description All categories, in display order. */
            categories: components["schemas"]["OrganizationCategory"][];
        };
        /** @description The body of every JSON response that is not an error. */
        OrganizationCategoryListResponse: {
            /** @description All categories, in display order. */
            data: components["schemas"]["OrganizationCategoryList"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description A company, club or other body that contracts can be cancelled with. */
        OrganizationData: {
            /** @description A company, club or other body that contracts can be cancelled with. */
            organization: components["schemas"]["Organization"];
        };
        /** @description One page of organizations, sorted by name. */
        OrganizationList: {
            /** @description One page of organizations, sorted by name. */
            organizations: components["schemas"]["Organization"][];
        };
        /** @description The body of every JSON response that is not an error. */
        OrganizationListResponse: {
            /** @description One page of organizations, sorted by name. */
            data: components["schemas"]["OrganizationList"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description The body of every JSON response that is not an error. */
        OrganizationResponse: {
            /** @description A company, club or other body that contracts can be cancelled with. */
            data: components["schemas"]["OrganizationData"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description Where a list continues. Empty after its last page, and for what is not a list. */
        Pagination: {
            /**
             * @description Opaque. Pass it as the query parameter nextToken to get the next page. Valid for 24 hours, for the same user and filters.
             * @example kq3Vt0bS7mC1yQ
             */
            nextToken?: string;
        };
        /** @description How much of the bank's data the last sync could not read. */
        PartialData: {
            /**
             * Format: int32
             * @description Number of accounts whose balance or transactions could not be read in full. What was read before stays as it is.
             */
            accounts: number;
            /**
             * Format: int32
             * @description How many transactions could not be read.
             */
            rows: number;
            /**
             * Format: date-time
             * @description When the bank's limit on an account ends. Left out if no limit is the cause, or if the bank has not named a time.
             */
            until?: string;
        };
        /** @description A price change of a running contract. */
        PriceChange: {
            /** @description Currency of all amounts (ISO 4217). */
            currencyCode: string;
            /** @description The merchant or, if it is unknown, the counterparty. */
            merchant: components["schemas"]["Reference"];
            /** @description The new price of one payment, negative. */
            newAmount: components["schemas"]["Amount"];
            /** @description The old price of one payment, negative. */
            oldAmount: components["schemas"]["Amount"];
            /** @description By what percentage the price rose, with two decimal places; negative if it fell. */
            percent: components["schemas"]["Amount"];
            /** @description How often a payment is due. Known values: `Weekly`, `BiWeekly`, `Monthly`, `Quarterly`, `SemiAnnually`, `Annually`. More may be added: do not fail on an unknown one. */
            recurrenceFrequency: "Weekly" | "BiWeekly" | "Monthly" | "Quarterly" | "SemiAnnually" | "Annually" | (string & {});
            /**
             * Format: date
             * @description Day of the first payment at the new price.
             */
            since: string;
            /** @description Whether the change gives a right to end the contract early. It is computed from statutes; it is not legal advice. */
            specialRight: components["schemas"]["SpecialRight"];
            /**
             * Format: uuid
             * @description The contract, as in listRecurringContracts.
             */
            subscriptionId: string;
            /**
             * Format: uuid
             * @description That payment.
             */
            transactionId: string;
            /** @description How much more a year costs; negative if it costs less. */
            yearlyDifference: components["schemas"]["Amount"];
        };
        /** @description The changes, the latest first. */
        PriceChangeList: {
            /** @description The changes, the latest first. */
            priceChanges: components["schemas"]["PriceChange"][];
        };
        /** @description The body of every JSON response that is not an error. */
        PriceChangeListResponse: {
            /** @description The changes, the latest first. */
            data: components["schemas"]["PriceChangeList"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description A reason, as createCancellation takes it. */
        PriceRiseReason: {
            /**
             * Format: date
             * @description The first payment at the new price. If you know the day from which the price counts, send that.
             */
            date: string;
            /** @description The kind. Known values: `PriceRise`. More may be added: do not fail on an unknown one. */
            kind: "PriceRise" | (string & {});
        };
        /** @description The body of every error (RFC 9457). Decide by code; title and detail are for people. */
        Problem: {
            /**
             * Format: uuid
             * @description With already_cancelled: the existing cancellation.
             */
            cancellationId?: string;
            /**
             * @description Machine-readable reason. type is the address of a page about it. Known values: `already_cancelled`, `cancellation_not_withdrawable`, `conflict`, `connection_not_active`, `external_identifier_reused`, `extra_consent_required`, `form_not_supported`, `idempotency_in_progress`, `idempotency_key_reused`, `insufficient_scope`, `internal_error`, `invalid_next_token`, `locale_not_supported`, `malformed_request`, `method_not_allowed`, `not_available_in_production`, `not_found`, `payload_too_large`, `provider_not_available`, `range_too_large`, `rate_limited`, `reason_not_available`, `refresh_in_progress`, `refresh_too_early`, `return_url_not_registered`, `subscription_not_listening`, `supplier_error`, `template_mismatch`, `temporarily_unavailable`, `terms_not_accepted`, `unauthorized`, `unsupported_media_type`, `user_id_required`, `user_not_found`, `validation_failed`. More may be added: do not fail on an unknown one.
             * @example validation_failed
             */
            code: "already_cancelled" | "cancellation_not_withdrawable" | "conflict" | "connection_not_active" | "external_identifier_reused" | "extra_consent_required" | "form_not_supported" | "idempotency_in_progress" | "idempotency_key_reused" | "insufficient_scope" | "internal_error" | "invalid_next_token" | "locale_not_supported" | "malformed_request" | "method_not_allowed" | "not_available_in_production" | "not_found" | "payload_too_large" | "provider_not_available" | "range_too_large" | "rate_limited" | "reason_not_available" | "refresh_in_progress" | "refresh_too_early" | "return_url_not_registered" | "subscription_not_listening" | "supplier_error" | "template_mismatch" | "temporarily_unavailable" | "terms_not_accepted" | "unauthorized" | "unsupported_media_type" | "user_id_required" | "user_not_found" | "validation_failed" | (string & {});
            /**
             * @description What went wrong this time. Never contains a submitted value.
             * @example 1 part of the request is not valid.
             */
            detail: string;
            /** @description The reasons, mostly invalid parts of the request. */
            errors?: components["schemas"]["ProblemField"][];
            /**
             * Format: date-time
             * @description With refresh_too_early: when the next refresh is possible.
             */
            nextRefreshPossibleAt?: string;
            /**
             * Format: uuid
             * @description With conflict of sendObjection: the existing objection to these debits.
             */
            objectionId?: string;
            /**
             * Format: int32
             * @description The HTTP status.
             * @example 422
             */
            status: number;
            /**
             * @description The meaning of the code. Always the same for a code.
             * @example The request is not valid
             */
            title: string;
            /**
             * @description Equals X-Request-Id. Quote it when you contact support.
             * @example 7f0d4a52-5a3c-4c39-9f3e-0f6f1f9d8c11
             */
            traceId: string;
            /**
             * Format: uri
             * @description A page that explains the code.
             * @example https://aviso.example/problems/validation_failed
             */
            type: string;
        };
        /** @description One reason for an error, mostly an invalid part of the request. */
        ProblemField: {
            /**
             * @description Machine-readable reason, such as required or invalid. We may add new ones.
             * @example invalid
             */
            code: string;
            /**
             * @description What is expected, for the developer. Never contains a submitted value.
             * @example expected number >= 1
             */
            detail: string;
            /**
             * Format: date
             * @description The first day from endDate on that the contract can end on; if it ends before by itself, its last day.
             * @example 2026-03-31
             */
            earliestEnd?: string;
            /**
             * @description The field of the product's template.
             * @example CUSTOMER_NUMBER
             */
            fieldKey?: string;
            /**
             * @description Name of the header that is wrong.
             * @example X-User-Id
             */
            header?: string;
            /**
             * Format: int32
             * @description The number that must not be exceeded.
             * @example 50
             */
            limit?: number;
            /**
             * @description Name of the path or query parameter that is wrong.
             * @example limit
             */
            parameter?: string;
            /**
             * Format: json-pointer
             * @description JSON Pointer (RFC 6901) to the part of the body that is wrong.
             * @example /countryCode
             */
            pointer?: string;
            /**
             * Format: int32
             * @description Equals Retry-After, in seconds.
             * @example 30
             */
            retryAfter?: number;
            /**
             * @description The terms that the user has to accept. Known values: `Operator`, `BankingSupplier`, `CancellationProvider`. More may be added: do not fail on an unknown one.
             * @example Operator
             */
            termsType?: "Operator" | "BankingSupplier" | "CancellationProvider" | (string & {});
            /**
             * Format: uri
             * @description Where to read the terms.
             * @example https://aviso.example/terms/operator/2026-01
             */
            url?: string;
            /**
             * @description Version of the terms that is in force.
             * @example 2026-01
             */
            version?: string;
        };
        /** @description A contract of an organization that can be cancelled. */
        Product: {
            /** @description Locales in which a letter can be written, in the form <language>-<COUNTRY>; the first is the default. */
            locales: string[];
            /** @description Its name, for the user. */
            name: string;
            /**
             * Format: uuid
             * @description Who offers it.
             */
            organizationId: string;
            /**
             * Format: uuid
             * @description Identifies the product.
             */
            productId: string;
        };
        /** @description A product, and what its cancellation needs. */
        ProductData: {
            /** @description A product, and what its cancellation needs. */
            product: components["schemas"]["ProductDetail"];
        };
        /** @description A product, and what its cancellation needs. */
        ProductDetail: {
            /** @description Its name, for the user. */
            name: string;
            /**
             * Format: uuid
             * @description Who offers it.
             */
            organizationId: string;
            /**
             * Format: uuid
             * @description Identifies the product.
             */
            productId: string;
            /** @description The fields needed to cancel. A cancellation sends one parameter for each. */
            template: components["schemas"]["TemplateField"][];
        };
        /** @description All products of the organization. */
        ProductList: {
            /** @description All products of the organization. */
            products: components["schemas"]["Product"][];
        };
        /** @description The body of every JSON response that is not an error. */
        ProductListResponse: {
            /** @description All products of the organization. */
            data: components["schemas"]["ProductList"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description The body of every JSON response that is not an error. */
        ProductResponse: {
            /** @description A product, and what its cancellation needs. */
            data: components["schemas"]["ProductData"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description A bank that users can connect. */
        Provider: {
            /** @description Whether accounts are refreshed without the user. Absent means no. */
            automaticFetch?: boolean;
            /** @description Country of the bank (ISO 3166-1 alpha-2), in upper case. */
            countryCode: string;
            /**
             * Format: uuid
             * @description Identifies the bank when you connect it.
             */
            id: string;
            /**
             * Format: uri
             * @description Address of the bank's logo, an image.
             */
            logo: string;
            /**
             * Format: int32
             * @description For how many days a consent is valid at most. Then the user has to authorise again.
             */
            maxConsentDays: number;
            /**
             * Format: int32
             * @description How many days of history the bank provides.
             */
            maxFetchInterval: number;
            /** @description More about the provider. supplier is Xs2a if we call the bank ourselves, Aggregator if an aggregator does. scaApproaches says how its users authorise, separated by commas: Redirect, OAuth2, Decoupled. bic and bankCode are the bank's codes, separated by commas if there are several. */
            meta: {
                [key: string]: string;
            };
            /** @description The bank's name, for the user. */
            name: string;
            /**
             * Format: int32
             * @description The minutes that must pass between two refreshes.
             */
            refreshTimeoutMinutes: number;
            /** @description Whether we reach the bank through its PSD2 interface. */
            regulated: boolean;
            /** @description Only Active banks can be connected. Inactive: for the time being not. Disabled: no longer. Known values: `Active`, `Inactive`, `Disabled`. More may be added: do not fail on an unknown one. */
            status: "Active" | "Inactive" | "Disabled" | (string & {});
            /** @description The kinds of accounts that the bank shares. */
            supportedAccountTypes: ("CurrentAccount" | "SavingAccount" | "BonusAccount" | "CreditCard" | "Loan" | "Mortgage" | "Overdraft" | "Investment" | "Insurance" | "Cash" | "General" | (string & {}))[];
            /** @description Time zone of the bank (IANA), such as Europe/Berlin. */
            timezone: string;
        };
        /** @description A country, and how many banks we have there. */
        ProviderCountry: {
            /** @description ISO 3166-1 alpha-2, in upper case. */
            countryCode: string;
            /**
             * Format: int32
             * @description Number of banks.
             */
            providerCount: number;
        };
        /** @description The countries, ordered by code. */
        ProviderCountryList: {
            /** @description The countries, ordered by code. */
            countries: components["schemas"]["ProviderCountry"][];
        };
        /** @description The body of every JSON response that is not an error. */
        ProviderCountryListResponse: {
            /** @description The countries, ordered by code. */
            data: components["schemas"]["ProviderCountryList"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description A bank that users can connect. */
        ProviderData: {
            /** @description A bank that users can connect. */
            provider: components["schemas"]["Provider"];
        };
        /** @description One page of banks. */
        ProviderList: {
            /** @description One page of banks. */
            providers: components["schemas"]["Provider"][];
        };
        /** @description The body of every JSON response that is not an error. */
        ProviderListResponse: {
            /** @description One page of banks. */
            data: components["schemas"]["ProviderList"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description The body of every JSON response that is not an error. */
        ProviderResponse: {
            /** @description A bank that users can connect. */
            data: components["schemas"]["ProviderData"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description Why the user is cancelling. The letter names the reason with its article. */
        Reason: {
            /**
             * Format: date
             * @description The day of the price rise, move or death or, for a withdrawal, the day on which the contract was concluded.
             */
            date?: string;
            /** @description Ordinary: at the end of the term, by notice. The others end it early, where the law knows them: getDeadline lists them. Withdrawal: within the first days. Special: good cause. Known values: `Ordinary`, `Withdrawal`, `PriceRise`, `Moved`, `NotReminded`, `NoCancellationButton`, `Death`, `Special`. More may be added: do not fail on an unknown one. */
            kind: "Ordinary" | "Withdrawal" | "PriceRise" | "Moved" | "NotReminded" | "NoCancellationButton" | "Death" | "Special" | (string & {});
            /** @description What happened, and when. The letter says it. Good cause is nothing without it. */
            text?: string;
        };
        /** @description Where to send the user afterwards. */
        ReconnectConnectionRequest: {
            /**
             * Format: uri
             * @description Where the user returns to, as for a new connection.
             */
            returnUrl?: string | null;
        };
        /** @description A contract found in a user's payments: payments to the same recipient at regular intervals. */
        RecurringContract: {
            /** @description Current price of one payment, negative. */
            amount: components["schemas"]["Amount"];
            /** @description Organization and product for cancelling the contract, those that the user has named if so; null if it cannot be cancelled. */
            cancellable: components["schemas"]["CancellableContract"] | null;
            /** @description Category of the last payment. */
            category: components["schemas"]["Category"];
            /** @description When the contract began. */
            contractStart: components["schemas"]["ContractStart"];
            /** @description Currency of both amounts (ISO 4217). */
            currencyCode: string;
            /** @description Cancellation deadline. Absent if the product or its terms are unknown, or if a fact is missing without which nothing can be computed. */
            deadline?: components["schemas"]["ContractDeadline"];
            /**
             * Format: date
             * @description Day of the first known payment.
             */
            firstDate: string;
            /**
             * Format: date
             * @description Day of the last payment.
             */
            lastDate: string;
            /** @description The merchant or, if it is unknown, the counterparty. */
            merchant: components["schemas"]["Reference"];
            /**
             * Format: date
             * @description When the next payment is due; in the past if it is overdue.
             */
            nextExpectedDate: string;
            /** @description How often a payment is due. Known values: `Weekly`, `BiWeekly`, `Monthly`, `Quarterly`, `SemiAnnually`, `Annually`. More may be added: do not fail on an unknown one. */
            recurrenceFrequency: "Weekly" | "BiWeekly" | "Monthly" | "Quarterly" | "SemiAnnually" | "Annually" | (string & {});
            /**
             * Format: uuid
             * @description ID of the contract. It stays when payments follow, the price changes or the bank is connected again.
             */
            subscriptionId: string;
            /** @description The latest payments, oldest first. A long series is not listed in full. */
            transactionIds: string[];
            /** @description Cost of a year at the current price, positive. */
            yearlyCost: components["schemas"]["Amount"];
        };
        /** @description A contract found in a user's payments: payments to the same recipient at regular intervals. */
        RecurringContractData: {
            /** @description A contract found in a user's payments: payments to the same recipient at regular intervals. */
            subscription: components["schemas"]["RecurringContract"];
        };
        /** @description The contracts, the largest yearly cost first. */
        RecurringContractList: {
            /** @description The contracts, the largest yearly cost first. */
            subscriptions: components["schemas"]["RecurringContract"][];
        };
        /** @description The body of every JSON response that is not an error. */
        RecurringContractListResponse: {
            /** @description The contracts, the largest yearly cost first. */
            data: components["schemas"]["RecurringContractList"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description The body of every JSON response that is not an error. */
        RecurringContractResponse: {
            /** @description A contract found in a user's payments: payments to the same recipient at regular intervals. */
            data: components["schemas"]["RecurringContractData"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description An account or a merchant, with its name. */
        Reference: {
            /** @description Its ID. */
            id: string;
            /** @description Its name; empty if unknown. */
            name: string;
        };
        /** @description An answer of the organization by mail. */
        Reply: {
            /** @description How far the user's answer got; only in getReply and answerReply. Known values: `Created`, `Queued`, `Sent`, `Delivered`, `DeliveryFailed`. More may be added: do not fail on an unknown one. */
            answerStatus?: "Created" | "Queued" | "Sent" | "Delivered" | "DeliveryFailed" | (string & {});
            /**
             * Format: date-time
             * @description When the user answered; absent before.
             */
            answeredAt?: string;
            /** @description The files in the mail. */
            attachments: components["schemas"]["ReplyAttachment"][];
            /** @description What the mail server found out about the sender; absent if unknown. */
            authentication?: string;
            /** @description The rule that decided the kind; empty for Unclear. */
            decidedBy: string;
            /**
             * Format: date
             * @description Last day of the contract in a confirmation; absent if it names none.
             */
            endDate?: string;
            /** @description The sentence that decided the kind; empty for Unclear. */
            excerpt: string;
            /** @description The sender, as the mail has it. */
            from: string;
            /** @description What it means. Received only acknowledges the letter, Offer asks the user to stay, AutoReply was written by a program, and Unclear needs a person. Known values: `Confirmed`, `Rejected`, `NeedsInformation`, `Received`, `Offer`, `AutoReply`, `Unclear`. More may be added: do not fail on an unknown one. */
            kind: "Confirmed" | "Rejected" | "NeedsInformation" | "Received" | "Offer" | "AutoReply" | "Unclear" | (string & {});
            /**
             * Format: date
             * @description The day before which a rejected contract cannot end; absent if it names none.
             */
            laterDate?: string;
            /** @description What the organization asks for: keys of template fields, SIGNATURE for a signed letter, PROOF for a document. */
            neededFields?: string[] | null;
            /**
             * Format: date-time
             * @description When it was received.
             */
            receivedAt: string;
            /**
             * Format: uuid
             * @description Identifies the reply.
             */
            replyId: string;
            /** @description Why it is rejected; absent for other kinds. Known values: `UserNotFound`, `InconsistentData`, `AlreadyCancelled`, `BindingPeriod`. More may be added: do not fail on an unknown one. */
            statusReason?: "UserNotFound" | "InconsistentData" | "AlreadyCancelled" | "BindingPeriod" | (string & {});
            /** @description The subject. */
            subject: string;
            /** @description The text; only in getReply and answerReply. */
            text?: string;
        };
        /** @description A file in a mail. getRawReply has its content. */
        ReplyAttachment: {
            /** @description Media type, as the mail says. */
            contentType: string;
            /** @description The name of the file; may be empty. */
            name: string;
            /**
             * Format: int32
             * @description Size in bytes.
             */
            size: number;
        };
        /** @description An answer of the organization by mail. */
        ReplyData: {
            /** @description An answer of the organization by mail. */
            reply: components["schemas"]["Reply"];
        };
        /** @description All answers, newest first. */
        ReplyList: {
            /** @description All answers, newest first. */
            replies: components["schemas"]["Reply"][];
        };
        /** @description The body of every JSON response that is not an error. */
        ReplyListResponse: {
            /** @description All answers, newest first. */
            data: components["schemas"]["ReplyList"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description The body of every JSON response that is not an error. */
        ReplyResponse: {
            /** @description An answer of the organization by mail. */
            data: components["schemas"]["ReplyData"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description What a cancellation must look like to be valid. */
        RequiredForm: {
            /** @description Why, for the user, in the language of the locale. */
            reason: string;
            /** @description Text: any text will do, whatever the contract asks for. Written: a signed letter. Registered: a registered letter or its legal equivalent. NewProvider: the new provider cancels for the user. Known values: `Text`, `Written`, `Registered`, `NewProvider`. More may be added: do not fail on an unknown one. */
            requirement: "Text" | "Written" | "Registered" | "NewProvider" | (string & {});
        };
        /** @description A contract that has ended: no debit has come for one and a half periods. */
        Saving: {
            /**
             * Format: uuid
             * @description The cancellation that ended it.
             */
            cancellationId: string;
            /**
             * Format: date
             * @description Last day of the contract, as far as we know.
             */
            endDate: string;
            /** @description The last payment that was not paid back. */
            lastDebit: components["schemas"]["LastDebit"];
            /** @description The merchant or, if it is unknown, the counterparty. */
            merchant: components["schemas"]["Reference"];
            /** @description How often a payment was due. Known values: `Weekly`, `BiWeekly`, `Monthly`, `Quarterly`, `SemiAnnually`, `Annually`. More may be added: do not fail on an unknown one. */
            recurrenceFrequency: "Weekly" | "BiWeekly" | "Monthly" | "Quarterly" | "SemiAnnually" | "Annually" | (string & {});
            /** @description The payments that would have been due since the last debit, at its last price, positive. */
            savedSoFar: components["schemas"]["Amount"];
            /**
             * Format: uuid
             * @description The contract that was in listRecurringContracts.
             */
            subscriptionId: string;
            /** @description What it cost in a year, positive. */
            yearlySaving: components["schemas"]["Amount"];
        };
        /** @description What contracts that have ended save, in one currency. */
        Savings: {
            /** @description The contracts, the largest yearly saving first. */
            contracts: components["schemas"]["Saving"][];
            /** @description Currency of all amounts (ISO 4217). */
            currencyCode: string;
            /** @description What the contracts would have cost until today, positive. */
            savedSoFar: components["schemas"]["Amount"];
            /** @description What all of the contracts cost in a year, positive. */
            yearlySaving: components["schemas"]["Amount"];
        };
        /** @description One element for each currency. */
        SavingsList: {
            /** @description One element for each currency. */
            savings: components["schemas"]["Savings"][];
        };
        /** @description The body of every JSON response that is not an error. */
        SavingsListResponse: {
            /** @description One element for each currency. */
            data: components["schemas"]["SavingsList"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description What was found. */
        SearchData: {
            /** @description Organizations that match, the best first. */
            organizations: components["schemas"]["Organization"][];
            /** @description Products that match, the best first. */
            products: components["schemas"]["Product"][];
        };
        /** @description The body of every JSON response that is not an error. */
        SearchResponse: {
            /** @description What was found. */
            data: components["schemas"]["SearchData"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description The last day to send by a channel. */
        SendBy: {
            /** @description The channel. Known values: `Email`, `Mail`, `RegisteredMail`, `Fax`. More may be added: do not fail on an unknown one. */
            channel: "Email" | "Mail" | "RegisteredMail" | "Fax" | (string & {});
            /**
             * Format: date
             * @description The last day, in the time zone of the recipient. It leaves room for delivery, week-ends and public holidays.
             */
            date: string;
        };
        /** @description What the letter needs: the same as the letter of cancellation. */
        SendObjectionRequest: {
            /** @description The channel to try first, one of those that the product allows. By default it is the one that the cancellation went by. */
            channel?: ("Email" | "Mail" | "RegisteredMail" | "Fax") | null;
            /** @description One for each field of the product's template. */
            parameters: components["schemas"]["CancellationParameter"][];
            /** @description As in createCancellation. */
            replyTo?: string | null;
            /** @description Signature of the user, for the letter. */
            signature: components["schemas"]["Signature"];
        };
        /** @description The objection or, with dryRun, the preview of its letter. */
        SentObjectionData: {
            /** @description Present only with dryRun. */
            letter?: components["schemas"]["CancellationLetter"];
            /** @description Absent with dryRun. */
            objection?: components["schemas"]["Objection"];
        };
        /** @description The body of every JSON response that is not an error. */
        SentObjectionResponse: {
            /** @description The objection or, with dryRun, the preview of its letter. */
            data: components["schemas"]["SentObjectionData"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description Signature of the user: a typed name or a picture. */
        Signature: {
            /** @description TEXT: the typed name, at most 300 characters. IMAGE: a PNG of the handwritten signature, at most 100 KB, in base64. */
            data: string;
            /**
             * @description Which of the two data is.
             * @enum {string}
             */
            type: "TEXT" | "IMAGE";
        };
        /** @description The event to simulate. */
        SimulateEventRequest: {
            /** @description Data that matches the type's schema. Default: the type's example. */
            data?: {
                [key: string]: unknown;
            } | null;
            /** @description A type of GET /webhooks/v1/event-types. */
            eventType: string;
            /**
             * Format: uuid
             * @description Send only to this subscription. Default: all subscriptions to the type.
             */
            subscriptionId?: string | null;
            /**
             * Format: uuid
             * @description The user the event is about. Default: no user.
             */
            userId?: string | null;
        };
        /** @description A simulated event. */
        SimulatedEvent: {
            /**
             * Format: uuid
             * @description Find its delivery by this ID in the list of attempts.
             */
            eventId: string;
            /** @description The type of the event. */
            eventType: string;
        };
        /** @description A simulated event. */
        SimulatedEventData: {
            /** @description A simulated event. */
            event: components["schemas"]["SimulatedEvent"];
        };
        /** @description The body of every JSON response that is not an error. */
        SimulatedEventResponse: {
            /** @description A simulated event. */
            data: components["schemas"]["SimulatedEventData"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description Whether the change gives a right to end the contract early. It is computed from statutes; it is not legal advice. */
        SpecialRight: {
            /** @description Yes: the law gives a right if the organization decided on the rise. No: it gives none. Unknown: we do not know, or it depends on what missing says. Known values: `Yes`, `No`, `Unknown`. More may be added: do not fail on an unknown one. */
            answer: "Yes" | "No" | "Unknown" | (string & {});
            /**
             * Format: date
             * @description The last day on which the cancellation may arrive. Absent if it cannot be computed; missing says why.
             */
            lastDay?: string;
            /** @description Facts that would change the answer. product: name it with updateRecurringContract, or send a locale. reason: why the debits rose. noticeDate: send it. effectDate: when the new price takes effect. */
            missing: ("product" | "reason" | "noticeDate" | "effectDate" | (string & {}))[];
            /** @description The reason to send with createCancellation, to use the right. Absent if there is none. */
            reason?: components["schemas"]["PriceRiseReason"];
            /** @description The statute with the address of its official text; empty if we know none. */
            source: string;
            /** @description The answer for the user, in the language of the locale. */
            text: string;
        };
        /** @description A subcategory of transactions (L2). */
        Subcategory: {
            /**
             * Format: int32
             * @description L2 ID.
             */
            subcategoryId: number;
            /** @description Stable name for programs, such as HOUSING__Rent. It starts with the name of the category. */
            subcategoryName: string;
        };
        /** @description One of your subscriptions fails: all attempts to deliver an event to it have failed. Sent once, until it acknowledges an event again, and once more if it becomes Disabled. Your other subscriptions get it. What was given up is not sent again. */
        SubscriptionFailingEvent: {
            /** @description What the event is about. */
            data: components["schemas"]["SubscriptionFailingEventData"];
            /** @description Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one. */
            environment: "local" | "test" | "acceptance" | "production" | (string & {});
            /**
             * Format: uuid
             * @description The same in every callback for the event: recognize duplicates by it.
             */
            eventId: string;
            /**
             * @description What has happened.
             * @enum {string}
             */
            eventType: "subscription.failing";
            /** @description True if the event is simulated. */
            isSimulated: boolean;
            /**
             * Format: date-time
             * @description When it happened, not when it was sent.
             */
            occurredAt: string;
            /** @description The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none. */
            userId: string;
        };
        /** @description The data of subscription.failing. */
        SubscriptionFailingEventData: {
            /** @description The same in words; empty if the reason says it all. */
            failingDetail: string;
            /** @description How the last attempt ended, as in the list of attempts. */
            failingReason: string;
            /**
             * Format: date-time
             * @description When it began to fail: when the first event was given up.
             */
            failingSince: string;
            /** @description The subscription's status. Known values: `Active`, `Disabled`. More may be added: do not fail on an unknown one. */
            status: "Active" | "Disabled" | (string & {});
            /** @description The reason for the status; empty if there is none. */
            statusReason: string;
            /**
             * Format: uuid
             * @description The subscription that fails.
             */
            subscriptionId: string;
        };
        /** @description A field that the user fills in. */
        TemplateField: {
            /** @description A value that the field accepts, to show as a placeholder. */
            example?: string;
            /** @description Name of the field in the parameters of a cancellation. */
            fieldKey: string;
            /**
             * Format: regex
             * @description A regular expression in the syntax that RE2, ECMAScript (also with the flag v, as the pattern of an input) and Python share. A value that matches is accepted. A field whose format matches the empty text is optional.
             */
            format: string;
            /** @description A sentence for the user, in the language of the locale: where to find a number, or what an address is for. */
            help?: string;
            /** @description Label for the user, in the language of the locale. */
            label: string;
            /** @description Which input suits the field. A Date is written as 2026-01-31, a Boolean as true or false. Known values: `Text`, `Email`, `Phone`, `Date`, `Boolean`. More may be added: do not fail on an unknown one. */
            type: "Text" | "Email" | "Phone" | "Date" | "Boolean" | (string & {});
        };
        /** @description Terms and conditions in force, or published ahead. */
        Terms: {
            /**
             * Format: date-time
             * @description When the version becomes or became required. Absent if that was at once.
             */
            effectiveFrom?: string;
            /** @description Operator: for every user. BankingSupplier: before a bank is connected. CancellationProvider: before a contract is cancelled. Known values: `Operator`, `BankingSupplier`, `CancellationProvider`. More may be added: do not fail on an unknown one. */
            termsType: "Operator" | "BankingSupplier" | "CancellationProvider" | (string & {});
            /**
             * Format: uri
             * @description The URL of the text to show to the user.
             */
            url: string;
            /** @description The version in force, or the next one if effectiveFrom is in the future. */
            version: string;
        };
        /** @description A user's acceptance of a version of terms. */
        TermsAcceptance: {
            /**
             * Format: date-time
             * @description When this version was first accepted.
             */
            acceptedAt: string;
            /** @description The terms that were accepted. Known values: `Operator`, `BankingSupplier`, `CancellationProvider`. More may be added: do not fail on an unknown one. */
            termsType: "Operator" | "BankingSupplier" | "CancellationProvider" | (string & {});
            /** @description The version that was accepted. */
            version: string;
        };
        /** @description A user's acceptance of a version of terms. */
        TermsAcceptanceData: {
            /** @description A user's acceptance of a version of terms. */
            termsAcceptance: components["schemas"]["TermsAcceptance"];
        };
        /** @description What the user accepted, oldest first. */
        TermsAcceptanceList: {
            /** @description What the user accepted, oldest first. */
            termsAcceptances: components["schemas"]["TermsAcceptance"][];
        };
        /** @description The body of every JSON response that is not an error. */
        TermsAcceptanceListResponse: {
            /** @description What the user accepted, oldest first. */
            data: components["schemas"]["TermsAcceptanceList"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description The body of every JSON response that is not an error. */
        TermsAcceptanceResponse: {
            /** @description A user's acceptance of a version of terms. */
            data: components["schemas"]["TermsAcceptanceData"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description One element for each type, and one more for a version that is published ahead. */
        TermsList: {
            /** @description One element for each type, and one more for a version that is published ahead. */
            terms: components["schemas"]["Terms"][];
        };
        /** @description The body of every JSON response that is not an error. */
        TermsListResponse: {
            /** @description One element for each type, and one more for a version that is published ahead. */
            data: components["schemas"]["TermsList"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description A transaction that the sandbox bank will report. */
        TestTransaction: {
            /**
             * @description In the account's currency, negative for a debit. At most 1000000, with at most two decimal places, and not 0.
             * @example -23.9
             */
            amount: Decimal;
            /**
             * Format: date
             * @description From the first day of the bank's history (maxFetchInterval) to today (UTC), which is the default.
             */
            bookingDate?: string | null;
            /** @description Name of the payer or payee; empty by default. */
            counterparty?: string | null;
            /** @description The creditor identifier of a direct debit, which makes a debit one, too. */
            creditorId?: string | null;
            /** @description The mandate of a direct debit. It makes a debit one, unless it is a card payment. */
            mandateId?: string | null;
            /** @description ISO 18245. It makes the row a card payment. */
            merchantCategoryCode?: string | null;
            /** @description The bank's text for the transaction. */
            note: string;
            /** @description Whether the bank reports the row as pending first, and books it three days after bookingDate. Some banks do not report it until then. Default: false. */
            pending?: boolean | null;
        };
        /** @description What was added, and what to refresh. */
        TestTransactionsData: {
            /** @description What was added, and what to refresh. */
            testTransactions: components["schemas"]["AddedTestTransactions"];
        };
        /** @description The body of every JSON response that is not an error. */
        TestTransactionsResponse: {
            /** @description What was added, and what to refresh. */
            data: components["schemas"]["TestTransactionsData"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description The gateway is overloaded. */
        Throttled: {
            /** @description For the developer. */
            message: string;
        };
        /** @description An error of OAuth 2.0 (RFC 6749 §5.2). */
        TokenError: {
            /** @description What is wrong (RFC 6749 §5.2). Known values: `invalid_request`, `unsupported_grant_type`, `invalid_scope`, `invalid_client`. More may be added: do not fail on an unknown one. */
            error: "invalid_request" | "unsupported_grant_type" | "invalid_scope" | "invalid_client" | (string & {});
            /** @description What is wrong, for the developer. */
            error_description?: string;
        };
        /** @description An access token (RFC 6749 §5.1). */
        TokenResponse: {
            /** @description Send it as Authorization: Bearer <token>. A JWT (RFC 9068), but do not read it. */
            access_token: string;
            /**
             * Format: int32
             * @description For how many seconds the token is valid. Get a new one shortly before.
             */
            expires_in: number;
            /** @description The granted scopes, separated by spaces. */
            scope: string;
            /** @description How to send the token. Known values: `Bearer`. More may be added: do not fail on an unknown one. */
            token_type: "Bearer" | (string & {});
        };
        /** @description A category of transactions (L1) and its subcategories. */
        TopCategory: {
            /**
             * Format: int32
             * @description L1 ID.
             */
            categoryId: number;
            /** @description Stable name for programs, such as HOUSING. Translate it yourself. */
            categoryName: string;
            /** @description The subcategories (L2), ordered by ID. One of them is the catch-all. */
            subcategories: components["schemas"]["Subcategory"][];
        };
        /** @description All categories, ordered by ID. */
        TopCategoryList: {
            /** @description All categories, ordered by ID. */
            categories: components["schemas"]["TopCategory"][];
        };
        /** @description The body of every JSON response that is not an error. */
        TopCategoryListResponse: {
            /** @description All categories, ordered by ID. */
            data: components["schemas"]["TopCategoryList"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description A transaction of a connected account. */
        Transaction: {
            /** @description The account that the transaction is on. */
            account: components["schemas"]["Reference"];
            /** @description In major units of currencyCode; negative for an expense. */
            amount: components["schemas"]["Amount"];
            /** @description What the money was for, found by rules or chosen by the user. */
            category: components["schemas"]["Category"];
            /**
             * Format: date-time
             * @description When we read the transaction for the first time.
             */
            createdAt: string;
            /** @description ISO 4217. */
            currencyCode: string;
            /**
             * Format: uuid
             * @description Never changes, not even when a pending transaction is booked.
             */
            id: string;
            /** @description Who the money went to or came from: the merchant, or the counterparty if the merchant is unknown, with its name as a person would write it. The name is empty for cash, between the user's own accounts, and if the row names nobody. The ID of a counterparty follows from its name; those without a name share one. */
            merchant: components["schemas"]["Reference"];
            /** @description The bank's text for the transaction. */
            note: string;
            /** @description The counterparty's account: an IBAN or another number; empty if the bank does not tell. */
            payee: string;
            /** @description How it was paid, as far as the bank tells. Known values: `Cash`, `DebitCard`, `CreditCard`, `Transfer`, `Voucher`, `MobilePayment`, `WebPayment`. More may be added: do not fail on an unknown one. */
            paymentType: "Cash" | "DebitCard" | "CreditCard" | "Transfer" | "Voucher" | "MobilePayment" | "WebPayment" | (string & {});
            /**
             * Format: date-time
             * @description The day it was booked or is expected to be booked; the time part is zero.
             */
            recordDate: string;
            /** @description Cleared: booked. Uncleared: pending. Void: a pending transaction that vanished, or a booked one that the bank has withdrawn; leave it out of sums. Known values: `Cleared`, `Uncleared`, `Void`. More may be added: do not fail on an unknown one. */
            recordState: "Cleared" | "Uncleared" | "Void" | (string & {});
            /** @description Whether money came in (Income) or went out (Expense). Known values: `Income`, `Expense`. More may be added: do not fail on an unknown one. */
            recordType: "Income" | "Expense" | (string & {});
            /** @description How often the payment recurs; Once if it is not known to recur. Known values: `Once`, `Weekly`, `BiWeekly`, `Monthly`, `Quarterly`, `SemiAnnually`, `Annually`. More may be added: do not fail on an unknown one. */
            recurrenceFrequency: "Once" | "Weekly" | "BiWeekly" | "Monthly" | "Quarterly" | "SemiAnnually" | "Annually" | (string & {});
            /** @description Whether the transaction is a payment of a recurring contract. */
            subscription: boolean;
            /**
             * Format: date-time
             * @description When something about the transaction last changed.
             */
            updatedAt: string;
        };
        /** @description What happened to one transaction since the previous call. */
        TransactionChange: {
            /** @description Added and Modified: save the transaction as it is now. Removed: delete your copy. Known values: `Added`, `Modified`, `Removed`. More may be added: do not fail on an unknown one. */
            change: "Added" | "Modified" | "Removed" | (string & {});
            /** @description Current state; absent if change is Removed. */
            transaction?: components["schemas"]["Transaction"];
            /**
             * Format: uuid
             * @description The transaction that changed.
             */
            transactionId: string;
        };
        /** @description The next changes, and where to continue. */
        TransactionChangeList: {
            /** @description Changes in the order in which they happened. Empty if there is nothing new. */
            changes: components["schemas"]["TransactionChange"][];
            /** @description Pass it as since in the next call. Valid for 30 days. */
            since: string;
        };
        /** @description The body of every JSON response that is not an error. */
        TransactionChangeListResponse: {
            /** @description The next changes, and where to continue. */
            data: components["schemas"]["TransactionChangeList"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description A transaction, and how its category was found. */
        TransactionData: {
            /** @description A transaction, and how its category was found. */
            transaction: components["schemas"]["TransactionDetail"];
        };
        /** @description A transaction, and how its category was found. */
        TransactionDetail: {
            /** @description The account that the transaction is on. */
            account: components["schemas"]["Reference"];
            /** @description In major units of currencyCode; negative for an expense. */
            amount: components["schemas"]["Amount"];
            /** @description What the money was for, found by rules or chosen by the user. */
            category: components["schemas"]["Category"];
            /** @description How the category was found: by the user (Override), between own accounts (OwnTransfer), by the bank's code, the merchant, the merchant category code (Mcc) or a word (Keyword), or not at all (None). Known values: `Override`, `OwnTransfer`, `BankCode`, `Merchant`, `Mcc`, `Keyword`, `None`. More may be added: do not fail on an unknown one. */
            categorySource: "Override" | "OwnTransfer" | "BankCode" | "Merchant" | "Mcc" | "Keyword" | "None" | (string & {});
            /**
             * Format: date-time
             * @description When we read the transaction for the first time.
             */
            createdAt: string;
            /** @description ISO 4217. */
            currencyCode: string;
            /**
             * Format: uuid
             * @description Never changes, not even when a pending transaction is booked.
             */
            id: string;
            /** @description Who the money went to or came from: the merchant, or the counterparty if the merchant is unknown, with its name as a person would write it. The name is empty for cash, between the user's own accounts, and if the row names nobody. The ID of a counterparty follows from its name; those without a name share one. */
            merchant: components["schemas"]["Reference"];
            /** @description The bank's text for the transaction. */
            note: string;
            /** @description The counterparty's account: an IBAN or another number; empty if the bank does not tell. */
            payee: string;
            /** @description How it was paid, as far as the bank tells. Known values: `Cash`, `DebitCard`, `CreditCard`, `Transfer`, `Voucher`, `MobilePayment`, `WebPayment`. More may be added: do not fail on an unknown one. */
            paymentType: "Cash" | "DebitCard" | "CreditCard" | "Transfer" | "Voucher" | "MobilePayment" | "WebPayment" | (string & {});
            /**
             * Format: date-time
             * @description The day it was booked or is expected to be booked; the time part is zero.
             */
            recordDate: string;
            /** @description Cleared: booked. Uncleared: pending. Void: a pending transaction that vanished, or a booked one that the bank has withdrawn; leave it out of sums. Known values: `Cleared`, `Uncleared`, `Void`. More may be added: do not fail on an unknown one. */
            recordState: "Cleared" | "Uncleared" | "Void" | (string & {});
            /** @description Whether money came in (Income) or went out (Expense). Known values: `Income`, `Expense`. More may be added: do not fail on an unknown one. */
            recordType: "Income" | "Expense" | (string & {});
            /** @description How often the payment recurs; Once if it is not known to recur. Known values: `Once`, `Weekly`, `BiWeekly`, `Monthly`, `Quarterly`, `SemiAnnually`, `Annually`. More may be added: do not fail on an unknown one. */
            recurrenceFrequency: "Once" | "Weekly" | "BiWeekly" | "Monthly" | "Quarterly" | "SemiAnnually" | "Annually" | (string & {});
            /** @description The rule that found it; empty if no rule did. */
            ruleId: string;
            /** @description Whether the transaction is a payment of a recurring contract. */
            subscription: boolean;
            /**
             * Format: date-time
             * @description When something about the transaction last changed.
             */
            updatedAt: string;
        };
        /** @description One page of the user's transactions. */
        TransactionList: {
            /** @description One page of the user's transactions. */
            transactions: components["schemas"]["Transaction"][];
        };
        /** @description The body of every JSON response that is not an error. */
        TransactionListResponse: {
            /** @description One page of the user's transactions. */
            data: components["schemas"]["TransactionList"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description The body of every JSON response that is not an error. */
        TransactionResponse: {
            /** @description A transaction, and how its category was found. */
            data: components["schemas"]["TransactionData"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description A sync has changed transactions. To get the changes, pass since to GET /openbanking/v1/transactions/changes within 30 days. */
        TransactionsUpdatedEvent: {
            /** @description What the event is about. */
            data: components["schemas"]["TransactionsUpdatedEventData"];
            /** @description Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one. */
            environment: "local" | "test" | "acceptance" | "production" | (string & {});
            /**
             * Format: uuid
             * @description The same in every callback for the event: recognize duplicates by it.
             */
            eventId: string;
            /**
             * @description What has happened.
             * @enum {string}
             */
            eventType: "transactions.updated";
            /** @description True if the event is simulated. */
            isSimulated: boolean;
            /**
             * Format: date-time
             * @description When it happened, not when it was sent.
             */
            occurredAt: string;
            /** @description The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none. */
            userId: string;
        };
        /** @description The data of transactions.updated. */
        TransactionsUpdatedEventData: {
            /**
             * Format: int32
             * @description How many transactions are new.
             */
            added: number;
            /**
             * Format: uuid
             * @description The connection.
             */
            connectionId: string;
            /**
             * Format: int32
             * @description How many have changed.
             */
            modified: number;
            /**
             * Format: int32
             * @description How many are gone.
             */
            removed: number;
            /** @description The since parameter of GET /openbanking/v1/transactions/changes. */
            since: string;
        };
        /** @description The organization's answer. */
        UpdateCancellationOutcomeRequest: {
            /**
             * Format: date
             * @description Last day of the contract, for Confirmed; absent if unknown.
             */
            endDate?: string | null;
            /**
             * @description Whether the organization accepts the cancellation.
             * @enum {string}
             */
            status: "Confirmed" | "Rejected";
            /** @description Why it is rejected. Required for Rejected. */
            statusReason?: ("UserNotFound" | "InconsistentData" | "AlreadyCancelled" | "BindingPeriod") | null;
        };
        /** @description What the user says about a contract. Members that you leave out stay as they are. */
        UpdateRecurringContractRequest: {
            /**
             * Format: date
             * @description First day of the contract, from 1900-01-01 to today. Null removes it.
             */
            contractStart?: string | null;
            /**
             * Format: uuid
             * @description The product's organization. Default: that of cancellable.
             */
            organizationId?: string | null;
            /**
             * Format: uuid
             * @description The product in the catalogue that the contract is for. Null removes it.
             */
            productId?: string | null;
        };
        /** @description The user's choice of a category. */
        UpdateTransactionRequest: {
            /** @description Merchant: the category also holds for all other transactions with the same merchant, now and in the future. If the merchant is unknown, the counterparty's name counts. The others follow within moments; those with a category of their own choice keep it. Default: Transaction. */
            applyTo?: ("Transaction" | "Merchant") | null;
            /**
             * Format: int32
             * @description An L1 or L2 ID. An L1 ID selects the category's catch-all subcategory.
             */
            categoryId: number;
        };
        /** @description What to change about a user. */
        UpdateUserRequest: {
            /** @description The user's country (ISO 3166-1 alpha-2). */
            countryCode?: string | null;
            /** @description Your own ID of the user, corrected. */
            externalId?: string | null;
            /** @description Language (ISO 639) of our pages for the user. */
            languageCode?: string | null;
        };
        /** @description What to change about a subscription. */
        UpdateWebhookSubscriptionRequest: {
            /** @description Your own note. */
            description?: string | null;
            /** @description The event types, instead of the earlier ones. */
            events?: string[] | null;
            /** @description Where to post events. */
            serverUrl?: string | null;
        };
        /** @description The new status. */
        UpdateWebhookSubscriptionStatusRequest: {
            /**
             * @description Disabled cannot be set: it is set by the operator, or automatically after failures.
             * @enum {string}
             */
            status: "Active" | "Paused";
        };
        /** @description A Partner User: a person that you act for. */
        User: {
            /** @description The user's country (ISO 3166-1 alpha-2). */
            countryCode: string;
            /**
             * Format: date-time
             * @description When the user was created.
             */
            createdAt: string;
            /** @description Your own ID for the user; empty if you gave none. */
            externalId: string;
            /** @description Language (ISO 639) of our pages for the user. */
            languageCode: string;
            /**
             * Format: uuid
             * @description Send it as X-User-Id to act on behalf of the user.
             */
            userId: string;
        };
        /** @description A Partner User: a person that you act for. */
        UserData: {
            /** @description A Partner User: a person that you act for. */
            user: components["schemas"]["User"];
        };
        /** @description All data of the user has been erased. userId is the ID the user had. */
        UserErasedEvent: {
            /** @description What the event is about. */
            data: components["schemas"]["UserErasedEventData"];
            /** @description Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one. */
            environment: "local" | "test" | "acceptance" | "production" | (string & {});
            /**
             * Format: uuid
             * @description The same in every callback for the event: recognize duplicates by it.
             */
            eventId: string;
            /**
             * @description What has happened.
             * @enum {string}
             */
            eventType: "user.erased";
            /** @description True if the event is simulated. */
            isSimulated: boolean;
            /**
             * Format: date-time
             * @description When it happened, not when it was sent.
             */
            occurredAt: string;
            /** @description The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none. */
            userId: string;
        };
        /** @description The data of user.erased. */
        UserErasedEventData: {
            /**
             * Format: uuid
             * @description The erasure, of GET /identity/v1/erasures/{erasureId}.
             */
            erasureId: string;
        };
        /** @description The body of every JSON response that is not an error. */
        UserResponse: {
            /** @description A Partner User: a person that you act for. */
            data: components["schemas"]["UserData"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description A test call to see whether the receiver responds. It is always simulated. */
        WebhookPingEvent: {
            /** @description What the event is about. */
            data: components["schemas"]["WebhookPingEventData"];
            /** @description Where it happened. Known values: `local`, `test`, `acceptance`, `production`. More may be added: do not fail on an unknown one. */
            environment: "local" | "test" | "acceptance" | "production" | (string & {});
            /**
             * Format: uuid
             * @description The same in every callback for the event: recognize duplicates by it.
             */
            eventId: string;
            /**
             * @description What has happened.
             * @enum {string}
             */
            eventType: "webhook.ping";
            /** @description True if the event is simulated. */
            isSimulated: boolean;
            /**
             * Format: date-time
             * @description When it happened, not when it was sent.
             */
            occurredAt: string;
            /** @description The Partner User that the event is about. Empty in subscription.failing, which is about no user, and in a simulation that names none. */
            userId: string;
        };
        /** @description The data of webhook.ping. */
        WebhookPingEventData: {
            /** @description Any text. */
            message: string;
        };
        /** @description A secret that signs callbacks (Standard Webhooks). */
        WebhookSecret: {
            /**
             * Format: date-time
             * @description When the secret was created. It signs from then on.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the secret expires or expired; null if that is not known yet.
             */
            expiresAt: string | null;
            /** @description whsec_ and 32 bytes in base64. Only in the response that creates the secret. */
            key?: string;
            /**
             * Format: uuid
             * @description Identifies the secret. The key cannot be found from it.
             */
            secretId: string;
            /** @description Active and Expiring secrets sign. Expiring: a newer one has replaced it. Revoked: no longer signs. Known values: `Active`, `Expiring`, `Revoked`. More may be added: do not fail on an unknown one. */
            status: "Active" | "Expiring" | "Revoked" | (string & {});
        };
        /** @description A secret that signs callbacks (Standard Webhooks). */
        WebhookSecretData: {
            /** @description A secret that signs callbacks (Standard Webhooks). */
            secret: components["schemas"]["WebhookSecret"];
        };
        /** @description The secrets, newest first, without their keys. */
        WebhookSecretList: {
            /** @description The secrets, newest first, without their keys. */
            secrets: components["schemas"]["WebhookSecret"][];
        };
        /** @description The body of every JSON response that is not an error. */
        WebhookSecretListResponse: {
            /** @description The secrets, newest first, without their keys. */
            data: components["schemas"]["WebhookSecretList"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description The body of every JSON response that is not an error. */
        WebhookSecretResponse: {
            /** @description A secret that signs callbacks (Standard Webhooks). */
            data: components["schemas"]["WebhookSecretData"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description A subscription to events, and whether it receives them. */
        WebhookSubscription: {
            /**
             * Format: date-time
             * @description When the subscription was created.
             */
            createdAt: string;
            /** @description Your own note; empty if there is none. */
            description: string;
            /** @description The event types, or only "*" for all types. */
            events: string[];
            /** @description Only with failingSince: the same in words, if there is more to say. */
            failingDetail?: string;
            /** @description Only with failingSince: how the last attempt ended, as in the list of attempts. Known values: `NotAcknowledged`, `InvalidAcknowledgement`, `HttpError`, `RedirectRefused`, `Timeout`, `DnsError`, `TlsError`, `ConnectionError`, `AddressRefused`, `ResponseTooLarge`. More may be added: do not fail on an unknown one. */
            failingReason?: "NotAcknowledged" | "InvalidAcknowledgement" | "HttpError" | "RedirectRefused" | "Timeout" | "DnsError" | "TlsError" | "ConnectionError" | "AddressRefused" | "ResponseTooLarge" | (string & {});
            /**
             * Format: date-time
             * @description When it began to fail: when the first event was given up. Only until it acknowledges an event again.
             */
            failingSince?: string;
            /**
             * Format: uri
             * @description Where we post events to.
             */
            serverUrl: string;
            /** @description Active: receives events. Paused: you paused it. Disabled: set by the operator, or after failures. Known values: `Active`, `Paused`, `Disabled`. More may be added: do not fail on an unknown one. */
            status: "Active" | "Paused" | "Disabled" | (string & {});
            /** @description Why it is Disabled; otherwise empty. Known values: `DisabledByOperator`, `TooManyFailures`. More may be added: do not fail on an unknown one. */
            statusReason: "" | "DisabledByOperator" | "TooManyFailures" | (string & {});
            /**
             * Format: uuid
             * @description Identifies the subscription.
             */
            subscriptionId: string;
            /**
             * Format: date-time
             * @description When the subscription was last changed.
             */
            updatedAt: string;
        };
        /** @description A subscription to events, and whether it receives them. */
        WebhookSubscriptionData: {
            /** @description A subscription to events, and whether it receives them. */
            subscription: components["schemas"]["WebhookSubscription"];
        };
        /** @description All of your subscriptions. */
        WebhookSubscriptionList: {
            /** @description All of your subscriptions. */
            subscriptions: components["schemas"]["WebhookSubscription"][];
        };
        /** @description The body of every JSON response that is not an error. */
        WebhookSubscriptionListResponse: {
            /** @description All of your subscriptions. */
            data: components["schemas"]["WebhookSubscriptionList"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description The body of every JSON response that is not an error. */
        WebhookSubscriptionResponse: {
            /** @description A subscription to events, and whether it receives them. */
            data: components["schemas"]["WebhookSubscriptionData"];
            /** @description What a response says about itself. */
            meta: components["schemas"]["Meta"];
        };
        /** @description The right to withdraw from a new contract without a reason. */
        Withdrawal: {
            /** @description The article, with the address of its official text. */
            source: string;
            /**
             * Format: date
             * @description The last day to send the withdrawal, with reason.kind Withdrawal. Sending it in time is enough.
             */
            until: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getKeySet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeySet"];
                };
            };
        };
    };
    getAuthorizationServerMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthorizationServerMetadata"];
                };
            };
        };
    };
    listCancellations: {
        parameters: {
            query?: {
                /** @description Maximum number of elements in the response; more than 200 count as 200. */
                limit?: number;
                /** @description The nextToken of the previous page. */
                nextToken?: string;
                /** @description Only cancellations with this status. */
                status?: "Created" | "Queued" | "Sent" | "Delivered" | "Confirmed" | "DeliveryFailed" | "Rejected" | "Withdrawn";
                /** @description Only the cancellation with this identifier. */
                externalCancellationRequestIdentifier?: string;
            };
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancellationListResponse"];
                };
            };
        };
    };
    createCancellation: {
        parameters: {
            query?: {
                /** @description Preview the letter: nothing is stored or sent, and the response is 200 with data.letter. */
                dryRun?: boolean;
            };
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
                /**
                 * @description Makes retries within 24 hours safe: the same key with the same request returns the first response again.
                 * @example order-4711
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCancellationRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedCancellationResponse"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedCancellationResponse"];
                };
            };
        };
    };
    getCancellation: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
            };
            path: {
                /** @description A cancellation of the user, from listCancellations. */
                cancellationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancellationResponse"];
                };
            };
        };
    };
    getCancellationEvidence: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
            };
            path: {
                /** @description A cancellation of the user, from listCancellations. */
                cancellationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
        };
    };
    getCancellationLetter: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
            };
            path: {
                /** @description A cancellation of the user, from listCancellations. */
                cancellationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
        };
    };
    createObjection: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
            };
            path: {
                /** @description A cancellation of the user, from listCancellations. */
                cancellationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateObjectionRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjectionResponse"];
                };
            };
        };
    };
    listObjections: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
            };
            path: {
                /** @description A cancellation of the user, from listCancellations. */
                cancellationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ObjectionListResponse"];
                };
            };
        };
    };
    sendObjection: {
        parameters: {
            query?: {
                /** @description Preview the letter: nothing is stored or sent, and the response is 200 with data.letter. */
                dryRun?: boolean;
            };
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
                /**
                 * @description Makes retries within 24 hours safe: the same key with the same request returns the first response again.
                 * @example order-4711
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description A cancellation of the user, from listCancellations. */
                cancellationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendObjectionRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentObjectionResponse"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentObjectionResponse"];
                };
            };
        };
    };
    updateCancellationOutcome: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
            };
            path: {
                /** @description A cancellation of the user, from listCancellations. */
                cancellationId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateCancellationOutcomeRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancellationResponse"];
                };
            };
        };
    };
    listReplies: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
            };
            path: {
                /** @description A cancellation of the user, from listCancellations. */
                cancellationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplyListResponse"];
                };
            };
        };
    };
    getReply: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
            };
            path: {
                /** @description A cancellation of the user, from listCancellations. */
                cancellationId: string;
                /** @description An answer to the cancellation, from listReplies. */
                replyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplyResponse"];
                };
            };
        };
    };
    answerReply: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
                /**
                 * @description Makes retries within 24 hours safe: the same key with the same request returns the first response again.
                 * @example order-4711
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description A cancellation of the user, from listCancellations. */
                cancellationId: string;
                /** @description An answer to the cancellation, from listReplies. */
                replyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnswerReplyRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplyResponse"];
                };
            };
        };
    };
    getRawReply: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
            };
            path: {
                /** @description A cancellation of the user, from listCancellations. */
                cancellationId: string;
                /** @description An answer to the cancellation, from listReplies. */
                replyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "message/rfc822": string;
                };
            };
        };
    };
    withdrawCancellation: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
            };
            path: {
                /** @description A cancellation of the user, from listCancellations. */
                cancellationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancellationResponse"];
                };
            };
        };
    };
    listCancellationCategories: {
        parameters: {
            query?: {
                /** @description The language of the names; English by default, and for a name without a translation. */
                locale?: string;
            };
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationCategoryListResponse"];
                };
            };
        };
    };
    listOrganizations: {
        parameters: {
            query?: {
                /** @description Maximum number of elements in the response; more than 200 count as 200. */
                limit?: number;
                /** @description The nextToken of the previous page. */
                nextToken?: string;
                /** @description Only organizations in this category. */
                categoryId?: string;
                /** @description Only organizations that offer this locale. */
                locale?: string;
                /** @description Only organizations whose address is confirmed, or only the others. */
                confirmed?: "true" | "false";
            };
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationListResponse"];
                };
            };
        };
    };
    getOrganization: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description The organization, from listOrganizations. The example is one of the sandbox. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationResponse"];
                };
            };
        };
    };
    listProducts: {
        parameters: {
            query?: {
                /** @description Only products that offer this locale. */
                locale?: string;
            };
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description The organization, from listOrganizations. The example is one of the sandbox. */
                organizationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductListResponse"];
                };
            };
        };
    };
    getProduct: {
        parameters: {
            query?: {
                /** @description The language of the labels: one of the product's locales, the first by default. */
                locale?: string;
            };
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description The organization, from listOrganizations. The example is one of the sandbox. */
                organizationId: string;
                /** @description The product, from listProducts. The example is one of the sandbox. */
                productId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductResponse"];
                };
            };
        };
    };
    getDeadline: {
        parameters: {
            query?: {
                /** @description The language of the texts, and the country whose law applies: one of the product's locales, the first by default. */
                locale?: string;
                /** @description First day of the contract. */
                contractStart?: string;
                /** @description The day on which the cancellation is sent; today by default, where the recipient is. */
                cancelledOn?: string;
                /** @description The channel that counts for earliestEnd; the product's first by default. */
                channel?: "Email" | "Mail" | "RegisteredMail" | "Fax";
            };
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description The organization, from listOrganizations. The example is one of the sandbox. */
                organizationId: string;
                /** @description The product, from listProducts. The example is one of the sandbox. */
                productId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadlineResponse"];
                };
            };
        };
    };
    calculateDeadline: {
        parameters: {
            query?: {
                /** @description The language of the texts, and the country whose law applies: one of the product's locales, the first by default. */
                locale?: string;
            };
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description The organization, from listOrganizations. The example is one of the sandbox. */
                organizationId: string;
                /** @description The product, from listProducts. The example is one of the sandbox. */
                productId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CalculateDeadlineRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadlineResponse"];
                };
            };
        };
    };
    searchCatalogue: {
        parameters: {
            query: {
                /** @description Maximum number of elements in each of the two lists; more than 200 count as 200. */
                limit?: number;
                /** @description The nextToken of the previous page's meta.pagination. */
                nextToken?: string;
                /** @description Words from the name of an organization, a product, or both; the last word may be incomplete. */
                searchQuery: string;
                /** @description Only what is offered in this locale. */
                locale?: string;
                /** @description Only organizations in this category, and their products. */
                categoryId?: string;
                /** @description Only organizations whose address is confirmed, or only the others, and their products. */
                confirmed?: "true" | "false";
            };
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResponse"];
                };
            };
        };
    };
    getErasure: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description The erasure, as deleteUser returned it. */
                erasureId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasureReceiptResponse"];
                };
            };
        };
    };
    listTerms: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TermsListResponse"];
                };
            };
        };
    };
    findUser: {
        parameters: {
            query: {
                /** @description Your own ID for the user. */
                externalId: string;
            };
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserResponse"];
                };
            };
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description Makes retries within 24 hours safe: the same key with the same request returns the first response again.
                 * @example order-4711
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateUserRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserResponse"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserResponse"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description The user. The example is a user of the local stack. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserResponse"];
                };
            };
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description The user. The example is a user of the local stack. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasureResponse"];
                };
            };
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description The user. The example is a user of the local stack. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateUserRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserResponse"];
                };
            };
        };
    };
    createExport: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description Makes retries within 24 hours safe: the same key with the same request returns the first response again.
                 * @example order-4711
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The user. The example is a user of the local stack. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportResponse"];
                };
            };
        };
    };
    getExport: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description The user. The example is a user of the local stack. */
                userId: string;
                /** @description An export of the user, from createExport. */
                exportId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportResponse"];
                };
            };
        };
    };
    listTermsAcceptances: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description The user. The example is a user of the local stack. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TermsAcceptanceListResponse"];
                };
            };
        };
    };
    acceptTerms: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description Makes retries within 24 hours safe: the same key with the same request returns the first response again.
                 * @example order-4711
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The user. The example is a user of the local stack. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptTermsRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TermsAcceptanceResponse"];
                };
            };
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": components["schemas"]["CreateTokenRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenResponse"];
                };
            };
        };
    };
    getDocument: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of the document that you have.
                 * @example "4f1d0c2a9b7e6d53"
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/yaml": unknown;
                };
            };
        };
    };
    listAccounts: {
        parameters: {
            query?: {
                /** @description Maximum number of elements in the response; more than 200 count as 200. */
                limit?: number;
                /** @description The nextToken of the previous page. */
                nextToken?: string;
            };
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountListResponse"];
                };
            };
        };
    };
    listTransactionCategories: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TopCategoryListResponse"];
                };
            };
        };
    };
    createOpenBankingClient: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
                /**
                 * @description Makes retries within 24 hours safe: the same key with the same request returns the first response again.
                 * @example order-4711
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOpenBankingClientRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenBankingClientResponse"];
                };
            };
        };
    };
    listConnections: {
        parameters: {
            query?: {
                /** @description Maximum number of elements in the response; more than 200 count as 200. */
                limit?: number;
                /** @description The nextToken of the previous page. */
                nextToken?: string;
            };
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionListResponse"];
                };
            };
        };
    };
    createConnection: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
                /**
                 * @description Makes retries within 24 hours safe: the same key with the same request returns the first response again.
                 * @example order-4711
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateConnectionRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionLinkResponse"];
                };
            };
        };
    };
    getConnection: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
            };
            path: {
                /** @description A connection of the user, from listConnections. */
                connectionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionResponse"];
                };
            };
        };
    };
    deleteConnection: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
            };
            path: {
                /** @description A connection of the user, from listConnections. */
                connectionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listConsents: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
            };
            path: {
                /** @description A connection of the user, from listConnections. */
                connectionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsentListResponse"];
                };
            };
        };
    };
    reconnectConnection: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
                /**
                 * @description Makes retries within 24 hours safe: the same key with the same request returns the first response again.
                 * @example order-4711
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description A connection of the user, from listConnections. */
                connectionId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReconnectConnectionRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionLinkResponse"];
                };
            };
        };
    };
    refreshConnection: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
                /**
                 * @description Makes retries within 24 hours safe: the same key with the same request returns the first response again.
                 * @example order-4711
                 */
                "Idempotency-Key"?: string;
                /** @description The user's IP address, if the user is present. Such a refresh does not count towards the four in any 24 hours without the user. */
                "X-Psu-Ip-Address"?: string;
                /** @description With X-Psu-Ip-Address: the header Accept of the user's call to you. This and the following headers are passed on to banks that want them. */
                "X-Psu-Accept"?: string;
                /** @description The header Accept-Charset of the user's call. */
                "X-Psu-Accept-Charset"?: string;
                /** @description The header Accept-Encoding of the user's call. */
                "X-Psu-Accept-Encoding"?: string;
                /** @description The header Accept-Language of the user's call. */
                "X-Psu-Accept-Language"?: string;
                /** @description The header User-Agent of the user's call. */
                "X-Psu-User-Agent"?: string;
                /** @description The method of the user's call. */
                "X-Psu-Http-Method"?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
                /** @description A UUID of the user's device, or of your app on it. */
                "X-Psu-Device-Id"?: string;
                /** @description Where the user is. */
                "X-Psu-Geo-Location"?: string;
                /** @description The port of the user's call. */
                "X-Psu-Ip-Port"?: string;
            };
            path: {
                /** @description A connection of the user, from listConnections. */
                connectionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionResponse"];
                };
            };
        };
    };
    listCategoryInsights: {
        parameters: {
            query?: {
                /** @description Direction to sum. */
                transactionType?: "Income" | "Expense";
                /** @description Length of a period. Weeks start on Monday. */
                granularity?: "alltime" | "daily" | "weekly" | "monthly" | "quarterly" | "yearly";
                /** @description amount sorts by absolute value, largest first. */
                orderBy?: "amount" | "numberOfTransactions" | "name";
                /** @description First day to include. */
                dateFrom?: string;
                /** @description Last day to include. */
                dateTo?: string;
                /** @description Only transactions of this account. */
                accountId?: string;
                /** @description Maximum number of elements in the response; more than 200 count as 200. Without it, the response has all. */
                limit?: number;
                /** @description The nextToken of the previous page. */
                nextToken?: string;
                /** @description L1: categories; L2: subcategories. */
                categoryLevel?: "L1" | "L2";
            };
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CategoryInsightListResponse"];
                };
            };
        };
    };
    listMerchantInsights: {
        parameters: {
            query?: {
                /** @description Direction to sum. */
                transactionType?: "Income" | "Expense";
                /** @description Length of a period. Weeks start on Monday. */
                granularity?: "alltime" | "daily" | "weekly" | "monthly" | "quarterly" | "yearly";
                /** @description amount sorts by absolute value, largest first. */
                orderBy?: "amount" | "numberOfTransactions" | "name";
                /** @description First day to include. */
                dateFrom?: string;
                /** @description Last day to include. */
                dateTo?: string;
                /** @description Only transactions of this account. */
                accountId?: string;
                /** @description Maximum number of elements in the response; more than 200 count as 200. Without it, the response has all. */
                limit?: number;
                /** @description The nextToken of the previous page. */
                nextToken?: string;
            };
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantInsightListResponse"];
                };
            };
        };
    };
    listPriceChanges: {
        parameters: {
            query?: {
                /** @description Only changes of this contract. */
                subscriptionId?: string;
                /** @description The day on which the organization told the user of the rise, for lastDay. It needs subscriptionId. */
                noticeDate?: string;
                /** @description The language of the texts, and the country whose law applies to contracts whose product is not known. By default the language is that of the product. */
                locale?: string;
            };
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceChangeListResponse"];
                };
            };
        };
    };
    listSavings: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavingsListResponse"];
                };
            };
        };
    };
    listRecurringContracts: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecurringContractListResponse"];
                };
            };
        };
    };
    updateRecurringContract: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
            };
            path: {
                /** @description The contract. */
                subscriptionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateRecurringContractRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecurringContractResponse"];
                };
            };
        };
    };
    listProviders: {
        parameters: {
            query?: {
                /** @description Maximum number of elements in the response; more than 200 count as 200. */
                limit?: number;
                /** @description The nextToken of the previous page. */
                nextToken?: string;
                /** @description Only providers in this country. Case does not matter. */
                countryCode?: string;
                /** @description Only providers with this text in their name. Case, accents and the spelling of umlauts do not matter: töchter, toechter and tochter are the same. */
                providerNameFilter?: string;
                /** @description Only providers with this BIC. Case does not matter, and a BIC without branch is the same as one that ends with XXX. */
                bic?: string;
                /** @description Only providers with this national bank code, such as a German Bankleitzahl. Case does not matter. */
                bankCode?: string;
            };
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderListResponse"];
                };
            };
        };
    };
    listProviderCountries: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderCountryListResponse"];
                };
            };
        };
    };
    getProvider: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description The bank, from listProviders. The example is a bank of the sandbox. */
                providerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderResponse"];
                };
            };
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                /** @description Maximum number of elements in the response; more than 200 count as 200. */
                limit?: number;
                /** @description The nextToken of the previous page. */
                nextToken?: string;
                /** @description Only transactions of this account. */
                accountId?: string;
                /** @description First day to include. */
                dateFrom?: string;
                /** @description Last day to include. */
                dateTo?: string;
                /** @description Only transactions in this state. */
                recordState?: "Cleared" | "Uncleared" | "Void";
                /** @description Only transactions in this category, given as an L1 or L2 ID. */
                categoryId?: number;
                /** @description Only transactions with this merchant or counterparty. */
                merchantId?: string;
                /** @description Only transactions of this type. */
                recordType?: "Income" | "Expense";
                /** @description Smallest amount to include, in major units of whatever currency. Expenses are negative: amountTo=-100 lists expenses of 100 or more. */
                amountFrom?: string;
                /** @description Largest amount to include. */
                amountTo?: string;
                /** @description Only transactions that contain all of these words: in the note, the merchant's name, or the counterparty's name, account, mandate or creditor ID. Case, accents and the spelling of umlauts do not matter. Parts of words are found too; a word of one or two characters must begin a word. */
                text?: string;
            };
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionListResponse"];
                };
            };
        };
    };
    listTransactionChanges: {
        parameters: {
            query?: {
                /** @description The since of the previous response. Omit it to start from the beginning. */
                since?: string;
                /** @description Maximum number of changes in the response; more than 200 count as 200. */
                limit?: number;
            };
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionChangeListResponse"];
                };
            };
        };
    };
    getTransaction: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
            };
            path: {
                /** @description A transaction of the user, from listTransactions. */
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionResponse"];
                };
            };
        };
    };
    updateTransaction: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
            };
            path: {
                /** @description A transaction of the user, from listTransactions. */
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateTransactionRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionResponse"];
                };
            };
        };
    };
    deleteTransactionCategory: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description The user that the request acts for: a UUID.
                 * @example 1b4e28ba-2fa1-4d1e-883f-0016d3cca427
                 */
                "X-User-Id": string;
            };
            path: {
                /** @description A transaction of the user, from listTransactions. */
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    sendTestMail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "message/rfc822": string;
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedMail"];
                };
            };
        };
    };
    getClock: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description The user. The example is a user of the local stack. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClockResponse"];
                };
            };
        };
    };
    advanceClock: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description Makes retries within 24 hours safe: the same key with the same request returns the first response again.
                 * @example order-4711
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The user. The example is a user of the local stack. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdvanceClockRequest"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClockResponse"];
                };
            };
        };
    };
    createTestTransactions: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description Makes retries within 24 hours safe: the same key with the same request returns the first response again.
                 * @example order-4711
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The user who has the account. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTestTransactionsRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestTransactionsResponse"];
                };
            };
        };
    };
    listEventTypes: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventTypeListResponse"];
                };
            };
        };
    };
    simulateEvent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description Makes retries within 24 hours safe: the same key with the same request returns the first response again.
                 * @example order-4711
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SimulateEventRequest"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SimulatedEventResponse"];
                };
            };
        };
    };
    listWebhookSubscriptions: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSubscriptionListResponse"];
                };
            };
        };
    };
    createWebhookSubscription: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description Makes retries within 24 hours safe: the same key with the same request returns the first response again.
                 * @example order-4711
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookSubscriptionRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhookSubscriptionResponse"];
                };
            };
        };
    };
    getWebhookSubscription: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description The subscription, from listWebhookSubscriptions. */
                subscriptionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSubscriptionResponse"];
                };
            };
        };
    };
    deleteWebhookSubscription: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description The subscription, from listWebhookSubscriptions. */
                subscriptionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateWebhookSubscription: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description The subscription, from listWebhookSubscriptions. */
                subscriptionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookSubscriptionRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSubscriptionResponse"];
                };
            };
        };
    };
    listDeliveryAttempts: {
        parameters: {
            query?: {
                /** @description Maximum number of elements in the response; more than 200 count as 200. */
                limit?: number;
                /** @description The nextToken of the previous page. */
                nextToken?: string;
            };
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description The subscription, from listWebhookSubscriptions. */
                subscriptionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryAttemptListResponse"];
                };
            };
        };
    };
    listWebhookSecrets: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description The subscription, from listWebhookSubscriptions. */
                subscriptionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecretListResponse"];
                };
            };
        };
    };
    createWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
                /**
                 * @description Makes retries within 24 hours safe: the same key with the same request returns the first response again.
                 * @example order-4711
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The subscription, from listWebhookSubscriptions. */
                subscriptionId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateWebhookSecretRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecretResponse"];
                };
            };
        };
    };
    deleteWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description The subscription, from listWebhookSubscriptions. */
                subscriptionId: string;
                /** @description The secret, from listWebhookSecrets. */
                secretId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateWebhookSubscriptionStatus: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Your own ID for the request. It is echoed, and is the traceId of errors.
                 * @example 4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11
                 */
                "X-Request-Id"?: string;
            };
            path: {
                /** @description The subscription, from listWebhookSubscriptions. */
                subscriptionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookSubscriptionStatusRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSubscriptionResponse"];
                };
            };
        };
    };
    receiveCancellationConfirmed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancellationConfirmedEvent"];
            };
        };
        responses: never;
    };
    receiveCancellationCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancellationCreatedEvent"];
            };
        };
        responses: never;
    };
    receiveCancellationDebitAfterEnd: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancellationDebitAfterEndEvent"];
            };
        };
        responses: never;
    };
    receiveCancellationDelivered: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancellationDeliveredEvent"];
            };
        };
        responses: never;
    };
    receiveCancellationDeliveryFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancellationDeliveryFailedEvent"];
            };
        };
        responses: never;
    };
    receiveCancellationEffective: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancellationEffectiveEvent"];
            };
        };
        responses: never;
    };
    receiveCancellationQueued: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancellationQueuedEvent"];
            };
        };
        responses: never;
    };
    receiveCancellationRejected: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancellationRejectedEvent"];
            };
        };
        responses: never;
    };
    receiveCancellationReplied: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancellationRepliedEvent"];
            };
        };
        responses: never;
    };
    receiveCancellationSent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancellationSentEvent"];
            };
        };
        responses: never;
    };
    receiveCancellationWithdrawn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancellationWithdrawnEvent"];
            };
        };
        responses: never;
    };
    receiveConnectionActionRequired: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectionActionRequiredEvent"];
            };
        };
        responses: never;
    };
    receiveConnectionActivated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectionActivatedEvent"];
            };
        };
        responses: never;
    };
    receiveConnectionDataExpiring: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectionDataExpiringEvent"];
            };
        };
        responses: never;
    };
    receiveConnectionDeleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectionDeletedEvent"];
            };
        };
        responses: never;
    };
    receiveConnectionExpired: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectionExpiredEvent"];
            };
        };
        responses: never;
    };
    receiveConnectionExpiring: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectionExpiringEvent"];
            };
        };
        responses: never;
    };
    receiveConnectionFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectionFailedEvent"];
            };
        };
        responses: never;
    };
    receiveConnectionRefreshed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectionRefreshedEvent"];
            };
        };
        responses: never;
    };
    receiveConnectionRevoked: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectionRevokedEvent"];
            };
        };
        responses: never;
    };
    receiveConnectionSyncFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectionSyncFailedEvent"];
            };
        };
        responses: never;
    };
    receiveConnectionSyncRecovered: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectionSyncRecoveredEvent"];
            };
        };
        responses: never;
    };
    receiveContractDeadlineApproaching: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContractDeadlineApproachingEvent"];
            };
        };
        responses: never;
    };
    receiveContractPriceIncreased: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContractPriceIncreasedEvent"];
            };
        };
        responses: never;
    };
    receiveObjectionDelivered: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ObjectionDeliveredEvent"];
            };
        };
        responses: never;
    };
    receiveObjectionDeliveryFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ObjectionDeliveryFailedEvent"];
            };
        };
        responses: never;
    };
    receiveObjectionSent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ObjectionSentEvent"];
            };
        };
        responses: never;
    };
    receiveSubscriptionFailing: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscriptionFailingEvent"];
            };
        };
        responses: never;
    };
    receiveTransactionsUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TransactionsUpdatedEvent"];
            };
        };
        responses: never;
    };
    receiveUserErased: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserErasedEvent"];
            };
        };
        responses: never;
    };
    receiveWebhookPing: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookPingEvent"];
            };
        };
        responses: never;
    };
}
