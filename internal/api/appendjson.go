package api

import (
	"io"
	"maps"

	"github.com/danielgtaylor/huma/v2"

	"aviso/internal/jsonwriter"
)

// JSONAppender is the data of an answer that writes itself as JSON, which takes a
// quarter of what encoding/json takes by reflection. It pays for lists that are
// asked for most; a test must hold it to what encoding/json writes.
type JSONAppender interface {
	AppendJSON(b []byte) []byte
}

// appendJSON writes the envelope of such data; false for any other.
func (e Envelope[D]) appendJSON(b []byte) ([]byte, bool) {
	data, ok := any(e.Data).(JSONAppender)
	if !ok {
		return nil, false
	}
	b = data.AppendJSON(append(b, `{"data":`...))
	b = append(b, `,"meta":{"pagination":{`...)
	if token := e.Meta.Pagination.NextToken; token != "" {
		b = jsonwriter.String(append(b, `"nextToken":`...), token)
	}
	return append(b, "}}}"...), true
}

// formats are Huma's, with JSON that is written by JSONAppenders where there is
// one.
func formats() map[string]huma.Format {
	all := maps.Clone(huma.DefaultFormats)
	for name, f := range all {
		plain := f.Marshal
		f.Marshal = func(w io.Writer, v any) error {
			if own, ok := v.(interface {
				appendJSON(b []byte) ([]byte, bool)
			}); ok {
				if text, ok := own.appendJSON(nil); ok {
					_, err := w.Write(append(text, '\n'))
					return err
				}
			}
			return plain(w, v)
		}
		all[name] = f
	}
	return all
}
