// Command receiver takes Aviso's callbacks: it verifies, stores, acknowledges,
// and only then works.
//
//	PORT=8080 WEBHOOK_SECRET=whsec_… go run .
//
// While secrets are rotated, WEBHOOK_SECRET holds both, with a space between.
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

// maxBody is far more than a callback has.
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
	// stored stands for a table whose primary key is eventId.
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
		if secret == "whsec_" { // the library would take the empty key
			return nil, fmt.Errorf("the key is empty")
		}
		key, err := standardwebhooks.NewWebhook(secret)
		if err != nil {
			return nil, fmt.Errorf("not a key: want whsec_ and base64")
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("there is none")
	}
	return keys, nil
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if req.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	// The signature is of these bytes: JSON that was parsed and written anew
	// would not match.
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxBody))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if !r.verified(body, req.Header) {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	var e event
	if err := json.Unmarshal(body, &e); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	// Store before acknowledging: an acknowledged event does not come again.
	_, repeated := r.stored.LoadOrStore(e.EventID, e)
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"isAcknowledged": true,
		"timestamp":      time.Now().UTC().Format(time.RFC3339),
	})
	// A repetition is acknowledged as well, and does nothing else.
	if !repeated {
		go apply(e)
	}
}

// verified tells whether one of the keys has signed the body within the last
// five minutes.
func (r *receiver) verified(body []byte, headers http.Header) bool {
	for _, key := range r.keys {
		if key.Verify(body, headers) == nil {
			return true
		}
	}
	return false
}

// apply is where your application begins.
func apply(e event) {
	fmt.Println(e.OccurredAt.Format(time.RFC3339), e.EventType, e.EventID)
}
