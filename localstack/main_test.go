package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tidwall/gjson"

	aviso "aviso.example/client"

	"aviso/localstack/stack/emulator"
	"aviso/localstack/stack/partner"
)

const asProgram = "LOCALSTACK_TEST_PROGRAM"

// TestMain is also the program that a test kills.
func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// program is a stack in a process of its own, and a partner that calls it.
type program struct {
	*testing.T
	client  *aviso.Client
	user    *aviso.UserView
	dataDir string
	port    int
	cmd     *exec.Cmd
}

// start starts the stack and returns when it is ready.
func (p *program) start() {
	p.Helper()
	p.cmd = exec.Command(os.Args[0])
	p.cmd.Env = append(os.Environ(), asProgram+"=1", "PORT="+strconv.Itoa(p.port), "DATA_DIR="+p.dataDir,
		"RATE_LIMIT_PER_MINUTE=60000")
	p.cmd.Stderr = os.Stderr
	out, err := p.cmd.StdoutPipe()
	require.NoError(p, err)
	require.NoError(p, p.cmd.Start())
	p.Cleanup(func() { _ = p.cmd.Process.Kill() })
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.Contains(lines.Text(), "is ready at") {
	}
	go func() {
		for lines.Scan() {
		}
	}()
}

// kill ends the program and its emulators at once: the kernel kills those with it.
func (p *program) kill() {
	p.Helper()
	require.NoError(p, p.cmd.Process.Signal(syscall.SIGKILL))
	_ = p.cmd.Wait()
}

// signIn creates a user who has accepted all terms.
func (p *program) signIn() {
	id := aviso.Must(p.client.Users.Create(p.Context(), aviso.CreateUserRequest{CountryCode: "DE", LanguageCode: "de"})).UserID
	aviso.Must(partner.AcceptTerms(p.Context(), p.client, id))
	p.user = p.client.User(id)
}

// request returns the request that cancels the product of an organization. No two letters to
// different houses are the same.
func (p *program) request(organization string, house int) aviso.CreateCancellationRequest {
	_, product, err := partner.Find(p.Context(), p.client, organization)
	require.NoError(p, err)
	letter := partner.Letter(product)
	letter.Repeat = true
	for i, field := range letter.Parameters {
		if field.FieldKey == "ADDRESS" {
			letter.Parameters[i].FieldValue = fmt.Sprintf("Lindenallee %d", house)
		}
	}
	return letter
}

func (p *program) cancellation(id string) *aviso.Cancellation {
	p.Helper()
	return aviso.Must(p.user.Cancellations.Get(p.Context(), id))
}

// until polls until nothing is open.
func (p *program) until(within time.Duration, open func() []string) {
	p.Helper()
	require.EventuallyWithT(p, func(c *assert.CollectT) { assert.Empty(c, open()) }, within, 100*time.Millisecond)
}

// unsent returns the cancellations whose letters no carrier has accepted.
func (p *program) unsent(ids []string) (open []string) {
	for _, id := range ids {
		c := p.cancellation(id)
		if s := c.Status; s != "Sent" && s != "Delivered" {
			open = append(open, c.Channel+" is "+s)
		}
	}
	return open
}

// undelivered returns the letters that are still on their way. The service never hears of
// the delivery of plain mail.
func (p *program) undelivered(ids []string) (open []string) {
	for _, id := range ids {
		c := p.cancellation(id)
		if s := c.Status; s != "Delivered" && c.Channel != "Mail" {
			open = append(open, c.Channel+" is "+s)
		}
	}
	for _, l := range p.letters() {
		if s := l.Get("state").Str; !slices.Contains([]string{"sent", "delivered", "COMPLETED"}, s) {
			open = append(open, l.Get("how").Str+" is "+s+" at its carrier")
		}
	}
	return open
}

// letters are those that the post office and the fax gateway have received.
func (p *program) letters() (all []gjson.Result) {
	for path := "/sandbox/letters"; path != ""; {
		list := p.get(fmt.Sprintf("http://localhost:%d%s", p.port, path))
		all = append(all, list.Get("letters").Array()...)
		path = list.Get("next").Str
	}
	return all
}

// get reads what is not part of the service.
func (p *program) get(url string) gjson.Result {
	p.Helper()
	req, err := http.NewRequestWithContext(p.Context(), http.MethodGet, url, nil)
	require.NoError(p, err)
	req.Header.Set("Accept", "application/json")
	answer, err := http.DefaultClient.Do(req)
	require.NoError(p, err)
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	require.NoError(p, err)
	return gjson.ParseBytes(text)
}

// left counts, by cancellation, the letters at the carriers and in the inbox.
func (p *program) left(ids []string) map[string]int {
	p.Helper()
	counts, letters := map[string]int{}, map[string]string{}
	for _, id := range ids {
		letters[p.cancellation(id).LetterSHA256] = id
	}
	for _, l := range p.letters() {
		if l.Get("how").Str != "Email" { // the inbox has the mail itself
			counts[l.Get("cancellationId").Str]++
		}
	}
	address, err := os.ReadFile(filepath.Join(p.dataDir, "inbox"))
	require.NoError(p, err)
	inbox := p.get(strings.TrimSpace(string(address)) + "/store")
	for _, content := range inbox.Get("emails.#.attachments.0.content").Array() {
		pdf, err := base64.StdEncoding.DecodeString(content.Str)
		require.NoError(p, err)
		sum := sha256.Sum256(pdf)
		counts[letters[hex.EncodeToString(sum[:])]]++
	}
	return counts
}

// What the service has accepted survives the kill of the program and all its emulators:
// each letter leaves, once, by each of the channels.
func TestLettersOutliveAKill(t *testing.T) {
	port, err := emulator.FreePort()
	require.NoError(t, err)
	client, err := aviso.New(aviso.Config{
		BaseURL: "http://localhost:" + strconv.Itoa(port), ClientID: partner.ClientID, ClientSecret: partner.ClientSecret,
	})
	require.NoError(t, err)
	p := &program{T: t, port: port, dataDir: t.TempDir(), client: client}
	p.start()
	p.signIn()
	var ids []string
	for _, organization := range []string{"Success Society", "Nur Post", "Nur Einschreiben", "Nur Fax"} {
		for house := range 2 {
			created := aviso.Must(p.user.Cancellations.Create(t.Context(), p.request(organization, 1+house), nil))
			ids = append(ids, created.Cancellation.CancellationID)
		}
	}
	// A letter that is on its way to a carrier waits for its lease after a kill, so each is
	// with its carrier here. The carriers have only just begun.
	p.until(time.Minute, func() []string { return p.unsent(ids) })
	p.kill()

	p.start()
	p.until(time.Minute, func() []string { return p.undelivered(ids) })
	want := map[string]int{}
	for _, id := range ids {
		want[id] = 1
	}
	assert.Equal(t, want, p.left(ids))
	var listed []string
	for _, l := range p.letters() {
		listed = append(listed, l.Get("cancellationId").Str)
	}
	assert.ElementsMatch(t, ids, listed, "the sandbox's page lists the mail, too, after a restart as before")
}
