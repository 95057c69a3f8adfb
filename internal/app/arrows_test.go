package app_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The arrows between the packages go one way: functions and localstack → app →
// an area's operations, store and adapters → the area → plumbing. A function goes
// to its own package of app alone. The linter
// holds the same rules per file (.golangci.yml, depguard) and names the line;
// this test holds them wherever the tests run, and for packages whose names the
// linter's patterns do not foresee.

const module = "aviso"

func areas() []string { return []string{"identity", "pfm", "cancellation", "notification"} }

func TestArrowsBetweenPackagesGoOneWay(t *testing.T) {
	imports := importsOf(t, "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, module+"/...")
	require.Contains(t, imports, module+"/internal/app", "go list must have listed this module")

	for pkg, imported := range imports {
		t.Run(strings.TrimPrefix(pkg, module+"/"), func(t *testing.T) {
			for _, path := range imported {
				if why := forbidden(pkg, path); why != "" {
					t.Errorf("imports %s: %s", path, why)
				}
			}
		})
	}
}

func TestForbiddenImportsAreRecognised(t *testing.T) {
	for _, arrow := range []string{
		"internal/pfm → net/http",
		"internal/pfm → github.com/aws/aws-sdk-go-v2/service/sqs",
		"internal/pfm → github.com/danielgtaylor/huma/v2",
		"internal/pfm → aviso/internal/api",
		"internal/pfm → aviso/internal/dynamo",
		"internal/pfm → aviso/internal/pfm/pfmdb",
		"internal/pfm → aviso/internal/pfm/transaction",
		"internal/pfm/transaction → aviso/internal/pfm/connection",
		"internal/pfm/connection → aviso/internal/pfm/pfmdb",
		"internal/pfm/contract → net/http",
		"internal/pfm → aviso/internal/identity",
		"internal/cancellation → aviso/internal/cancellation/objection",
		"internal/cancellation/catalogue → aviso/internal/cancellation/request",
		"internal/cancellation/request → aviso/internal/cancellation/dispatch",
		"internal/cancellation/dispatch → aviso/internal/cancellation/carrier",
		"internal/cancellation/objection → aviso/internal/cancellation/cancellationdb",
		"internal/cancellation/objection → aviso/internal/pfm",
		"internal/cancellation/deadline → aviso/internal/cancellation",
		"internal/cancellation/deadline → aviso/internal/dynamo",
		"internal/pfm/pfmapi → aviso/internal/identity",
		"internal/pfm/pfmapi → aviso/internal/pfm/pfmdb",
		"internal/pfm/pfmapi → github.com/aws/aws-sdk-go-v2/aws",
		"internal/pfm/pfmdb → net/http",
		"internal/pfm/pfmdb → aviso/internal/api",
		"internal/pfm/xs2a → aviso/internal/sandbox/bank",
		"internal/pfm/xs2a → aviso/internal/app",
		"internal/api → aviso/internal/identity",
		"internal/sandbox/bank → aviso/internal/pfm",
		"internal/console → aviso/internal/pfm/pfmdb",
		"internal/console → aviso/internal/notification/webhook",
		"internal/console → aviso/internal/console/consoledb",
		"internal/console/feed → aviso/internal/identity",
		"internal/console → github.com/aws/aws-sdk-go-v2/service/sqs",
		"internal/console/consoledb → aviso/internal/pfm",
		"internal/pfm → aviso/internal/console",
		"internal/app → aviso/localstack/template",
		"internal/app/pfmfn → aviso/internal/app",
		"internal/app/pfmfn → aviso/internal/app/banksyncfn",
		"internal/app/httpapi → aviso/internal/app/identityfn",
		"functions/pfm → aviso/internal/pfm",
		"functions/pfm → aviso/internal/app",
		"functions/pfm → aviso/internal/app/banksyncfn",
		"functions/bank-sync → aviso/internal/app/httpapi",
		"functions/pfm → github.com/aws/aws-lambda-go/lambda",
		"functions/pfm → github.com/aws/aws-sdk-go-v2/config",
	} {
		from, to, _ := strings.Cut(arrow, " → ")
		t.Run(arrow, func(t *testing.T) {
			require.NotEmpty(t, forbidden(module+"/"+from, to))
		})
	}
	for _, arrow := range []string{
		"functions/pfm → aviso/internal/app/pfmfn",
		"functions/bank-sync → aviso/internal/app/banksyncfn",
		"functions/pfm → aviso/internal/app/bootstrap",
		"internal/app → aviso/internal/pfm/pfmdb",
		"internal/app → aviso/internal/app/pfmfn",
		"internal/app/pfmfn → aviso/internal/pfm/pfmdb",
		"internal/app/pfmfn → aviso/internal/app/httpapi",
		"internal/app/httpapi → aviso/internal/app/bootstrap",
		"internal/pfm → aviso/internal/owner",
		"internal/cancellation → aviso/internal/cancellation/deadline",
		"internal/cancellation/objection → aviso/internal/cancellation",
		"internal/cancellation/objection → aviso/internal/cancellation/evidence",
		"internal/pfm/pfmapi → aviso/internal/pfm",
		"internal/pfm/pfmapi → net/http",
		"internal/pfm/pfmdb → aviso/internal/dynamo",
		"internal/pfm/xs2a → net/http",
		"internal/console → aviso/internal/pfm",
		"internal/console → aviso/internal/pfm/connection",
		"internal/console → aviso/internal/cancellation/request",
		"internal/console → aviso/internal/cancellation/reply",
		"internal/pfm/contract → aviso/internal/pfm/transaction",
		"internal/pfm/connection → aviso/internal/pfm",
		"internal/console → net/http",
		"internal/console → aviso/internal/console/feed",
		"internal/console/consoledb → aviso/internal/dynamo",
		"internal/sandbox → net/http",
		"localstack → aviso/internal/app",
	} {
		from, to, _ := strings.Cut(arrow, " → ")
		t.Run(arrow, func(t *testing.T) {
			require.Empty(t, forbidden(module+"/"+from, to))
		})
	}
}

// forbidden returns why a package must not import another, or "".
func forbidden(pkg, imported string) string {
	pkg = strings.TrimPrefix(pkg, module+"/")
	own := strings.HasPrefix(imported, module+"/")
	imported = strings.TrimPrefix(imported, module+"/")

	if folder(pkg, "functions") {
		if imported != wiringPackage(pkg) && imported != "internal/app/bootstrap" {
			return "a function's main only runs the package of the function"
		}
	}
	if !folder(pkg, "internal") {
		return ""
	}
	if own && !folder(imported, "internal") {
		return "the service knows neither its functions nor the local stack"
	}
	if pkg == "internal/app" {
		return ""
	}
	if folder(pkg, "internal/app") {
		if imported == "internal/app" || folder(imported, "internal/app") && strings.HasSuffix(imported, "fn") {
			return "what is linked runs at every start: no function links another, nor all"
		}
		return ""
	}
	switch {
	case own && folder(imported, "internal/app"):
		return "app is on top"
	case own && folder(imported, "internal/console") && !folder(pkg, "internal/console"):
		return "nobody waits for the console"
	case own && folder(imported, "internal/sandbox") && !folder(pkg, "internal/sandbox"):
		return "the sandbox is reached as the outside world is"
	}
	if pkg == "internal/console" && forbiddenInConsole(imported) {
		return "the console knows what areas do, not their adapters, and no AWS"
	}
	if own && pkg != "internal/console" {
		for _, area := range areas() {
			if folder(imported, "internal/"+area) && !folder(pkg, "internal/"+area) {
				return "only app brings areas together; a consumer declares the interface it needs"
			}
		}
	}
	return forbiddenInArea(pkg, imported)
}

// rooms are those of an area without adapters. Each may import those before it.
var rooms = []string{
	"internal/pfm", "internal/pfm/transaction", "internal/pfm/contract", "internal/pfm/connection",
	"internal/cancellation", "internal/cancellation/catalogue", "internal/cancellation/request",
	"internal/cancellation/objection", "internal/cancellation/dispatch", "internal/cancellation/reply",
}

// forbiddenInConsole separates the console's pages from the adapters of areas and from AWS.
func forbiddenInConsole(imported string) bool {
	return folder(imported, "github.com/aws") || imported == "internal/dynamo" ||
		slices.ContainsFunc(append(areas(), "console"), func(area string) bool {
			return strings.HasPrefix(imported, "internal/"+area+"/") && imported != "internal/console/feed" &&
				!slices.Contains(rooms, imported)
		})
}

// forbiddenInArea separates the layers inside an area.
func forbiddenInArea(pkg, imported string) string {
	// An area's own arithmetic, which knows as little as the area.
	pure := []string{"internal/cancellation/deadline", "internal/cancellation/evidence"}
	for _, area := range areas() {
		root := "internal/" + area
		operations, store := root+"/"+area+"api", root+"/"+area+"db"
		aws := folder(imported, "github.com/aws") || folder(imported, "github.com/awslabs")
		storage := imported == "internal/dynamo" || folder(imported, store)
		http := folder(imported, "net/http") || folder(imported, "github.com/danielgtaylor/huma") ||
			slices.Contains(httpPlumbing, imported) || folder(imported, operations)

		switch room := slices.Index(rooms, pkg); {
		case slices.Contains(pure, imported) && (pkg == root || room >= 0):
		case slices.Contains(rooms, imported) && slices.Index(rooms, imported) < room:
		case (pkg == root || room >= 0 || slices.Contains(pure, pkg)) && (aws || http || storage || folder(imported, root)):
			return "an area knows no HTTP, no AWS, no storage and none of its adapters"
		case folder(pkg, operations) && (aws || storage):
			return "operations know no AWS and no storage"
		case folder(pkg, store) && http:
			return "a store knows no HTTP"
		}
	}
	return ""
}

// httpPlumbing are the packages of internal/api that deal with HTTP.
var httpPlumbing = []string{"internal/api", "internal/api/apigateway"}

// wiringPackage returns the package that builds the function of this main.
func wiringPackage(main string) string {
	return "internal/app/" + strings.ReplaceAll(strings.TrimPrefix(main, "functions/"), "-", "") + "fn"
}

// folder reports whether a package is the given folder or is in it.
func folder(pkg, path string) bool { return pkg == path || strings.HasPrefix(pkg, path+"/") }

// importsOf asks the go command for the imports of packages, without tests: one package
// per line, followed by its imports.
func importsOf(t *testing.T, list ...string) map[string][]string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", list...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())

	imports := make(map[string][]string)
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		imports[fields[0]] = fields[1:]
	}
	return imports
}
