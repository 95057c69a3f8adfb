package emulator

import (
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed" // for the list of files
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"
)

// oldestJava is the oldest Java that DynamoDB Local runs on.
const oldestJava = 17

// mavenCentral is where files come from, unless the variable MAVEN_CENTRAL names a mirror.
const mavenCentral = "https://repo1.maven.org/maven2"

//go:embed dynamodb-local.sum
var dynamoDBLocalFiles string

// dynamoDBLocal returns the command of AWS's DynamoDB Local, without its options. It
// downloads what is missing.
func dynamoDBLocal(ctx context.Context, o Options) ([]string, error) {
	if err := checkJava(ctx); err != nil {
		return nil, err
	}
	checkout, err := Folder()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(filepath.Dir(checkout), ".tools", "dynamodb-local")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("install DynamoDB Local: %w", err)
	}
	unlock, err := lock(ctx, filepath.Join(checkout, "package-lock.json"))
	if err != nil {
		return nil, fmt.Errorf("install DynamoDB Local: %w", err)
	}
	defer unlock()
	if err := fetchAll(ctx, dynamoDBLocalFiles, dir, o); err != nil {
		return nil, fmt.Errorf("install DynamoDB Local: %w", err)
	}
	return []string{
		"java", "-Djava.library.path=" + dir, "-cp", filepath.Join(dir, "*"),
		"com.amazonaws.services.dynamodbv2.local.main.ServerRunner", "-disableTelemetry", "-sharedDb",
	}, nil
}

var javaVersion = regexp.MustCompile(`version "(\d+)`)

// checkJava checks that there is a Java that is new enough.
func checkJava(ctx context.Context) error {
	output, err := exec.CommandContext(ctx, "java", "-version").CombinedOutput()
	found := javaVersion.FindSubmatch(output)
	if err != nil || found == nil {
		return fmt.Errorf("%w; no Java was found", ErrNoDynamoDB)
	}
	if version, _ := strconv.Atoi(string(found[1])); version < oldestJava {
		return fmt.Errorf("%w; the Java found is %d", ErrNoDynamoDB, version)
	}
	return nil
}

// fetchAll downloads the files of a list that are missing or damaged, a few at a time.
func fetchAll(ctx context.Context, list, dir string, o Options) error {
	missing := map[string]string{} // SHA-256 by path
	for line := range strings.Lines(list) {
		sum, name, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		content, err := os.ReadFile(filepath.Join(dir, path.Base(name)))
		if err != nil || checksum(content) != sum {
			missing[name] = sum
		}
	}
	if len(missing) == 0 {
		return nil
	}
	if o.Progress != nil {
		o.Progress(fmt.Sprintf("Downloading AWS's DynamoDB Local from Maven Central (%d files of 80, 49 MB in all, once) …", len(missing)))
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(6)
	for name, sum := range missing {
		group.Go(func() error { return fetch(ctx, name, sum, filepath.Join(dir, path.Base(name))) })
	}
	return group.Wait()
}

func fetch(ctx context.Context, name, sum, file string) error {
	url := cmp.Or(os.Getenv("MAVEN_CENTRAL"), mavenCentral) + "/" + name
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return fmt.Errorf("fetch %s: %w", url, err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("fetch %s: %w", url, err)
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return fmt.Errorf("fetch %s: %w", url, err)
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("fetch %s: %s", url, response.Status)
	}
	if checksum(content) != sum {
		return fmt.Errorf("fetch %s: the content is not the expected one (SHA-256 %s)", url, checksum(content))
	}
	if err := os.WriteFile(file, content, 0o644); err != nil {
		return fmt.Errorf("fetch %s: %w", url, err)
	}
	return nil
}

func checksum(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
