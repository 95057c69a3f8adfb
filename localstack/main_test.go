package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
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

	"aviso/localstack/emulator"
	"aviso/localstack/partner"
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
	partner.Client
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

func (p *program) do(c partner.Call) gjson.Result {
	p.Helper()
	body, err := p.Do(p.Context(), c)
	require.NoError(p, err)
	return gjson.ParseBytes(body)
}

// signIn gets a token and a user who has accepted all terms.
func (p *program) signIn() {
	p.Vars = map[string]string{}
	p.do(partner.Call{
		Method: http.MethodPost, Path: "/oauth2/token", Body: "grant_type=client_credentials", Basic: true,
		Member: "access_token", Keep: "TOKEN",
	})
	p.do(partner.Post("/identity/v1/users", `{"countryCode":"DE","languageCode":"de"}`).Keeping("userId", "USER_ID"))
	for _, terms := range p.do(partner.Get("/identity/v1/terms")).Get("data.terms").Array() {
		accepted := fmt.Sprintf(`{"termsType":%q,"version":%q}`, terms.Get("termsType").Str, terms.Get("version").Str)
		p.do(partner.Post("/identity/v1/users/$USER_ID/terms-acceptances", accepted))
	}
}

// request returns the body that cancels the product of an organization. No two letters to
// different houses are the same.
func (p *program) request(organization string, house int) string {
	found := p.do(partner.Get("/cancellations/v1/search?searchQuery=" + url.QueryEscape(organization)))
	id := found.Get("data.organizations.0.id").Str
	products := "/cancellations/v1/organizations/" + id + "/products"
	productID := p.do(partner.Get(products)).Get("data.products.0.productId").Str
	values := map[string]string{
		"NAME": "Anna Sommer", "ADDRESS": fmt.Sprintf("Lindenallee %d", house), "ZIP": "50667", "CITY": "Köln",
		"EMAIL": "anna.sommer@example.org", "DATA_DELETE_REQUEST": "true", "CUSTOMER_NUMBER": "K-204817",
	}
	var fields []string
	for _, f := range p.do(partner.Get(products + "/" + productID)).Get("data.product.template.#.fieldKey").Array() {
		fields = append(fields, fmt.Sprintf(`{"fieldKey":%q,"fieldValue":%q}`, f.Str, values[f.Str]))
	}
	return fmt.Sprintf(`{"organizationId":%q,"productId":%q,"locale":"de-DE","parameters":[%s],"repeat":true,`+
		`"signature":{"type":"TEXT","data":"Anna Sommer"}}`, id, productID, strings.Join(fields, ","))
}

func (p *program) cancellation(id string) gjson.Result {
	p.Helper()
	return p.do(partner.Get("/cancellations/v1/cancellations/" + id).ForUser()).Get("data.cancellation")
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
		if s := c.Get("status").Str; s != "Sent" && s != "Delivered" {
			open = append(open, c.Get("channel").Str+" is "+s)
		}
	}
	return open
}

// undelivered returns the letters that are still on their way. The service never hears of
// the delivery of plain mail.
func (p *program) undelivered(ids []string) (open []string) {
	for _, id := range ids {
		c := p.cancellation(id)
		if s := c.Get("status").Str; s != "Delivered" && c.Get("channel").Str != "Mail" {
			open = append(open, c.Get("channel").Str+" is "+s)
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
	page := partner.Call{Method: http.MethodGet, Path: "/sandbox/letters", Accept: "application/json"}
	for page.Path != "" {
		list := p.do(page)
		all = append(all, list.Get("letters").Array()...)
		page.Path = list.Get("next").Str
	}
	return all
}

// left counts, by cancellation, the letters at the carriers and in the inbox.
func (p *program) left(ids []string) map[string]int {
	p.Helper()
	counts, letters := map[string]int{}, map[string]string{}
	for _, id := range ids {
		letters[p.cancellation(id).Get("letterSha256").Str] = id
	}
	for _, l := range p.letters() {
		if l.Get("how").Str != "Email" { // the inbox has the mail itself
			counts[l.Get("cancellationId").Str]++
		}
	}
	address, err := os.ReadFile(filepath.Join(p.dataDir, "inbox"))
	require.NoError(p, err)
	inbox := partner.Client{HTTP: http.DefaultClient, BaseURL: strings.TrimSpace(string(address))}
	body, err := inbox.Do(p.Context(), partner.Get("/store"))
	require.NoError(p, err)
	for _, content := range gjson.GetBytes(body, "emails.#.attachments.0.content").Array() {
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
	p := &program{T: t, port: port, dataDir: t.TempDir(), Client: partner.Client{
		HTTP: &http.Client{Timeout: partner.CallWithin}, BaseURL: "http://localhost:" + strconv.Itoa(port),
	}}
	p.start()
	p.signIn()
	var ids []string
	for _, organization := range []string{"Success Society", "Nur Post", "Nur Einschreiben", "Nur Fax"} {
		for house := range 2 {
			body := p.request(organization, 1+house)
			created := p.do(partner.Post("/cancellations/v1/cancellations", body).ForUser())
			ids = append(ids, created.Get("data.cancellation.cancellationId").Str)
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
