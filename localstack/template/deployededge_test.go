package template_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/document"
)

func TestTheEdgeOfTheServiceIsClosed(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	gateway := d.resources["HttpApi"]

	t.Run("no other website may call the API from a browser", func(t *testing.T) {
		t.Parallel()
		assert.Nil(t, at(gateway, "Properties", "CorsConfiguration"))
	})

	t.Run("a custom domain speaks TLS 1.2 or later, and is then the only address", func(t *testing.T) {
		t.Parallel()
		domain, _ := at(d.resources["ApiDomain"], "Properties", "DomainNameConfigurations").([]any)
		require.Len(t, domain, 1)
		assert.Equal(t, "TLS_1_2", at(domain[0], "SecurityPolicy"))
		only := map[string]any{"Fn::If": []any{"HasOnlyDomain", true, false}}
		assert.Equal(t, only, at(gateway, "Properties", "DisableExecuteApiEndpoint"))
	})

	t.Run("every route has a limit, and public ones that cost more have a lower one", func(t *testing.T) {
		t.Parallel()
		limits := func(settings any) (perSecond, burst int) {
			perSecond, _ = at(settings, "ThrottlingRateLimit").(int)
			burst, _ = at(settings, "ThrottlingBurstLimit").(int)
			return perSecond, burst
		}
		rate, burst := limits(at(gateway, "Properties", "DefaultRouteSettings"))
		assert.Positive(t, rate)
		assert.Positive(t, burst)
		routes, _ := at(gateway, "Properties", "RouteSettings").(map[string]any)
		for path := range document.Internal().Paths { // what needs no token
			assert.True(t, slices.ContainsFunc(slices.Collect(maps.Keys(routes)), func(route string) bool {
				prefix, isPrefix := strings.CutSuffix(strings.TrimPrefix(route, "ANY "), "{proxy+}")
				return path == prefix || isPrefix && strings.HasPrefix(path, prefix)
			}), "%s has only the limit of all routes", path)
		}
		assert.Contains(t, routes, "ANY /oauth2/{proxy+}")
		for route := range routes {
			lower, lowerBurst := limits(at(gateway, "Properties", "RouteSettings", route))
			assert.Positive(t, lower, route)
			assert.Less(t, lower, rate, route)
			assert.Positive(t, lowerBurst, route)
			assert.Less(t, lowerBurst, burst, route)
		}
	})

	t.Run("the access log has no path, query or header, which may hold a secret", func(t *testing.T) {
		t.Parallel()
		format, _ := at(gateway, "Properties", "AccessLogSettings", "Format").(string)
		var logged []string
		for _, m := range regexp.MustCompile(`\$context\.([\w.]+)`).FindAllStringSubmatch(format, -1) {
			logged = append(logged, m[1])
		}
		assert.ElementsMatch(t, []string{
			"requestId", "requestTime", "identity.sourceIp", "routeKey", "status", "responseLatency", "integrationLatency",
			"integrationErrorMessage", "responseLength",
		}, logged)
	})

	t.Run("the log with callers' addresses is kept for a month at most", func(t *testing.T) {
		t.Parallel()
		assert.Equal(t, map[string]any{"Ref": "AccessLogRetentionDays"}, at(d.resources["AccessLog"], "Properties", "RetentionInDays"))
		for _, days := range list(at(d.parameters["AccessLogRetentionDays"], "AllowedValues")) {
			assert.LessOrEqual(t, days, 30)
		}
	})

	t.Run("CloudFront brings a secret that everything behind the API asks for", func(t *testing.T) {
		t.Parallel()
		const secret = "{{resolve:secretsmanager:${EdgeSecret}:SecretString}}"
		origins := list(at(d.resources["Edge"], "Properties", "DistributionConfig", "Origins"))
		header := list(at(origins[0], "OriginCustomHeaders"))[0]
		assert.Equal(t, map[string]any{"HeaderName": "X-Edge-Secret", "HeaderValue": map[string]any{"Fn::Sub": secret}}, header)
		assert.NotNil(t, at(d.resources["Edge"], "Properties", "DistributionConfig", "WebACLId"))
		for id, f := range d.ofType("AWS::Serverless::Function") {
			if len(events(f, "HttpApi")) > 0 {
				other := strings.ReplaceAll(secret, "EdgeSecret", "OtherEdgeSecret")
				assert.Equal(t, map[string]any{"Fn::If": []any{"HasEdge", map[string]any{"Fn::If": []any{
					"HasOtherEdgeSecret", map[string]any{"Fn::Sub": secret + " " + other}, map[string]any{"Fn::Sub": secret},
				}}, ""}}, at(f, "Properties", "Environment", "Variables", "EDGE_SECRETS"), id)
				assert.Equal(t, map[string]any{"Ref": "EdgeMode"}, at(f, "Properties", "Environment", "Variables", "EDGE_MODE"), id)
			}
		}
	})

	t.Run("operators and everything behind queues have no route", func(t *testing.T) {
		t.Parallel()
		var routed []string
		for id, f := range d.ofType("AWS::Serverless::Function") {
			if len(events(f, "HttpApi")) > 0 {
				routed = append(routed, id)
			}
			assert.Nil(t, at(f, "Properties", "FunctionUrlConfig"), id)
		}
		assert.ElementsMatch(t, []string{
			"IdentityFunction", "PfmFunction", "CancellationFunction", "SearchFunction", "NotificationFunction",
			"ReplyReaderFunction",
			"LetterFeedbackFunction", "SandboxFunction", "ConsoleFunction",
		}, routed)
	})
}

// Some functions may read only a few rows of another area's table.
func TestFunctionsSeeOnlyTheRowsTheyNeed(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	for _, test := range []struct {
		function, table string
		keys            []any
	}{
		{"OperatorFunction", "IdentityTable", []any{"P#*", "TERMS", "DISABLED"}},
		{"OperatorFunction", "PfmTable", []any{"PROVIDER#*", "PROVIDERS#*", "COUNTRIES"}},
		{"ConsoleFunction", "IdentityTable", []any{"P#*", "CLOCKS", "TERMS"}},
		{"PfmFunction", "CancellationTable", []any{"ORGANIZATION#*"}},
		{"SearchFunction", "IdentityTable", []any{"SIGNING-KEYS", "DISABLED"}},
		{"SearchFunction", "CancellationTable", []any{"CATALOGUE", "SEARCH#*", "CATEGORIES", "ORGANIZATION#*"}},
	} {
		granted := 0
		for _, s := range d.statements(test.function) {
			if !slices.Contains(named(s["Resource"]), test.table) {
				continue
			}
			granted++
			conditions, _ := s["Condition"].(map[string]any)
			require.Len(t, conditions, 1, "%s on %s", test.function, test.table)
			for operator, condition := range conditions {
				assert.Contains(t, []string{"ForAllValues:StringLike", "ForAllValues:StringEquals"}, operator)
				assert.Equal(t, test.keys, at(condition, "dynamodb:LeadingKeys"), "%s on %s", test.function, test.table)
			}
			// ForAllValues also holds for a call without keys, such as a scan.
			assert.NotContains(t, list(s["Action"]), "dynamodb:Scan")
		}
		assert.Equal(t, 1, granted, "%s on %s", test.function, test.table)
	}
}

func TestLettersLeaveOverTLSOnly(t *testing.T) {
	t.Parallel()
	set := readDeployed(t).resources["MailConfigurationSet"]
	assert.Equal(t, "REQUIRE", at(set, "Properties", "DeliveryOptions", "TlsPolicy"))
}

// Many functions read SealingSecret, for page tokens. The keys with which we sign callbacks have
// a root that only what uses them may read.
func TestWebhookKeysHaveARootOfTheirOwn(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	var readers []string
	for id := range d.ofType("AWS::Serverless::Function") {
		for _, s := range d.statements(id) {
			if slices.Contains(named(s["Resource"]), "WebhookSecret") {
				readers = append(readers, id)
			}
		}
	}
	assert.ElementsMatch(t, []string{"ConsoleFunction", "NotificationFunction", "OperatorFunction", "WebhookDeliveryFunction"}, readers)
}

// DynamoDB promises two readers of a shard, and slows down more. A third purpose goes through
// outbox-relay, or through the console's feed.
func TestStreamsHaveTwoReadersAtMost(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	readers := map[string]int{}
	for _, f := range d.ofType("AWS::Serverless::Function") {
		for _, properties := range events(f, "DynamoDB") {
			for _, table := range named(at(properties, "Stream")) {
				readers[table]++
			}
		}
	}
	require.NotEmpty(t, readers)
	for table, n := range readers {
		assert.LessOrEqual(t, n, 2, table)
	}
}

func TestRootSecretsAreRandom(t *testing.T) {
	t.Parallel()
	secrets := readDeployed(t).ofType("AWS::SecretsManager::Secret")
	require.NotEmpty(t, secrets)
	for id, s := range secrets {
		assert.Nil(t, at(s, "Properties", "SecretString"), id)
		assert.Equal(t, 64, at(s, "Properties", "GenerateSecretString", "PasswordLength"), id)
	}
}
