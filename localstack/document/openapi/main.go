// Command openapi writes docs/openapi.yaml and docs/openapi-internal.yaml from the
// operations in the code, and the copy that the service serves (make openapi).
package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"

	"github.com/danielgtaylor/huma/v2"

	"aviso/localstack/document"
)

// head names the file's source, so that nobody edits the file.
const head = "# Generated from the code by `make openapi`; do not edit.\n"

// served is the compressed copy of docs/openapi.yaml that the service embeds.
const served = "internal/identity/identityapi/openapi.yaml.gz"

func main() {
	partners, err := write("docs/openapi.yaml", document.Share(document.Partners()))
	if err == nil {
		_, err = write("docs/openapi-internal.yaml", document.Internal())
	}
	if err == nil {
		err = compress(served, partners)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "openapi:", err)
		os.Exit(1)
	}
}

func write(file string, document *huma.OpenAPI) ([]byte, error) {
	text, err := document.YAML()
	if err != nil {
		return nil, err
	}
	text = append([]byte(head), text...)
	return text, os.WriteFile(file, text, 0o644)
}

// compress writes the file unless it already has this text. Another Go version may compress it differently, which is
// no reason for a commit.
func compress(file string, text []byte) error {
	if old, err := os.ReadFile(file); err == nil {
		if r, err := gzip.NewReader(bytes.NewReader(old)); err == nil {
			if has, err := io.ReadAll(r); err == nil && bytes.Equal(has, text) {
				return nil
			}
		}
	}
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	_, _ = w.Write(text) // writing to memory cannot fail
	_ = w.Close()
	return os.WriteFile(file, b.Bytes(), 0o644)
}
