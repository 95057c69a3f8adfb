package fulltext_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation/catalogue"
)

// asked are what people type around a name when they want to get rid of a contract.
var asked = []string{
	"%s kündigen", "%s kuendigen", "kündigung %s", "%s kündigung vorlage", "%s abo", "%s abo kündigen", "%s vertrag",
	"%s vertrag kündigen", "%s mitgliedschaft kündigen", "wie kündige ich %s", "%s online kündigen", "mein %s",
	"%s kundenservice", "%s widerruf", "%s sonderkündigung", "handyvertrag %s kündigen", "%s handyvertrag",
	"cancel %s", "cancel my %s subscription", "how to cancel %s", "%s membership", "%s contract", "%s customer service",
	"résilier %s", "résiliation %s", "résilier abonnement %s", "lettre de résiliation %s",
	"%s opzeggen", "%s abonnement opzeggen", "hoe %s opzeggen",
	"disdetta %s", "disdire abbonamento %s", "modulo recesso %s",
	"dar de baja %s", "baja %s", "cancelar suscripción %s", "cancelar contrato %s", "denúncia contrato %s",
	"wypowiedzenie umowy %s", "jak zrezygnować z %s", "säga upp %s", "uppsägning %s", "opsig %s", "si opp %s",
	"oppsigelse %s", "%s irtisanominen", "výpověď smlouvy %s",
}

// People type a name with a verb or "contract". The first hit must be the named organization.
func TestNamesWithWhatPeopleAsk(t *testing.T) {
	known, index := realNames(t)
	all, right := 0, 0
	var wrong []string
	for _, name := range known {
		for _, frame := range asked {
			query := fmt.Sprintf(frame, strings.ToLower(legalForm.ReplaceAllString(name, "")))
			page, err := index.Search(query, catalogue.SearchFilter{}, 3, "")
			require.NoError(t, err)
			all++
			if len(page.Organizations) > 0 && page.Organizations[0].Name == name {
				right++
				continue
			}
			found := ""
			for _, d := range page.Organizations {
				found += " · " + d.Name
			}
			wrong = append(wrong, fmt.Sprintf("%q%s", query, found))
		}
	}
	slices.Sort(wrong)
	t.Logf("first hit right: %d of %d (%.1f %%)\n%s", right, all, 100*float64(right)/float64(all), strings.Join(wrong, "\n"))
	assert.Greater(t, float64(right), 0.99*float64(all))
}
