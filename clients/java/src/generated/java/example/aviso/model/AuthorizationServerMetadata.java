// Generated from docs/openapi.yaml by `make clients`. Do not edit.
package example.aviso.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;

/**
 * Metadata of the authorization server (RFC 8414), for OAuth libraries.
 *
 * @param grantTypesSupported Only client_credentials.
 * @param issuer The issuer of access tokens, which is their iss.
 * @param jwksUri The public keys for access tokens and evidence.
 * @param responseTypesSupported Empty: there is no authorization endpoint.
 * @param scopesSupported All scopes. Your client may have fewer.
 * @param serviceDocumentation The documentation.
 * @param tokenEndpoint Where to get access tokens.
 * @param tokenEndpointAuthMethodsSupported How a client can authenticate.
 */
public record AuthorizationServerMetadata(
        @JsonProperty("grant_types_supported") List<String> grantTypesSupported,
        @JsonProperty("issuer") String issuer,
        @JsonProperty("jwks_uri") String jwksUri,
        @JsonProperty("response_types_supported") List<String> responseTypesSupported,
        @JsonProperty("scopes_supported") List<String> scopesSupported,
        @JsonProperty("service_documentation") String serviceDocumentation,
        @JsonProperty("token_endpoint") String tokenEndpoint,
        @JsonProperty("token_endpoint_auth_methods_supported") List<String> tokenEndpointAuthMethodsSupported
) {
}
