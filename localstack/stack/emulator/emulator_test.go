package emulator_test

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/stack/emulator"
)

const asParent = "EMULATOR_TEST_PARENT"

// TestMain is also the parent process of TestParentDies: it starts emulators,
// says which, and waits to be killed.
func TestMain(m *testing.M) {
	if os.Getenv(asParent) == "" {
		os.Exit(m.Run())
	}
	for _, start := range starters {
		p, err := start(context.Background(), "")
		if err != nil {
			panic(err)
		}
		os.Stdout.WriteString(strconv.Itoa(p.PID) + "\n")
	}
	os.Stdout.WriteString("up\n")
	select {}
}

var starters = map[string]func(context.Context, string) (*emulator.Process, error){
	"DynamoDB": emulator.StartDynamoDB, "SQS": emulator.StartSQS,
}

// gone waits until there is no process with this ID.
func gone(t *testing.T, pid int) {
	t.Helper()
	assert.Eventually(t, func() bool { return syscall.Kill(pid, 0) != nil }, 10*time.Second, 10*time.Millisecond, "process %d", pid)
}

func TestStart(t *testing.T) {
	for name, start := range starters {
		t.Run(name+" answers at once on its own port, and stops", func(t *testing.T) {
			first, err := start(t.Context(), "")
			require.NoError(t, err)
			second, err := start(t.Context(), "")
			require.NoError(t, err)
			assert.NotEqual(t, first.URL, second.URL)
			for _, p := range []*emulator.Process{first, second} {
				assert.True(t, strings.HasPrefix(p.URL, "http://127.0.0.1:"), p.URL)
				response, err := http.Get(p.URL)
				require.NoError(t, err)
				require.NoError(t, response.Body.Close())
			}
			for _, p := range []*emulator.Process{first, second} {
				require.NoError(t, p.Stop())
				require.NoError(t, p.Stop(), "a second stop does nothing")
				gone(t, p.PID)
			}
		})
	}

	t.Run("the disk is not waited for", func(t *testing.T) {
		if runtime.GOOS != "linux" {
			t.Skip("only Linux has filters for system calls")
		}
		p, err := emulator.StartDynamoDB(t.Context(), "")
		require.NoError(t, err)
		status, err := os.ReadFile("/proc/" + strconv.Itoa(p.PID) + "/status")
		require.NoError(t, err)
		assert.Contains(t, string(status), "Seccomp:\t2")
		require.NoError(t, p.Stop())
	})

	t.Run("a cancelled start leaves no process", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := emulator.StartSQS(ctx, "")
		require.ErrorIs(t, err, context.Canceled)
	})

	t.Run("an emulator that cannot start says why", func(t *testing.T) {
		_, err := emulator.StartDynamoDB(t.Context(), "/nowhere/at/all.sqlite")
		require.ErrorContains(t, err, "the DynamoDB emulator")
		assert.Regexp(t, "no such file or directory|Invalid directory for database", err.Error())
	})
}

func TestParentDies(t *testing.T) {
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), asParent+"=1")
	out, err := parent.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, parent.Start())
	var printed strings.Builder
	for buffer := make([]byte, 256); !strings.HasSuffix(printed.String(), "up\n"); {
		n, err := out.Read(buffer)
		require.NoError(t, err)
		printed.Write(buffer[:n])
	}
	require.NoError(t, parent.Process.Signal(syscall.SIGKILL))
	require.Error(t, parent.Wait())
	pids := strings.Fields(printed.String())
	require.Len(t, pids, len(starters)+1)
	for _, text := range pids[:len(starters)] {
		pid, err := strconv.Atoi(text)
		require.NoError(t, err)
		gone(t, pid)
	}
}
