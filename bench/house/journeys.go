package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

// hop is a declaration that a page names: `internal/pfm/reading.go:Reading.Transactions`.
var hop = regexp.MustCompile("`[\\w./-]+\\.go:[\\w.]+`")

func (t table) addJourneys(page string) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	for section := range strings.SplitSeq(string(text), "\n## ") {
		if title, body, _ := strings.Cut(section, "\n"); strings.HasPrefix(title, "Journey") {
			t.list(fmt.Sprintf("hops of %s", title), hop.FindAllString(body, -1))
		}
	}
	return nil
}
