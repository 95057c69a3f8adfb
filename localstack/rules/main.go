// Command rules compiles the category rules into the file that the service embeds (make
// rules).
package main

import (
	"fmt"
	"os"

	"aviso/internal/pfm/enrich"
)

const dir = "internal/pfm/enrich"

func main() {
	if err := compile(); err != nil {
		fmt.Fprintln(os.Stderr, "rules:", err)
		os.Exit(1)
	}
}

func compile() error {
	rules, err := enrich.Compile(os.DirFS(dir))
	if err != nil {
		return err
	}
	return os.WriteFile(dir+"/data/rules.bin", rules, 0o644)
}
