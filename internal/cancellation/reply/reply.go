package reply

import (
	"crypto/rand"
	"encoding/hex"
	"regexp"
	"strings"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/evidence"
)

// Reply is an answer as it is kept.
type Reply struct {
	ID         string    `dynamodbav:"id"`
	ReceivedAt time.Time `dynamodbav:"receivedAt"`
	From       string    `dynamodbav:"from"`
	Sender     string    `dynamodbav:"sender"`
	Subject    string    `dynamodbav:"subject"`
	MessageID  string    `dynamodbav:"messageId,omitempty"`
	Reading
	Text        string       `dynamodbav:"text"`
	Attachments []Attachment `dynamodbav:"attachments,omitempty"`
	// Authentication is what the receiving server found out about the sender, such as "dkim=pass dmarc=pass".
	Authentication string `dynamodbav:"authentication,omitempty"`
	// Digest is that of the mail as received. Size is in bytes.
	Digest evidence.Digest `dynamodbav:"digest"`
	Size   int             `dynamodbav:"size"`
	// The user answered at AnsweredAt. It is zero before. AnswerID identifies the answer's letter, and AnswerStatus
	// says how far it got.
	AnsweredAt   time.Time           `dynamodbav:"answeredAt,omitempty"`
	AnswerID     string              `dynamodbav:"answerId,omitempty"`
	AnswerStatus cancellation.Status `dynamodbav:"-"`
	Version      int64               `dynamodbav:"version"`
}

// tokenForm is that of the local part of reply addresses.
var tokenForm = regexp.MustCompile(`(?i)^c-([0-9a-f]{32})$`)

// NewAddress returns a new reply address. Its 128 random bits say nothing about the user.
func NewAddress(domain string) string {
	var token [16]byte
	_, _ = rand.Read(token[:]) // never fails
	return "c-" + hex.EncodeToString(token[:]) + "@" + domain
}

// Token returns the token of a reply address, and "" for any other address.
func Token(address string) string {
	local, _, _ := strings.Cut(address, "@")
	if m := tokenForm.FindStringSubmatch(local); m != nil {
		return strings.ToLower(m[1])
	}
	return ""
}

// Attachment is a file in a mail.
type Attachment struct {
	Name        string `dynamodbav:"name"`
	ContentType string `dynamodbav:"contentType"`
	// Size is in bytes, without the encoding.
	Size int64 `dynamodbav:"size"`
}
