package ses

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"aviso/localstack/statefile"
)

// keepMails is how many mails the inbox has after a restart.
const keepMails = 500

// storedMail is a mail in a file of its own. It is stored before the emulator gets it,
// because the emulator forgets its mail and events are only on their way: a killed stack
// would lose the Send event, without which the service sends a letter again.
type storedMail struct {
	path string
	// MessageID is empty until the emulator has accepted the mail.
	MessageID string          `json:"messageId"`
	At        time.Time       `json:"at"`
	Request   json.RawMessage `json:"request"`
	// Done is true once the functions have handled all its events.
	Done bool `json:"done"`
}

// store stores a mail, if there is a folder for it.
func (s *Server) store(request []byte) (*storedMail, error) {
	stored := &storedMail{At: s.Now(), Request: request}
	if s.Dir != "" {
		stored.path = filepath.Join(s.Dir, uuid.Must(uuid.NewV7()).String()+".json") // sorts by time
	}
	err := stored.save()
	return stored, err
}

func (m *storedMail) save() error {
	if m.path == "" {
		return nil
	}
	if err := statefile.Write(m.path, m); err != nil {
		return fmt.Errorf("store mail: %w", err)
	}
	return nil
}

// remove drops a mail that the emulator has refused.
func (m *storedMail) remove() {
	if m.path != "" {
		_ = os.Remove(m.path) // or else the emulator refuses it again at the next start
	}
}

// whenDone saves that the functions have handled the events of a mail, once they have.
func (s *Server) whenDone(m *storedMail, handled *sync.WaitGroup) {
	handled.Wait()
	m.Done = true
	if err := m.save(); err != nil {
		s.Tell(err.Error())
	}
}

// restore gives the emulator the mail of earlier runs, and publishes the events that these
// may not have published.
func (s *Server) restore() {
	paths, err := filepath.Glob(filepath.Join(s.Dir, "*.json"))
	if err != nil || s.Dir == "" {
		return
	}
	slices.Sort(paths)
	for i, path := range paths {
		stored := &storedMail{path: path}
		if err := statefile.Read(path, stored); err != nil {
			s.Tell(fmt.Sprintf("a mail of an earlier run is lost: %v", err))
			continue
		}
		if stored.Done && i < len(paths)-keepMails {
			stored.remove()
			continue
		}
		m, refused := s.read(stored.Request)
		if refused != nil { // the template has changed
			stored.remove()
			continue
		}
		again, err := http.NewRequest(http.MethodPost, "/v2/email/outbound-emails", bytes.NewReader(stored.Request))
		if err != nil {
			continue // cannot happen: the request is fixed
		}
		again.Header.Set("Content-Type", "application/json")
		again.Header.Set("Authorization", "AWS4-HMAC-SHA256") // all that the emulator checks
		answer := s.forward(again, stored.Request)
		if answer.Code == http.StatusOK && !stored.Done {
			s.accepted(m, stored, answer)
		}
	}
}
