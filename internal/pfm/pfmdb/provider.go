package pfmdb

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/internal/dynamo"
	"aviso/internal/fold"
	"aviso/internal/outcome"
	"aviso/internal/pfm"
)

// providerRow is a provider, under its own key and again under each key that
// lists or finds it: a page is then one query of one partition.
type providerRow struct {
	ID                    string            `dynamodbav:"id"`
	CountryCode           string            `dynamodbav:"countryCode"`
	Name                  string            `dynamodbav:"name"`
	LogoURL               string            `dynamodbav:"logoUrl"`
	Status                string            `dynamodbav:"status"`
	SupportedAccountTypes []string          `dynamodbav:"supportedAccountTypes"`
	Timezone              string            `dynamodbav:"timezone"`
	RefreshTimeoutMinutes int               `dynamodbav:"refreshTimeoutMinutes"`
	MaxConsentDays        int               `dynamodbav:"maxConsentDays"`
	Regulated             bool              `dynamodbav:"regulated"`
	MaxFetchInterval      int               `dynamodbav:"maxFetchInterval"`
	AutomaticFetch        *bool             `dynamodbav:"automaticFetch,omitempty"`
	Meta                  map[string]string `dynamodbav:"meta,omitempty"`
	BaseURL               string            `dynamodbav:"baseUrl"`
	TransportSecret       string            `dynamodbav:"transportSecret,omitempty"`
	SealSecret            string            `dynamodbav:"sealSecret,omitempty"`
	// Word is the rest of the folded name from the word on under which this row
	// finds the provider; on word rows only.
	Word string `dynamodbav:"word,omitempty"`
	// Version counts the writes; rows from before there were versions have none.
	Version int64 `dynamodbav:"version,omitempty"`
}

const (
	// maxName bounds folded names, in bytes: a sort key takes 1,024.
	maxName = 512
	// maxWords keeps a change of all index rows, old and new, in one transaction.
	maxWords = 20
)

type countryRow struct {
	Code  string `dynamodbav:"code"`
	Count int    `dynamodbav:"providers"`
}

// Provider reads one provider.
func (s *Store) Provider(ctx context.Context, id string) (pfm.Provider, error) {
	r, err := s.providerRow(ctx, id, false)
	if err != nil {
		return pfm.Provider{}, err
	}
	return r.provider(), nil
}

func (s *Store) providerRow(ctx context.Context, id string, consistent bool) (providerRow, error) {
	pk, sk := providerKey(id)
	item, err := dynamo.LegacyGetItem(ctx, s.db, s.table, pk, sk, consistent)
	if err != nil {
		return providerRow{}, translate(err)
	}
	return readProviderRow(dynamo.NewRow(item))
}

// readProviderRow reads what dynamo.Marshal has made of a providerRow.
func readProviderRow(r *dynamo.Row) (providerRow, error) {
	row := providerRow{
		ID: r.Text("id"), CountryCode: r.Text("countryCode"), Name: r.Text("name"), LogoURL: r.Text("logoUrl"), Status: r.Text("status"),
		SupportedAccountTypes: r.Texts("supportedAccountTypes"), Timezone: r.Text("timezone"), RefreshTimeoutMinutes: int(r.Int("refreshTimeoutMinutes")),
		MaxConsentDays: int(r.Int("maxConsentDays")), Regulated: r.Bool("regulated"), MaxFetchInterval: int(r.Int("maxFetchInterval")),
		Meta: r.TextsByName("meta"), BaseURL: r.Text("baseUrl"), TransportSecret: r.Text("transportSecret"), SealSecret: r.Text("sealSecret"),
		Word: r.Text("word"), Version: r.Int("version"),
	}
	if r.Has("automaticFetch") {
		row.AutomaticFetch = ptr(r.Bool("automaticFetch"))
	}
	return row, r.Err()
}

// AllProviders reads every provider consistently, by name.
func (s *Store) AllProviders(ctx context.Context) ([]pfm.Provider, error) {
	pk, _ := providerListKey("*", "", "")
	var all []pfm.Provider
	for row, err := range dynamo.LegacyAll(ctx, s.db, &dynamodb.QueryInput{
		TableName: &s.table, KeyConditionExpression: ptr("pk = :pk"), ConsistentRead: ptr(true), ExpressionAttributeValues: dynamo.Item{":pk": dynamo.S(pk)},
	}) {
		if err != nil {
			return nil, fmt.Errorf("query all providers: %w", err)
		}
		r, err := readProviderRow(row)
		if err != nil {
			return nil, err
		}
		all = append(all, r.provider())
	}
	return all, nil
}

// Providers reads a page of the list, or of the word index when a name is
// looked for. A provider with several matching words is listed once, under the
// first of them in the index's order. The position is the key of the last
// provider given.
func (s *Store) Providers(ctx context.Context, f pfm.ProviderFilter, limit int, position string) ([]pfm.Provider, string, error) {
	country := f.CountryCode
	if country == "" {
		country = "*"
	}
	pk, _ := providerListKey(country, "", "")
	condition, values, readAhead := "pk = :pk", dynamo.Item{}, limit+1
	if len(f.NamePrefix) > maxName {
		return nil, "", nil // no name is that long, and no key may be
	}
	if f.NamePrefix != "" {
		readAhead *= 2 // some rows are further words of a provider that is listed already
		pk, _ = providerWordKey(country, "", "")
		condition, values[":prefix"] = "pk = :pk AND begins_with(sk, :prefix)", dynamo.S(f.NamePrefix)
	}
	values[":pk"] = dynamo.S(pk)
	start, err := dynamo.StartKey(position)
	if err != nil {
		return nil, "", err
	}
	page, given := make([]pfm.Provider, 0, limit), "" // the last row's sort key
	for row, err := range dynamo.LegacyAll(ctx, s.db, &dynamodb.QueryInput{
		TableName: &s.table, KeyConditionExpression: &condition, ExpressionAttributeValues: values,
		ExclusiveStartKey: start, Limit: ptr(int32(readAhead)),
	}) {
		if err != nil {
			return nil, "", fmt.Errorf("query providers: %w", err)
		}
		r, err := readProviderRow(row)
		if err != nil {
			return nil, "", err
		}
		if f.NamePrefix != "" && r.Word != firstMatch(r.Name, f.NamePrefix) {
			continue
		}
		if len(page) == limit { // one more than asked for: there is a further page
			next, err := dynamo.Position(dynamo.LegacyKey(pk, given))
			return page, next, err
		}
		page, given = append(page, r.provider()), row.Text("sk")
	}
	return page, "", nil
}

// Countries reads the countries by code.
func (s *Store) Countries(ctx context.Context) ([]pfm.Country, error) {
	out, err := s.db.Query(ctx, &dynamodb.QueryInput{
		TableName: &s.table, KeyConditionExpression: ptr("pk = :pk"), ExpressionAttributeValues: dynamo.Item{":pk": dynamo.S(pkCountries)},
	})
	if err != nil {
		return nil, fmt.Errorf("query countries: %w", err)
	}
	var list []pfm.Country
	for _, item := range out.Items {
		var r countryRow
		if err := dynamo.Unmarshal(item, &r); err != nil {
			return nil, err
		}
		if r.Count > 0 {
			list = append(list, pfm.Country{Code: r.Code, ProviderCount: r.Count})
		}
	}
	return list, nil
}

// PutProvider replaces the provider with all its index rows, and keeps the
// countries' counts, in one transaction. Of two at the same time one is
// ErrChanged: the rows to be deleted follow from the provider that was read.
func (s *Store) PutProvider(ctx context.Context, p pfm.Provider) error {
	if folded := fold.Name(p.Name); len(folded) > maxName || len(restsOf(folded)) > maxWords {
		return fmt.Errorf("put provider %s: its name is too long", p.ID)
	}
	was, err := s.providerRow(ctx, p.ID, true)
	isNew := errors.Is(err, outcome.ErrNotFound)
	if err != nil && !isNew {
		return err
	}
	old := was.provider()
	rows := map[string]types.TransactWriteItem{} // by key, since a row may be both removed and written
	if !isNew {
		for _, k := range indexKeys(old) {
			rows[k.pk+"|"+k.sk] = types.TransactWriteItem{Delete: &types.Delete{TableName: &s.table, Key: dynamo.LegacyKey(k.pk, k.sk)}}
		}
	}
	for _, k := range indexKeys(p) {
		r := toProviderRow(p)
		r.Word, r.Version = k.word, was.Version+1
		item, err := dynamo.Marshal(k.pk, k.sk, r)
		if err != nil {
			return err
		}
		rows[k.pk+"|"+k.sk] = types.TransactWriteItem{Put: &types.Put{TableName: &s.table, Item: item}}
	}
	pk, sk := providerKey(p.ID)
	main := rows[pk+"|"+sk].Put
	main.ConditionExpression = ptr("attribute_not_exists(version)") // also where there is no row
	if was.Version > 0 {
		main.ConditionExpression, main.ExpressionAttributeValues = ptr("version = :was"), dynamo.Item{":was": dynamo.N(was.Version)}
	}
	actions := make([]types.TransactWriteItem, 0, len(rows)+2)
	for _, a := range rows {
		actions = append(actions, a)
	}
	if isNew || old.CountryCode != p.CountryCode {
		actions = append(actions, s.countProviders(p.CountryCode, 1))
		if !isNew {
			actions = append(actions, s.countProviders(old.CountryCode, -1))
		}
	}
	return translate(dynamo.LegacyTransact(ctx, s.db, actions))
}

func (s *Store) countProviders(country string, by int64) types.TransactWriteItem {
	return types.TransactWriteItem{Update: &types.Update{
		TableName: &s.table, Key: dynamo.LegacyKey(pkCountries, country),
		UpdateExpression:          ptr("SET code = :code ADD providers :by"),
		ExpressionAttributeValues: dynamo.Item{":code": dynamo.S(country), ":by": dynamo.N(by)},
	}}
}

type indexKey struct{ pk, sk, word string }

// indexKeys are all keys under which a provider is written.
func indexKeys(p pfm.Provider) []indexKey {
	pk, sk := providerKey(p.ID)
	keys := []indexKey{{pk: pk, sk: sk}}
	folded := fold.Name(p.Name)
	for _, country := range []string{p.CountryCode, "*"} {
		pk, sk := providerListKey(country, folded, p.ID)
		keys = append(keys, indexKey{pk: pk, sk: sk})
		for _, rest := range restsOf(folded) {
			pk, sk := providerWordKey(country, rest, p.ID)
			keys = append(keys, indexKey{pk: pk, sk: sk, word: rest})
		}
	}
	return keys
}

// restsOf is the name from each of its words on.
func restsOf(folded string) []string {
	var rests []string
	for rest := folded; rest != ""; {
		rests = append(rests, rest)
		_, rest, _ = strings.Cut(rest, " ")
	}
	return rests
}

// firstMatch is, of the rests of the name that begin with prefix, the one that
// the index lists first.
func firstMatch(name, prefix string) string {
	first := ""
	for _, rest := range restsOf(fold.Name(name)) {
		if strings.HasPrefix(rest, prefix) && (first == "" || rest < first) {
			first = rest
		}
	}
	return first
}

func toProviderRow(p pfm.Provider) providerRow {
	r := providerRow{
		ID: p.ID, CountryCode: p.CountryCode, Name: p.Name, LogoURL: p.LogoURL, Status: string(p.Status), Timezone: p.Timezone,
		RefreshTimeoutMinutes: p.RefreshTimeoutMinutes, MaxConsentDays: p.MaxConsentDays, Regulated: p.Regulated,
		MaxFetchInterval: p.MaxFetchInterval, AutomaticFetch: p.AutomaticFetch, Meta: p.Meta, BaseURL: p.Endpoint.BaseURL,
		TransportSecret: p.Endpoint.TransportSecret, SealSecret: p.Endpoint.SealSecret,
	}
	for _, t := range p.SupportedAccountTypes {
		r.SupportedAccountTypes = append(r.SupportedAccountTypes, string(t))
	}
	return r
}

func (r providerRow) provider() pfm.Provider {
	p := pfm.Provider{
		ID: r.ID, CountryCode: r.CountryCode, Name: r.Name, LogoURL: r.LogoURL, Status: pfm.ProviderStatus(r.Status), Timezone: r.Timezone,
		RefreshTimeoutMinutes: r.RefreshTimeoutMinutes, MaxConsentDays: r.MaxConsentDays, Regulated: r.Regulated,
		MaxFetchInterval: r.MaxFetchInterval, AutomaticFetch: r.AutomaticFetch, Meta: r.Meta,
		Endpoint: pfm.BankEndpoint{BaseURL: r.BaseURL, TransportSecret: r.TransportSecret, SealSecret: r.SealSecret},
	}
	for _, t := range r.SupportedAccountTypes {
		p.SupportedAccountTypes = append(p.SupportedAccountTypes, pfm.AccountType(t))
	}
	return p
}
