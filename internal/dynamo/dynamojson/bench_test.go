package dynamojson

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/require"
)

// page is a page of rows as wide as those of transactions.
func page(rows int) string {
	var b strings.Builder
	b.WriteString(`{"Count":100,"Items":[`)
	for i := range rows {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(
			&b,
			`{"pk":{"S":"U#acme#1b4e28ba-2fa1-4d1e-883f-0016d3cca427"},"sk":{"S":"T#2026-03-02#%036d"},"n":{"S":""},"r":{"N":"%d"},"su":{"BOOL":false}`,
			i,
			i,
		)
		for k := range 22 {
			fmt.Fprintf(&b, `,"a%c":{"S":"%s"}`, 'a'+k, strings.Repeat("x", k*2))
		}
		b.WriteByte('}')
	}
	b.WriteString(`],"ScannedCount":100}`)
	return b.String()
}

func BenchmarkReadPage(b *testing.B) {
	text := page(100)
	b.ReportAllocs()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		require.True(b, read(text, &dynamodb.QueryOutput{}, nil))
	}
}
