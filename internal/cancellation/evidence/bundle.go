package evidence

import (
	"archive/zip"
	"bytes"
	"fmt"
	"time"
)

// The members of a bundle. Carriers' documents are in CarrierFolder.
const (
	DocumentFile  = "evidence.json"
	SignatureFile = "evidence.jws"
	StampFile     = "evidence.tsr"
	LetterFile    = "letter.pdf"
	SummaryFile   = "evidence.pdf"
	CarrierFolder = "carrier/"
	// EnclosureFile and JoinedFile belong to a letter of objection: the evidence of the
	// cancellation, and the letter with the pages of that evidence behind it.
	EnclosureFile = "enclosure.pdf"
	JoinedFile    = "letter-with-enclosure.pdf"
	// PendingFile is in a bundle that has no time stamp yet.
	PendingFile = "timestamp-pending.txt"
	// PendingText is its content.
	PendingText = "This bundle has no time stamp yet: the authority did not answer. Fetch the bundle again later.\n"
)

// Format is the format of a Document.
const Format = "aviso-evidence-1"

// Document is what is signed: the content of DocumentFile.
type Document struct {
	Format       string       `json:"format"`
	Cancellation Cancellation `json:"cancellation"`
	Entries      []Entry      `json:"entries"`
	// Head is the digest of the last entry. It stands for all of them.
	Head Digest `json:"head"`
	// Files are the other members of the bundle.
	Files []FileDigest `json:"files"`
}

// Cancellation is what the entries are about.
type Cancellation struct {
	ID string `json:"cancellationId"`
	// ObjectionID is set if the entries are about a letter of objection.
	ObjectionID    string `json:"objectionId,omitempty"`
	UserID         string `json:"userId"`
	ExternalID     string `json:"externalCancellationRequestIdentifier,omitempty"`
	OrganizationID string `json:"organizationId"`
	// Organization and Product are empty if the catalogue no longer has them.
	Organization string `json:"organization,omitempty"`
	ProductID    string `json:"productId"`
	Product      string `json:"product,omitempty"`
	Locale       string `json:"locale"`
	// EndDate is the last day that the letter asks for. It is empty if the letter names none.
	EndDate string `json:"endDate,omitempty"`
	// Reason is why the contract shall end before its term. It is zero without one.
	Reason       Reason      `json:"reason,omitzero"`
	Status       string      `json:"status"`
	StatusReason string      `json:"statusReason,omitempty"`
	CreatedAt    Time        `json:"createdAt"`
	Recipients   []Recipient `json:"recipients"`
}

// Reason is a reason that the law knows, and the article that the letter names.
type Reason struct {
	Kind    string `json:"kind"`
	Date    string `json:"date,omitempty"`
	Article string `json:"article"`
	Text    string `json:"text,omitempty"`
}

// Recipient is where a channel leads.
type Recipient struct {
	Channel string `json:"channel"`
	Address string `json:"address"`
}

// FileDigest names a member of the bundle.
type FileDigest struct {
	Name   string `json:"name"`
	SHA256 Digest `json:"sha256"`
}

// File is a member of a bundle.
type File struct {
	Name    string
	Content []byte
}

// Digests returns the digests of files.
func Digests(files []File) []FileDigest {
	list := make([]FileDigest, 0, len(files))
	for _, f := range files {
		list = append(list, FileDigest{Name: f.Name, SHA256: Of(f.Content)})
	}
	return list
}

// Zip returns an archive of files. The same files result in the same bytes.
func Zip(files ...File) ([]byte, error) {
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	for _, f := range files {
		// Stored, because another release may compress in another way.
		member, err := w.CreateHeader(&zip.FileHeader{
			Name: f.Name, Method: zip.Store, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC),
		})
		if err == nil {
			_, err = member.Write(f.Content)
		}
		if err != nil {
			return nil, fmt.Errorf("write %s: %w", f.Name, err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("write archive: %w", err)
	}
	return archive.Bytes(), nil
}
