package document

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
)

func TestWordsAboutNothingAreFound(t *testing.T) {
	t.Parallel()
	words := readWords(fstest.MapFS{
		"words/one.yaml": {Data: []byte(`
operations:
  getUser: {summary: Get a user, description: One user.}
  getNothing: {summary: Get nothing, description: Nothing.}
schemas:
  User: {description: A user., properties: {userId: Its ID., shoeSize: No such property.}}
  Nothing: {description: No such type., properties: {size: No such property.}}
parameters:
  userId: The user.
`)},
		"words/two.yaml": {Data: []byte(
			"parameters: {getUser.userId: {description: Mine.}, getUsers.userId: No such operation.}\n",
		)},
	})
	document := read[text](partnersText).describe(false, words)
	assert.Equal(t, []string{
		"operation getNothing", "parameter getUsers.userId", "property Nothing.size", "property User.shoeSize",
		"schema Nothing",
	}, words.unused())
	assert.Equal(t, "Mine.", document.Paths["/identity/v1/users/{userId}"].Get.Parameters[1].Description)
	assert.Panics(t, func() {
		file := &fstest.MapFile{Data: []byte("parameters: {limit: How many.}")}
		readWords(fstest.MapFS{"words/one.yaml": file, "words/two.yaml": file})
	}, "two files must not be about the same")
}

// That schemas, properties and parameters have a description tests localstack/tests/contract.
func TestEveryOperationHasWords(t *testing.T) {
	t.Parallel()
	for _, op := range operations(Partners()) {
		assert.NotEmpty(t, op.Summary, op.OperationID)
		assert.NotEmpty(t, op.Description, op.OperationID)
	}
}

func TestExamplesKeepTheirDigitsAndTheirOrder(t *testing.T) {
	t.Parallel()
	read := read[struct{ A, B example }]([]byte(`{a: &a {z: -23.90, b: [true, "1", null]}, b: {c: *a}}`))
	want := `{"z":-23.90,"b":[true,"1",null]}`
	assert.Equal(t, want, string(read.A))
	assert.Equal(t, `{"c":`+string(read.A)+`}`, string(read.B))
}
