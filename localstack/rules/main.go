// Command rules writes the rules of categories as the service embeds them: make
// rules.
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
	const everybody = 0o644
	if err := os.WriteFile(dir+"/data/rules.bin", rules, everybody); err != nil {
		return fmt.Errorf("write the rules: %w", err)
	}
	return nil
}
