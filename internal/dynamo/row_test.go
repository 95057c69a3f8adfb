package dynamo_test

import (
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/internal/dynamo"
	"aviso/internal/money"
)

const rowOfAllTypes = `{"s":{"S":"text"},"n":{"N":"-7"},"b":{"BOOL":true},"m":{"S":"1.50"},"l":{"L":[{"S":"x"},{"S":""}]},"map":{"M":{"k":{"S":"v"}}},` +
	`"no":{"NULL":true},"mixed":{"L":[{"S":"x"},{"N":"1"}]},"numbers":{"M":{"k":{"N":"1"}}},"half":{"N":"0.5"},"deep":{"M":{"in":{"M":{"s":{"S":"down"}}}}}}`

// rowsOfAllTypes returns the same row from each source of rows.
func rowsOfAllTypes(t *testing.T) map[string]func() *dynamo.Row {
	t.Helper()
	ask := func(option func(*dynamodb.Options)) *dynamo.Row {
		found, err := tableOf(client(&answers{left: []string{`{"Items":[` + rowOfAllTypes + `]}`}}, option)).Page(t.Context(), question())
		require.NoError(t, err)
		for row := range found.Rows() {
			return row
		}
		t.Fatal("there is no row")
		return nil
	}
	got := map[string]func() *dynamo.Row{"of an item": func() *dynamo.Row {
		out, err := client(&answers{left: []string{`{"Item":` + rowOfAllTypes + `}`}}).GetItem(
			t.Context(),
			&dynamodb.GetItemInput{TableName: aws.String("t"), Key: dynamo.Item{"pk": dynamo.S("p")}},
		)
		require.NoError(t, err)
		return dynamo.NewRow(out.Item)
	}}
	for name, option := range readers() {
		got["of a query, "+name] = func() *dynamo.Row { return ask(option) }
		got["of a read, "+name] = func() *dynamo.Row {
			row, err := tableOf(client(&answers{left: []string{`{"Item":` + rowOfAllTypes + `}`}}, option)).
				Row(t.Context(), dynamo.Key{PK: "p"})
			require.NoError(t, err)
			return row
		}
		got["of a batch, "+name] = func() *dynamo.Row {
			rows, err := tableOf(client(&answers{left: []string{`{"Responses":{"t":[` + rowOfAllTypes + `]},"UnprocessedKeys":{}}`}}, option)).
				Rows(t.Context(), []dynamo.Key{{PK: "p"}})
			require.NoError(t, err)
			require.Len(t, rows, 1)
			return rows[0]
		}
	}
	return got
}

func TestRow(t *testing.T) {
	t.Parallel()
	for name, row := range rowsOfAllTypes(t) {
		t.Run(name, func(t *testing.T) { testRow(t, row) })
	}
	t.Run("without attributes is empty", func(t *testing.T) {
		for _, r := range []*dynamo.Row{{}, dynamo.NewRow(nil), dynamo.NewRow(nil).Inner("none")} {
			assert.Empty(t, r.Text("none"))
			assert.False(t, r.Has(""))
			require.NoError(t, r.Err())
		}
	})
	t.Run("finds each of many attributes, and no other", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-c]{1,3}`), 0, 39, rapid.ID).Draw(t, "names")
			item := dynamo.Item{}
			for _, name := range names {
				item[name] = dynamo.S(name)
			}
			r := dynamo.NewRow(item)
			for _, a := range []string{"", "a", "b", "c"} {
				for _, b := range []string{"", "a", "b", "c"} {
					for _, c := range []string{"", "a", "b", "c"} {
						name := a + b + c
						require.Equal(t, slices.Contains(names, name), r.Has(name), name)
						if r.Has(name) {
							require.Equal(t, name, r.Text(name))
						}
					}
				}
			}
		})
	})
}

func testRow(t *testing.T, row func() *dynamo.Row) {
	t.Helper()
	t.Run("reads attributes by their types", func(t *testing.T) {
		r := row()
		amount := dynamo.Parsed(r.Attribute("m"), money.Parse)
		assert.Equal(t, "text", r.Text("s"))
		assert.Equal(t, int64(-7), r.Int("n"))
		assert.True(t, r.Bool("b"))
		assert.True(t, r.Has("b"))
		assert.Equal(t, []string{"x", ""}, r.Texts("l"))
		assert.Equal(t, map[string]string{"k": "v"}, r.TextsByName("map"))
		assert.Equal(t, "down", r.Inner("deep").Inner("in").Text("s"))
		assert.Equal(t, money.MustParse("1.50"), amount)
		require.NoError(t, r.Err())
	})
	t.Run("returns zero values for missing attributes", func(t *testing.T) {
		r := row()
		amount := dynamo.Parsed(r.Attribute("none"), money.Parse)
		assert.Empty(t, r.Text("none"))
		assert.Zero(t, r.Int("none"))
		assert.False(t, r.Bool("none"))
		assert.False(t, r.Has("none"))
		for _, name := range []string{"none", "no"} {
			assert.Nil(t, r.Texts(name))
			assert.Nil(t, r.TextsByName(name))
			assert.Empty(t, r.Inner(name).Text("s"))
		}
		assert.Zero(t, amount)
		require.NoError(t, r.Err())
	})
	for name, read := range map[string]func(*dynamo.Row){
		"a number for a text":          func(r *dynamo.Row) { r.Text("n") },
		"a text for a number":          func(r *dynamo.Row) { r.Int("s") },
		"a fraction for a number":      func(r *dynamo.Row) { r.Int("half") },
		"a text for a boolean":         func(r *dynamo.Row) { r.Bool("s") },
		"a text that is not an amount": func(r *dynamo.Row) { dynamo.Parsed(r.Attribute("s"), money.Parse) },
		"a boolean for an amount":      func(r *dynamo.Row) { dynamo.Parsed(r.Attribute("b"), money.Parse) },
		"a text for a list":            func(r *dynamo.Row) { r.Texts("s") },
		"a text for a map":             func(r *dynamo.Row) { r.TextsByName("s") },
		"a number among texts":         func(r *dynamo.Row) { r.Texts("mixed") },
		"a number among named texts":   func(r *dynamo.Row) { r.TextsByName("numbers") },
		"a text for a row within":      func(r *dynamo.Row) { r.Inner("s") },
		"a row for a text within":      func(r *dynamo.Row) { r.Inner("deep").Text("in") },
		"a boolean, the first fault,":  func(r *dynamo.Row) { r.Text("b"); r.Text("s") },
	} {
		t.Run(name+" is an error without the value", func(t *testing.T) {
			r := row()
			read(r)
			require.Error(t, r.Err())
			assert.NotContains(t, r.Err().Error(), "0.5")
		})
	}
}
