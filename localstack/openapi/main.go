// Command openapi writes docs/openapi.yaml from the operations in the code (make openapi).
package main

import (
	"fmt"
	"os"

	"aviso/internal/app"
)

// head says where the file comes from, so that nobody edits it.
const head = "# Generated from the code by `make openapi`; do not edit.\n"

func main() {
	if err := write("docs/openapi.yaml"); err != nil {
		fmt.Fprintln(os.Stderr, "openapi:", err)
		os.Exit(1)
	}
}

func write(file string) error {
	text, err := app.Document().YAML()
	if err != nil {
		return err
	}
	return os.WriteFile(file, append([]byte(head), text...), 0o644)
}
