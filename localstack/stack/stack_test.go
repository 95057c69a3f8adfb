package stack_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/aws/config"
	"aviso/localstack/stack"
	"aviso/localstack/stack/emulator"
	"aviso/localstack/stack/secrets"
)

var loopback = regexp.MustCompile(`127\.0\.0\.1:\d+`)

func TestRun(t *testing.T) {
	dataDir := t.TempDir()
	r := run(t, dataDir)

	t.Run("a POST travels through stream and queue into the other table", func(t *testing.T) {
		status, _ := r.call(t, http.MethodPost, "/in/one")
		require.Equal(t, 200, status)
		assert.Eventually(t, func() bool {
			status, _ := r.call(t, http.MethodGet, "/out/one")
			return status == 200
		}, patience, 20*time.Millisecond)
	})

	t.Run("a function may do what its policies allow, and nothing else", func(t *testing.T) {
		status, _ := r.call(t, http.MethodGet, "/forbidden/one")
		assert.Equal(t, 500, status)
		log, err := os.ReadFile(filepath.Join(dataDir, "functions.log"))
		require.NoError(t, err)
		assert.Contains(
			t, string(log),
			"the policies of web in template.yaml do not allow dynamodb:GetItem on arn:aws:dynamodb:eu-central-1:000000000000:table/InTable",
		)
	})

	t.Run("a function gets only the template's variables and Lambda's own", func(t *testing.T) {
		for name, want := range map[string]string{
			"ENVIRONMENT": "local", "BASE_URL": r.url, "GREETING": "hello",
			"AWS_LAMBDA_FUNCTION_NAME": "web", "AWS_REGION": "eu-central-1",
			"QUEUE": "", "PATH": "", asRunner: "",
		} {
			assert.Equal(t, want, r.get(t, "/env/"+name), name)
		}
	})

	t.Run("an invoked function sends mail, whose events come back through a rule", func(t *testing.T) {
		for to, event := range map[string]string{"a@firm.example": "Delivery", "bounce@simulator.amazonses.com": "Bounce"} {
			status, answer := r.invoke(t, dataDir, "mail", `{"to":"`+to+`","key":"mail"}`)
			require.Equal(t, 200, status)
			assert.Regexp(t, `^"[^"]+"$`, answer, "the message id")
			assert.Eventually(t, func() bool {
				status, _ := r.call(t, http.MethodGet, "/out/mail"+event)
				return status == 200
			}, patience, 20*time.Millisecond)
		}
	})

	t.Run("documentation is beside the API", func(t *testing.T) {
		for _, path := range []string{"/docs", "/docs/a.md"} {
			status, answer := r.call(t, http.MethodGet, path)
			assert.Equal(t, 200, status)
			assert.Equal(t, "docs of "+path, answer)
		}
		_, answer := r.call(t, http.MethodGet, "/docsearch")
		assert.NotContains(t, answer, "docs of")
	})

	t.Run("SES refuses a sender that the template does not have", func(t *testing.T) {
		_, answer := r.invoke(t, dataDir, "mail", `{"from":"other@letters.example","to":"a@firm.example","key":"refused"}`)
		assert.Contains(t, answer, "MessageRejected: Email address is not verified")
	})

	t.Run("a second stack on the same folder fails with one clear line", func(t *testing.T) {
		err := stack.Run(t.Context(), stack.Options{
			Port: 0, DataDir: dataDir, Template: "testdata/template.yaml",
			Functions: service(), Getenv: none, Console: io.Discard,
		})
		require.ErrorContains(t, err, "another stack uses the data folder "+dataDir)
		assert.NotContains(t, err.Error(), "\n")
	})

	t.Run("a second stack on another folder runs next to it", func(t *testing.T) {
		second := run(t, t.TempDir())
		status, _ := second.call(t, http.MethodGet, "/out/one")
		assert.Equal(t, 404, status)
		second.interrupt(t)
	})

	secret := r.get(t, "/secret")
	require.Len(t, secret, 20)

	t.Run("the data folder holds the address of the inbox", func(t *testing.T) {
		inbox, err := os.ReadFile(filepath.Join(dataDir, "inbox"))
		require.NoError(t, err)
		assert.Contains(t, r.printed, "SES        "+strings.TrimSpace(string(inbox))+"\n")
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, strings.TrimSpace(string(inbox))+"/store", nil)
		require.NoError(t, err)
		status, _ := do(t, request)
		assert.Equal(t, 200, status)
	})

	t.Run("Ctrl-C stops it and its emulators", func(t *testing.T) {
		// A mail whose events have not come yet loses none of them.
		status, _ := r.invoke(t, dataDir, "mail", `{"to":"a@firm.example","key":"last"}`)
		require.Equal(t, 200, status)
		r.interrupt(t)
		addresses := append(loopback.FindAllString(r.printed, -1), strings.TrimPrefix(r.url, "http://"))
		require.Len(t, addresses, 6, "DynamoDB, SQS, Secrets Manager, Lambda, SES and its own")
		assert.NoFileExists(t, filepath.Join(dataDir, "base-url"))
		assert.NoFileExists(t, filepath.Join(dataDir, "lambda-endpoint"))
		assert.NoFileExists(t, filepath.Join(dataDir, "secrets-endpoint"))
		assert.NoFileExists(t, filepath.Join(dataDir, "inbox"))
		for _, address := range addresses {
			_, err := net.Dial("tcp", address)
			assert.ErrorIs(t, err, syscall.ECONNREFUSED, address)
		}
	})

	t.Run("a restart keeps data and secrets, and reads a parameter from the environment", func(t *testing.T) {
		begun := time.Now()
		again := run(t, dataDir, "GREETING=hi")
		assert.Less(t, time.Since(begun), 5*time.Second, "a warm start")
		status, _ := again.call(t, http.MethodGet, "/out/one")
		assert.Equal(t, 200, status)
		assert.Equal(t, secret, again.get(t, "/secret"))
		assert.Equal(t, "hi", again.get(t, "/env/GREETING"))
		assert.Eventually(t, func() bool { // what was not handled before the end comes again
			status, _ := again.call(t, http.MethodGet, "/out/lastDelivery")
			return status == http.StatusOK
		}, 10*time.Second, 20*time.Millisecond)
		again.interrupt(t)
	})

	t.Run("workers alone open no port", func(t *testing.T) {
		workers := run(t, dataDir, "WORKERS_ONLY=1")
		status, _ := workers.invoke(t, dataDir, "mail", `{"to":"a@firm.example","key":"worked"}`)
		assert.Equal(t, 200, status)
		_, err := net.Dial("tcp", strings.TrimPrefix(workers.url, "http://"))
		assert.ErrorIs(t, err, syscall.ECONNREFUSED)
		workers.interrupt(t)
	})
}

func TestRunOnGivenEndpoints(t *testing.T) {
	tables, queues, others, secretFile := given(t)
	dataDir := t.TempDir()
	r := run(t, dataDir, "AWS_ENDPOINT_URL="+others.URL,
		"AWS_ENDPOINT_URL_DYNAMODB="+tables.URL, "AWS_ENDPOINT_URL_SQS="+queues.URL, "AWS_ENDPOINT_URL_SESV2="+others.URL)
	assert.Contains(t, r.printed, tables.URL)
	assert.Contains(t, r.printed, queues.URL)
	assert.NotContains(t, r.printed, "  SES  ")
	status, _ := r.call(t, http.MethodPost, "/in/one")
	require.Equal(t, 200, status)
	assert.Eventually(t, func() bool {
		status, _ := r.call(t, http.MethodGet, "/out/one")
		return status == 200
	}, patience, 20*time.Millisecond)
	assert.Len(t, r.get(t, "/secret"), 20)
	assert.FileExists(t, secretFile)
	r.interrupt(t)

	t.Run("starts no emulators", func(t *testing.T) {
		for _, file := range []string{"dynamodb.sqlite", "queues.jsonl", "secrets.json"} {
			assert.NoFileExists(t, filepath.Join(dataDir, file))
		}
	})
	t.Run("except SES, which LocalStack's free edition lacks", func(t *testing.T) {
		r := run(t, t.TempDir(), "AWS_ENDPOINT_URL="+others.URL,
			"AWS_ENDPOINT_URL_DYNAMODB="+tables.URL, "AWS_ENDPOINT_URL_SQS="+queues.URL)
		assert.Contains(t, r.printed, "  SES  ")
		r.interrupt(t)
	})
	t.Run("leaves them running", func(t *testing.T) {
		for _, url := range []string{tables.URL, queues.URL} {
			response, err := http.Get(url)
			require.NoError(t, err)
			require.NoError(t, response.Body.Close())
		}
	})
}

func TestReadyTellsWhatFunctionsElsewhereNeed(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	var told stack.Surroundings
	dataDir := t.TempDir()
	require.NoError(t, stack.Run(ctx, stack.Options{
		Port: 3999, DataDir: dataDir, Template: "testdata/template.yaml", Functions: service(), Getenv: none, Console: io.Discard,
		WorkersOnly: true,
		Ready: func(s stack.Surroundings) {
			told = s
			noted, err := os.ReadFile(filepath.Join(dataDir, "dynamodb-endpoint"))
			assert.NoError(t, err)
			assert.Equal(t, s.AWS["AWS_ENDPOINT_URL_DYNAMODB"], strings.TrimSpace(string(noted)))
			stop()
		},
	}))
	here := `^http://127\.0\.0\.1:\d+$`
	assert.Regexp(t, here, told.Lambda)
	for _, service := range []string{"DYNAMODB", "DYNAMODB_STREAMS", "SQS", "SESV2", "SECRETS_MANAGER"} {
		assert.Regexp(t, here, told.AWS["AWS_ENDPOINT_URL_"+service], service)
	}
	require.NotEmpty(t, told.Functions)
	assert.Len(t, told.Variables, len(told.Functions))
	assert.Equal(t, "http://localhost:3999", told.Variables["WebFunction"]["BASE_URL"])
	assert.NoFileExists(t, filepath.Join(dataDir, "dynamodb-endpoint"))
}

// given starts emulators for AWS_ENDPOINT_URL_… to name.
func given(t *testing.T) (tables, queues *emulator.Process, others *httptest.Server, secretFile string) {
	t.Helper()
	tables, err := emulator.StartDynamoDB(t.Context(), "")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, tables.Stop()) })
	queues, err = emulator.StartSQS(t.Context(), "")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, queues.Stop()) })
	secretFile = filepath.Join(t.TempDir(), "secrets.json")
	store, err := secrets.Open(secretFile)
	require.NoError(t, err)
	others = httptest.NewServer(store)
	t.Cleanup(others.Close)
	return tables, queues, others, secretFile
}

func TestProvision(t *testing.T) {
	tables, queues, others, _ := given(t)
	environment := map[string]string{
		"AWS_ENDPOINT_URL":          others.URL,
		"AWS_ENDPOINT_URL_DYNAMODB": tables.URL,
		"AWS_ENDPOINT_URL_SQS":      queues.URL,
	}
	for range 2 { // what is there stays
		var said strings.Builder
		require.NoError(t, stack.Provision(t.Context(), stack.Options{
			Template: "testdata/template.yaml", Getenv: func(name string) string { return environment[name] }, Console: &said,
		}))
		assert.Regexp(t, `^[1-9]\d* tables, [1-9]\d* queues and [1-9]\d* secrets are ready\n$`, said.String())
	}
	o := stack.Options{Template: "testdata/template.yaml", Getenv: none, Console: io.Discard}
	require.ErrorContains(t, stack.Provision(t.Context(), o), "AWS_ENDPOINT_URL")
}

func none(string) string { return "" }

func TestRunRefuses(t *testing.T) {
	t.Run("a taken port, with one clear line and before anything else", func(t *testing.T) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		defer listener.Close()
		port := listener.Addr().(*net.TCPAddr).Port
		dataDir := filepath.Join(t.TempDir(), "data")
		err = stack.Run(t.Context(), stack.Options{
			Port: port, DataDir: dataDir, Template: "testdata/template.yaml",
			Functions: service(), Getenv: none, Console: io.Discard,
		})
		require.EqualError(t, err, fmt.Sprintf("port %d is taken; stop the program that uses it, or run PORT=%d make run", port, port+1))
		assert.NoDirExists(t, dataDir)
	})

	t.Run("a function without code", func(t *testing.T) {
		functions := service()
		delete(functions, "work")
		err := stack.Run(t.Context(), stack.Options{
			DataDir: t.TempDir(), Template: "testdata/template.yaml", Functions: functions, Getenv: none, Console: io.Discard,
		})
		require.EqualError(t, err, `WorkFunction is in the template, but internal/app has no function "work"`)
	})

	t.Run("a function that cannot be built, leaving no emulator", func(t *testing.T) {
		functions := service()
		functions["work"] = func(context.Context, config.Env) (lambda.Handler, error) { return nil, io.ErrUnexpectedEOF }
		err := stack.Run(t.Context(), stack.Options{
			DataDir: t.TempDir(), Template: "testdata/template.yaml", Functions: functions, Getenv: none, Console: io.Discard,
		})
		require.ErrorContains(t, err, "function work: unexpected EOF")
	})
}

func TestProductionDoesNotRunHere(t *testing.T) {
	t.Setenv("ENVIRONMENT", "production")
	_, err := stack.Local()
	require.ErrorContains(t, err, "make deploy ENV=production")
}
