// Command receiver receives Aviso's callbacks: it verifies, stores and acknowledges
// each one before it processes it.
//
//	PORT=8080 WEBHOOK_SECRET=whsec_… go run .
//
// During a rotation, WEBHOOK_SECRET contains both secrets, separated by a space.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// maxBody is far larger than any callback.
const maxBody = 1 << 20

type event struct {
	EventID     string          `json:"eventId"`
	EventType   string          `json:"eventType"`
	OccurredAt  time.Time       `json:"occurredAt"`
	Environment string          `json:"environment"`
	IsSimulated bool            `json:"isSimulated"`
	UserID      string          `json:"userId"`
	Data        json.RawMessage `json:"data"`
}

type receiver struct {
	keys []*standardwebhooks.Webhook
	// stored is in memory only; use a table with eventId as its primary key.
	stored sync.Map
}

func main() {
	keys, err := readKeys(os.Getenv("WEBHOOK_SECRET"))
	if err != nil {
		log.Fatal("WEBHOOK_SECRET: ", err)
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("Listening on http://%s\n", listener.Addr())
	server := &http.Server{Handler: &receiver{keys: keys}, ReadTimeout: 10 * time.Second}
	log.Fatal(server.Serve(listener))
}

func readKeys(secrets string) ([]*standardwebhooks.Webhook, error) {
	var keys []*standardwebhooks.Webhook
	for _, secret := range strings.Fields(secrets) {
		if secret == "whsec_" { // the library would accept an empty key
			return nil, fmt.Errorf("the key is empty")
		}
		key, err := standardwebhooks.NewWebhook(secret)
		if err != nil {
			return nil, fmt.Errorf("not a key: want whsec_ and base64")
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("it is empty")
	}
	return keys, nil
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if req.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	// The signature covers exactly these bytes. JSON that was parsed and
	// serialised again would not match.
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxBody))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if err := r.verify(body, req.Header); err != nil {
		log.Print("not acknowledged: ", err)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	var e event
	if err := json.Unmarshal(body, &e); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	// Store before acknowledging: an acknowledged event is not sent again.
	_, repeated := r.stored.LoadOrStore(e.EventID, e)
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"isAcknowledged": true,
		"timestamp":      time.Now().UTC().Format(time.RFC3339),
	})
	// A duplicate is acknowledged too, but not processed again.
	if !repeated {
		go apply(e)
	}
}

// verify returns an error unless one of the keys signed the body within the last five
// minutes.
func (r *receiver) verify(body []byte, headers http.Header) (err error) {
	for _, key := range r.keys {
		if err = key.Verify(body, headers); err == nil {
			return nil
		}
	}
	return err
}

// apply is where your application starts.
func apply(e event) {
	fmt.Println(e.OccurredAt.Format(time.RFC3339), e.EventType, e.EventID)
}
