// Command check generates a client with every generator of docs/clients.md, compiles it and
// lets it walk through the service: a user connects a bank, and the client reads accounts
// and transactions to the cent. It reads them again from a service of the future, which
// has members and values of enums that the document does not know.
//
// Each folder is a generator. Its script steps has the functions version, generate, compile
// and journey. They run in a copy of the folder, so that nothing generated is committed.
// The stack is at AVISO_BASE_URL.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	source = "clients/check"
	work   = ".build/clients-check"
	page   = "docs/clients.md"
)

func main() {
	write := flag.Bool("write", false, "write the rows of the table in "+page)
	only := flag.String("only", "", "names of folders, with spaces between them; empty means all")
	flag.Parse()
	if err := run(*write, strings.Fields(*only)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(write bool, only []string) error {
	names, err := generators(only)
	if err != nil {
		return err
	}
	folder, err := filepath.Abs(work)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(folder, "tools"), 0o755); err != nil {
		return err
	}
	judge, err := newJudge(os.Getenv("AVISO_BASE_URL"), folder)
	if err != nil {
		return err
	}
	defer judge.server.Close()
	failed := 0
	for _, name := range names {
		started := time.Now()
		r := judge.check(name)
		verdict := "passed"
		if r.failure != nil {
			verdict = r.failure.Error()
		}
		if r.failure != nil && !errors.Is(r.failure, errNoTool) {
			failed++
		}
		fmt.Printf("%-36s %s (%d s)\n", name, verdict, int(time.Since(started).Seconds()))
		if write {
			if err := writeRow(r); err != nil {
				return err
			}
		}
	}
	if failed > 0 {
		return fmt.Errorf("see the logs in %s/*/log", work)
	}
	return nil
}

func generators(only []string) ([]string, error) {
	if len(only) > 0 {
		return only, nil
	}
	scripts, err := filepath.Glob(filepath.Join(source, "*", "steps"))
	for i := range scripts {
		scripts[i] = filepath.Base(filepath.Dir(scripts[i]))
	}
	return scripts, err
}

// judge runs the generators' steps against a stack.
type judge struct {
	address, folder string
	partner         partner
	// server plays the user at the bank and the service of the future.
	server *httptest.Server
}

func newJudge(address, folder string) (*judge, error) {
	stack, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	p, err := authenticate(address)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/", future(stack))
	mux.HandleFunc("POST /approve/{persona}", func(w http.ResponseWriter, r *http.Request) {
		link, err := io.ReadAll(r.Body)
		if err == nil {
			err = approve(string(link), r.PathValue("persona"))
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
	})
	return &judge{address: address, folder: folder, partner: p, server: httptest.NewServer(mux)}, nil
}
