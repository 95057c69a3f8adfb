package crashpoints

import (
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/tests/testenv"
)

// inEmulator returns a world that goes on from a snapshot, with its tables in the emulator.
func inEmulator(t *testing.T, from snapshot) *world {
	w := &world{t: t, now: from.now, ids: from.ids, tables: map[string]string{}}
	for _, table := range testenv.Template(t).Tables {
		w.tables[table.ID] = testenv.EmulatorTable(t, table.ID)
		for _, item := range from.db.Items(table.ID) {
			_, err := testenv.Emulator(t).PutItem(t.Context(), &dynamodb.PutItemInput{
				TableName: new(w.tables[table.ID]), Item: item,
			})
			require.NoError(t, err)
		}
	}
	w.wire()
	return w
}

// carriersOwn are the random IDs that the sandbox's carriers give.
var carriersOwn = regexp.MustCompile(`(reference:|trackingNumber:|REFERENCE#[A-Za-z]+#)[0-9A-Za-z.-]+`)

// carriersWords are what the carriers sent, which has their IDs, and the digests that follow
// from it.
var carriersWords = regexp.MustCompile(`(sha256:|previous:|body:)\[[0-9 ]*\]|(value:|signature:|sk:D#)[^ \]]+`)

// slot is a slot that a crash left taken until its lease ended. Which one it is, and whether
// somebody took and released it later, is chance.
var slot = regexp.MustCompile(` s[0-9]+:[0-9.e+]+`)

// written returns all rows of all tables as text.
func (w *world) written() []string {
	var all []string
	for id := range w.tables {
		for _, item := range w.rows(id) {
			var plain map[string]any
			must(attributevalue.UnmarshalMap(item, &plain))
			text := carriersOwn.ReplaceAllString(fmt.Sprint(id, " ", plain), "$1")
			text = carriersWords.ReplaceAllString(text, "$1$2")
			all = append(all, slot.ReplaceAllString(text, ""))
		}
	}
	slices.Sort(all)
	return all
}

// The database in memory replaces the emulator: every way leaves the same rows in both,
// without a crash and with two. It goes the first of each kind of way, and with -sample 1 all;
// localstack/stack/memdb compares call by call.
func TestEveryWayInTheEmulator(t *testing.T) {
	for _, way := range ways() {
		for i, s := range way.scenarios {
			if i > 0 && *sample > 1 {
				break
			}
			t.Run(s.name, func(t *testing.T) {
				from := s.prepared(t)
				calls := s.run(newWorld(t, from), always).calls
				for _, crashes := range [][]crash{nil, {{calls / 4, false}, {3, true}}, {{calls / 2, true}, {2, false}}} {
					memory, emulator := newWorld(t, from), inEmulator(t, from)
					require.NoError(t, s.run(memory, always, crashes...).err)
					require.NoError(t, s.run(emulator, always, crashes...).err)
					assert.Equal(t, memory.written(), emulator.written(), "%v", crashes)
				}
			})
		}
	}
}
