package layout

import (
	"net/http"
	"time"

	"aviso/internal/clock"
)

// Timed gives the context of each request the time of the user whom the service told it is for;
// see clock.Header.
func Timed(h http.Handler, now func() time.Time) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r.WithContext(clock.With(r.Context(), clock.Told(r.Header.Get(clock.Header), now))))
	})
}
