package fulltext_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/fulltext"
	"aviso/internal/outcome"
	"aviso/localstack/tests/testenv"
)

// goldenSnapshots maps versions to snapshots; see testenv.Golden. If the snapshot gets another
// format, the attributes data and crc32 may be regenerated.
func goldenSnapshots() map[string][]catalogue.SearchDocument {
	return map[string][]catalogue.SearchDocument{
		"v1": {},
		"v2": {
			{
				Kind: catalogue.SearchProduct, ID: "product", OrganizationID: "organization", CategoryID: "energy",
				CategoryNames: []string{"Energy", "Strom und Gas"}, Name: "Power",
				OrganizationName: "Lampe & Söhne", ExtraConsent: true, URL: "https://lampe.example",
				Locales: []cancellation.Locale{"de-DE", "de-AT"},
			},
			{
				Kind: catalogue.SearchOrganization, ID: "organization", OrganizationID: "organization", CategoryID: "energy",
				CategoryNames: []string{"Energy", "Strom und Gas"}, Name: "Lampe & Söhne", OrganizationName: "Lampe & Söhne",
				ExtraConsent: true, URL: "https://lampe.example", Locales: []cancellation.Locale{"de-DE", "de-AT"},
			},
		},
	}
}

func TestGoldenItemsAreWritten(t *testing.T) {
	s := newSnapshots(t)
	s.put("v1", goldenSnapshots()["v1"])
	s.publish("v1") // else v2 would replace it
	s.put("v2", goldenSnapshots()["v2"])
	s.unpublish()
	testenv.Golden(t, map[string]string{"CancellationTable": s.table})
}

func TestGoldenItemsAreRead(t *testing.T) {
	db, table := testenv.DynamoDB(t), testenv.GoldenTable(t, "CancellationTable")
	s := snapshots{Store: fulltext.NewStore(db, table, time.Now), t: t, db: db, table: table}
	for version, want := range goldenSnapshots() {
		assert.Len(t, s.read(version, "lampe"), len(want))
	}
	s.put("v3", nil)
	_, err := s.Snapshot(t.Context(), "v1")
	require.ErrorIs(t, err, outcome.ErrNotFound, "it is listed, so that it is deleted")
}
