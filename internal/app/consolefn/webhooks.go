package consolefn

import (
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/app/bootstrap"
	"aviso/internal/aws/config"
	"aviso/internal/console"
	"aviso/internal/identity"
	"aviso/internal/identity/identitydb"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/notification/webhook"
	"aviso/internal/secret/keyring"
)

// tables are the names of the tables behind the pages of webhooks.
type tables struct{ notification, outbox string }

// webhooks builds the services behind the pages of webhooks.
func webhooks(
	db *dynamodb.Client, names tables, people *identitydb.Store, keys *keyring.Sealer, stage config.Stage, env config.Env,
) console.Webhooks {
	store := notificationdb.New(db, names.notification, names.outbox, keys, time.Now, bootstrap.NewID)
	admit := identity.NewAgreements(people, time.Now).AdmitAny
	return console.Webhooks{
		Subscriptions: notification.NewSubscriptions(
			store, webhook.NewForStage(stage, env, time.Now).Check, time.Now, bootstrap.NewSortableID),
		Deliveries: notification.NewSupervision(store, time.Now),
		Sign:       webhook.Sign,
		Simulator:  notification.NewSimulator(store, admit, stage == config.Production, time.Now, bootstrap.NewID),
	}
}
