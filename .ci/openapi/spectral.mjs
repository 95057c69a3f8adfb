// Spectral's rules for the API documents: its own for OpenAPI, and OWASP's for APIs.
// Everything after `extends` is an exception, with its reason.
import { oas } from "@stoplight/spectral-rulesets";
import owasp from "../../.tools/openapi/node_modules/@stoplight/spectral-owasp-ruleset/dist/ruleset.mjs";

// except returns the rule with other places to look at, and other conditions if given.
const except = (rule, given, then = owasp.rules[rule].then) => ({ [rule]: { ...owasp.rules[rule], given, then } });

// sent returns the schemas of a type in what partners send.
const sent = (type) =>
	["parameters[*]", "requestBody.content[*]"].flatMap((place) => [
		`$.paths[*][*].${place}.schema[?(@property == "type" && @ == "${type}")]^`,
		`$.paths[*][*].${place}.schema..[?(@ && @.type == "${type}")]`,
		`$.paths[*][*].${place}.schema..[?(@ && @.type && @.type.includes && @.type.includes("${type}"))]`,
	]);

// Dates, UUIDs and patterns without * and + have a length already.
const limited = {
	anyOf: [
		{ required: ["maxLength"] },
		{ required: ["enum"] },
		{ required: ["const"] },
		{ required: ["format"], properties: { format: { enum: ["date", "uuid"] } } },
		{ required: ["pattern"], properties: { pattern: { pattern: "^\\^[^*+]*\\$$" } } },
	],
};
const stringLimit = { ...owasp.rules["owasp:api4:2023-string-limit"].then, functionOptions: { schema: limited } };

// What anybody may call: the way to a token, and what describes the API. A partner's
// requests are not counted there.
const anybody = ["/.well-known/jwks.json", "/.well-known/oauth-authorization-server", "/oauth2/token", "/openapi.yaml"];

// A template's field has members with the names type and example, so an example of one looks like a schema.
const schemaExample = oas.rules["oas3-valid-schema-example"];

export default {
	extends: [oas, owasp],
	rules: {
		"oas3-valid-schema-example": {
			...schemaExample,
			given: schemaExample.given.map((path) => path.replace("$..content..", "$..content[*].schema..")),
		},

		// Limits protect a service from its callers. In an answer, a limit would only be a
		// promise, and raising it a breaking change.
		...except("owasp:api4:2023-array-limit", sent("array")),
		...except("owasp:api4:2023-integer-limit", sent("integer")),
		...except("owasp:api4:2023-string-limit", sent("string"), stringLimit),

		// Names, notes and searches are free text in any language; their lengths are limited.
		"owasp:api4:2023-string-restricted": "off",

		// A 401 is sent before the partner is known whose requests are counted.
		...except("owasp:api4:2023-rate-limit", ["$.paths[*]..responses[?(@property.match(/^(2|4(?!01))/))]"]),

		// A page token is a sealed position, and a secret's ID is not the secret.
		...except("owasp:api2:2023-no-credentials-in-url", [
			'$..parameters[?(@ && @.in && @.in.match(/query|path/) && @.name != "nextToken" && @.name != "secretId")].name',
		]),

		// Categories are the same for everybody; their numbers are in the interface.
		...except("owasp:api1:2023-no-numeric-ids", [
			'$.paths..parameters[*][?(@property == "name" && @ != "categoryId" && @.match(/(^id|_id|Id|-id)$/))]^.schema',
		]),

		// RFC 6749, section 2.3.1, asks for Basic at the token endpoint; no other place takes it.
		"owasp:api2:2023-no-http-basic": "off",

		// Client credentials have no refresh token (RFC 6749, section 4.4.3). Access tokens expire.
		"owasp:api2:2023-short-lived-access-tokens": "off",

		// Servers call the API. A browser that did would have the partner's secret.
		"owasp:api8:2023-define-cors-origin": "off",

		// The local stack has no certificate.
		...except("owasp:api8:2023-no-server-http", ["$.servers[?(!@.url.match(/^http:..localhost:/))].url"]),
	},
	overrides: [
		{
			files: anybody.map((path) => `**#/paths/${path.replaceAll("/", "~1")}`),
			rules: {
				"owasp:api2:2023-read-restricted": "off",
				"owasp:api2:2023-write-restricted": "off",
				"owasp:api4:2023-rate-limit": "off",
				"owasp:api8:2023-define-error-responses-401": "off",
				"owasp:api8:2023-define-error-validation": "off",
			},
		},
		{
			// Carriers and users' browsers decide what they send, and have no access token.
			files: ["../../docs/openapi-internal.yaml"],
			rules: Object.fromEntries(Object.keys(owasp.rules).map((rule) => [rule, "off"])),
		},
		{
			// The whole form is limited, to 256 KB, and headers to 10 KB by API Gateway.
			files: ["**#/components/schemas/CreateTokenRequest", "**#/paths/~1openapi.yaml/get/parameters"],
			rules: { "owasp:api4:2023-string-limit": "off" },
		},
		{
			// An event type is one of a list, which the description names.
			files: ["Create", "Update"].map((verb) => `**#/components/schemas/${verb}WebhookSubscriptionRequest/properties/events`),
			rules: { "owasp:api4:2023-string-limit": "off" },
		},
	],
};
