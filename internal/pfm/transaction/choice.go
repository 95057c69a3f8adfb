package transaction

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"aviso/internal/pfm"
	"aviso/internal/textfold"
)

// A user chooses the category of one transaction, or that of a merchant's transactions,
// now and in the future. The latter is a rule, which the syncs apply to new rows. A job
// applies it to the rows that are there, because they can be thousands.

// ErrNoParty means that a transaction has neither a merchant nor a counterparty's name.
var ErrNoParty = errors.New("pfm: transaction has no party")

// ruleChosen is the RuleID of a category that the user has chosen for the merchant.
const ruleChosen = "user:merchant"

// Found is what the service's own rules found, while the row has the user's category.
type Found struct {
	Subcategory int                `dynamodbav:"fk,omitempty"`
	Source      pfm.CategorySource `dynamodbav:"fs,omitempty"`
	RuleID      string             `dynamodbav:"fr,omitempty"`
}

// Choices are the categories that a user has chosen for merchants: subcategories by
// party.
type Choices map[string]int

// Party returns whom a choice for the merchant is about: the merchant or, if it is not
// known, the counterparty by its name. It is empty if there is neither.
func (t Transaction) Party() string {
	if t.Merchant.ID != "" {
		return "M#" + t.Merchant.ID
	}
	name := textfold.Name(t.PartyName)
	if name == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(name))
	return "N#" + hex.EncodeToString(sum[:16])
}

// MerchantOrParty returns the merchant, or else the counterparty.
func (t Transaction) MerchantOrParty() pfm.Merchant { return t.Merchant.OrParty(t.PartyName) }

// Choose returns t with the category that the user has chosen for it.
func (t Transaction) Choose(c pfm.Category) Transaction { return t.chosen(c, "") }

// ChooseForMerchant returns t with the category that the user has chosen for its merchant.
func (t Transaction) ChooseForMerchant(c pfm.Category) Transaction { return t.chosen(c, ruleChosen) }

func (t Transaction) chosen(c pfm.Category, ruleID string) Transaction {
	if t.Source != pfm.SourceOverride {
		t.Found = Found{Subcategory: t.Category.SubcategoryID, Source: t.Source, RuleID: t.RuleID}
	}
	t.Category, t.Source, t.RuleID = c, pfm.SourceOverride, ruleID
	return t
}

// Unchosen returns t without the user's choice.
func (t Transaction) Unchosen() Transaction {
	if t.Source != pfm.SourceOverride {
		return t
	}
	was := t.Found
	t.Category, _ = pfm.CategoryOf(was.Subcategory)
	t.Source, t.RuleID, t.Found = was.Source, was.RuleID, Found{}
	return t
}

// IsChosenForMerchant reports whether the user has chosen the category for the merchant.
func (t Transaction) IsChosenForMerchant() bool {
	return t.Source == pfm.SourceOverride && t.RuleID == ruleChosen
}

// isChosen reports whether the user has chosen the category for this transaction.
func (t Transaction) isChosen() bool { return t.Source == pfm.SourceOverride && t.RuleID != ruleChosen }

// With returns t as the choices for merchants have it. A choice for t itself stays.
func (c Choices) With(t Transaction) Transaction {
	if t.isChosen() {
		return t
	}
	if party := t.Party(); party != "" {
		if category, ok := pfm.CategoryOf(c[party]); ok {
			return t.ChooseForMerchant(category)
		}
	}
	return t.Unchosen()
}
