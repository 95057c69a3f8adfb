package template

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Preset returns the parameters that samconfig.toml in a folder gives under a name: an
// environment's, or "large".
func Preset(folder, name string) (map[string]string, error) {
	src, err := os.ReadFile(filepath.Join(folder, "samconfig.toml"))
	if err != nil {
		return nil, fmt.Errorf("read presets: %w", err)
	}
	_, section, _ := strings.Cut(string(src), "["+name+".deploy.parameters]\n")
	section, _, _ = strings.Cut(section, "\n[")
	_, line, found := strings.Cut(section, "parameter_overrides = ")
	if !found {
		return nil, fmt.Errorf("samconfig.toml has no parameters for %q", name)
	}
	line, _, _ = strings.Cut(line, "\n")
	given := map[string]string{}
	for _, m := range regexp.MustCompile(`"(\w+)=([^"]*)"`).FindAllStringSubmatch(line, -1) {
		given[m[1]] = m[2]
	}
	return given, nil
}
