package emulator

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed" // for the empty database
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// emptyDynoxide is an SQLite database with dynoxide's table of stream records, and an index that
// dynoxide does not create:
//
//	CREATE INDEX byNumber ON _stream_records (table_name, CAST(sequence_number AS INTEGER))
//
// Without the index, every write to a table with a stream, and every read of the stream, scans all of its records.
// Both would become slower with every record.
//
//go:embed dynoxide.sqlite.gz
var emptyDynoxide []byte

// memory is a folder of files that are only in memory.
const memory = "/dev/shm"

// startDynoxide starts dynoxide. Its in-memory mode does not have the index either, so temporary tables are in a file
// too. The file is unlinked as soon as it is open: nobody else sees it, and it disappears with the process.
func startDynoxide(ctx context.Context, file string) (*Process, error) {
	dir, err := install(ctx, "emulators", "")
	if err != nil {
		return nil, err
	}
	if file == "" {
		parent := os.TempDir()
		if roomy(memory) {
			parent = memory
		}
		folder, err := os.MkdirTemp(parent, "dynoxide-")
		if err != nil {
			return nil, fmt.Errorf("start the DynamoDB emulator: %w", err)
		}
		defer func() { _ = os.RemoveAll(folder) }()
		file = filepath.Join(folder, "dynamodb.sqlite")
	}
	if err := createDynoxide(file); err != nil {
		return nil, fmt.Errorf("start the DynamoDB emulator: %w", err)
	}
	binary := filepath.Join(dir, "node_modules", "@dynoxide", "linux-x64", "dynoxide")
	return onFreePort(ctx, func(port string) (*Process, error) {
		command := []string{binary, "serve", "--host", "127.0.0.1", "--port", port, "--db-path", file}
		return start(ctx, "the DynamoDB emulator", command, dir, "")
	})
}

// createDynoxide creates the database, unless the file exists.
func createDynoxide(file string) error {
	if _, err := os.Stat(file); err == nil {
		return nil
	}
	packed, err := gzip.NewReader(bytes.NewReader(emptyDynoxide))
	if err != nil {
		return err
	}
	empty, err := io.ReadAll(packed)
	if err != nil {
		return err
	}
	if err := os.WriteFile(file+".new", empty, 0o600); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}
