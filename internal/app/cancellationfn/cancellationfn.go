// Package cancellationfn builds the function cancellation, which serves the catalogue
// and cancellations.
package cancellationfn

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"

	"aviso/internal/api"
	"aviso/internal/api/apigateway"
	"aviso/internal/api/token"
	"aviso/internal/app/bootstrap"
	"aviso/internal/app/httpapi"
	"aviso/internal/aws/config"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationapi"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/cancellation/letter"
	"aviso/internal/cancellation/objection"
	"aviso/internal/cancellation/reply"
	"aviso/internal/cancellation/reply/thread"
	"aviso/internal/cancellation/request"
	"aviso/internal/cancellation/seal"
	"aviso/internal/identity"
	"aviso/internal/observe"
	"aviso/internal/owner"
	"aviso/internal/pfm/pfmdb"
	"aviso/internal/secret/keyring"
)

// gate admits calls to the cancellation area. Reading needs a user; cancelling also
// needs the user's acceptance of the cancellation provider's terms.
type gate struct {
	owner.Gate
	agreements *identity.Agreements
}

func (g gate) AdmitCancelling(ctx context.Context, user owner.User) error {
	return g.agreements.Admit(ctx, user, identity.TermsCancellationProvider)
}

// New builds the function.
func New(ctx context.Context, env config.Env) (lambda.Handler, error) {
	return keyring.Reloading(ctx, env, time.Now, build)
}

func build(ctx context.Context, env config.Env, cache *keyring.Cache) (lambda.Handler, error) {
	r := config.NewReader(env)
	table, outboxTable, channels := r.Required("CANCELLATION_TABLE"), r.Required("OUTBOX_TABLE"), enabledChannels(r)
	pfmTable := r.Required("PFM_TABLE")
	authority := r.Optional("TIMESTAMP_URL", "")
	key := evidenceKey{id: r.Optional("EVIDENCE_KEY", "")}
	e, err := httpapi.New(ctx, "cancellation", httpapi.UserAndData, env, r, cache, key.load)
	if err != nil {
		return nil, err
	}
	store := cancellationdb.New(e.Dynamo, table, outboxTable, time.Now, bootstrap.NewID)
	store.RequireUsers(r.Required("IDENTITY_TABLE"))
	accounts := pfmdb.New(e.Dynamo, pfmTable, outboxTable, time.Now, bootstrap.NewID)
	products, agreements := catalogue.New(store), identity.NewAgreements(e.Identity, time.Now)
	admission := gate{agreements.Gate(), agreements}
	requests := &request.Requests{
		Store: store, Product: products.OrganizationProduct, Gate: admission,
		Contract: accounts.FindContract,
		Writer:   letter.Writer{}, Enabled: channels, ReplyAddress: r.Optional("REPLY_ADDRESS", ""),
		Now: time.Now, NewID: bootstrap.NewSortableID,
	}
	if domain := r.Optional("REPLY_DOMAIN", ""); domain != "" {
		requests.NewInbox = func() string { return reply.NewAddress(domain) }
	}
	proofs := &evidence.Bundles{
		Store: store, Case: requests.Case, Summarize: letter.Summarize,
		Sign: signer(e, r.Required("IDENTITY_TABLE"), key), Stamp: stamper(e.Stage, authority), Log: slog.Default(),
	}
	replies := &reply.Replies{
		Store: store, Gate: admission,
		Feedback: &dispatch.Feedback{Store: store, Now: time.Now, Clocks: e.Clocks},
	}
	cancellationapi.Register(e.Router, cancellationapi.Services{
		Catalogue: products,
		Deadlines: &catalogue.Deadlines{Catalogue: products, Now: time.Now},
		Evidence:  proofs, Requests: requests,
		Objections: &objection.Objections{Store: store, Requests: requests, Evidence: proofs},
		Replies:    replies,
		Answers:    &thread.Answers{Store: store, Replies: replies, Requests: requests},
	})
	return apigateway.HandlerBehind(apigateway.EdgeOf(env, time.Now), e.Router.Handler()), nil
}

// evidenceKey is the secret with the key that signs evidence. If id is empty, the key is derived.
type evidenceKey struct{ id, text string }

// load reads the secret, if there is one. Only signing parses it: a bad certificate must not keep anybody from
// cancelling.
func (k *evidenceKey) load(ctx context.Context, _ bootstrap.Clients, secrets keyring.SecretReader) error {
	if k.id == "" {
		return nil
	}
	out, err := secrets.GetSecretValue(ctx, &secretsmanager.GetSecretValueInput{SecretId: &k.id})
	if err != nil {
		return fmt.Errorf("read key of evidence: %w", err)
	}
	k.text = aws.ToString(out.SecretString)
	return nil
}

func (k *evidenceKey) key(e httpapi.Base) (seal.Key, error) {
	if k.id == "" {
		return seal.DeriveKey(e.Sealing.Current)
	}
	key, err := seal.ReadKey(k.text, time.Now())
	if err == nil {
		warnBeforeEnd(k.id, key, time.Now())
	}
	return key, err
}

// We warn of a certificate's end warnWithin before it. It is the same for banks' certificates.
const warnWithin = 30 * 24 * time.Hour

// warnBeforeEnd warns when a certificate of the key must be replaced.
func warnBeforeEnd(secret string, key seal.Key, now time.Time) {
	for _, c := range key.Certificates {
		if left := c.NotAfter.Sub(now); left <= warnWithin {
			slog.LogAttrs(context.Background(), slog.LevelWarn, "certificate expires",
				slog.String("secret", secret), slog.String("Certificate", "evidence"),
				slog.Int(string(observe.CertificateDaysLeft), int(left/(24*time.Hour))),
				observe.EMF(now, observe.CertificateDaysLeft))
			return
		}
	}
}

// signer returns the function that signs evidence. Its first call makes and publishes the key, because most instances
// never sign.
func signer(e httpapi.Base, identityTable string, k evidenceKey) func(context.Context, []byte) ([]byte, error) {
	derive := sync.OnceValues(func() (seal.Key, error) { return k.key(e) })
	keys := token.NewEvidenceKeyStore(e.Dynamo, identityTable)
	var published atomic.Bool
	return func(ctx context.Context, content []byte) ([]byte, error) {
		key, err := derive()
		if err != nil {
			return nil, err
		}
		if !published.Load() {
			if err := keys.PublishKey(ctx, key.Public()); err != nil {
				return nil, fmt.Errorf("publish key: %w", err)
			}
			published.Store(true)
		}
		return key.Sign(content)
	}
}

// stamper returns the function that gets time stamps, or nil if there is no time-stamping authority. Outside
// production, the sandbox is the default one.
func stamper(stage config.Stage, url string) func(context.Context, []byte) ([]byte, error) {
	if url == "" && stage == config.Production {
		return nil
	}
	return func(ctx context.Context, content []byte) ([]byte, error) {
		return seal.Stamp(ctx, cmp.Or(url, api.BaseURL(ctx)+"/sandbox/timestamp"), content)
	}
}

// enabledChannels returns the channels that have a carrier. Outside production, the
// sandbox is the default carrier of paper letters and faxes.
func enabledChannels(r *config.Reader) []cancellation.ChannelKind {
	sandbox := r.Stage() != config.Production
	var channels []cancellation.ChannelKind
	if r.Optional("MAIL_FROM", "") != "" {
		channels = append(channels, cancellation.ChannelEmail)
	}
	if sandbox || r.Optional("POST_CREDENTIALS", "") != "" {
		channels = append(channels, cancellation.ChannelMail, cancellation.ChannelRegisteredMail)
	}
	if sandbox || r.Optional("FAX_CREDENTIALS", "") != "" {
		channels = append(channels, cancellation.ChannelFax)
	}
	return channels
}
