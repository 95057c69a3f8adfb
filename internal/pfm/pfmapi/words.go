package pfmapi

import (
	"embed"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// wordFiles have the words of each language. They are parsed only for a page, so that they
// cost a function's start nothing.
//
//go:embed words/*.json
var wordFiles embed.FS

// Message is the content of a page.
type Message struct{ Title, Text string }

// Words are all words of the pages in one language.
type Words struct {
	// Language is a tag for the attribute lang.
	Language string `json:"-"`

	// The messages of the way to the bank and back.
	Unknown, Expired, Used, OtherBrowser, Disabled, Refused, OtherMustSign, NotConfirmed, BankUnavailable, Failed Message

	// Waiting and Identify are the pages of the steps that the user does on our side.
	Waiting, Identify Message

	Consent ConsentWords

	TryAgain, NextSteps string
	// TimeLeft has a place for the minutes. BankSays comes before the bank's own text.
	TimeLeft, CheckNow, BankSays                    string
	NeverPassword, UserID, IBANs, GoOn, NotAccepted string
	// BackTo is the label of a link. See BackToName.
	BackTo string
}

// BackToName returns the label of a link to the partner or its site.
func (w Words) BackToName(name string) string { return strings.Replace(w.BackTo, "{name}", name, 1) }

// MinutesLeft returns the text of how many minutes are left.
func (w Words) MinutesLeft(minutes int) string {
	return strings.Replace(w.TimeLeft, "{minutes}", strconv.Itoa(minutes), 1)
}

// Languages returns all languages of the pages. The first is for users whose own
// languages we do not have.
func Languages() []string {
	return []string{"en", "cs", "da", "de", "es", "fi", "fr", "it", "nb", "nl", "pl", "pt", "sv"}
}

// WordsIn returns the words of one of Languages.
func WordsIn(language string) Words {
	words := Words{Language: language}
	text, err := wordFiles.ReadFile("words/" + language + ".json")
	if err == nil {
		err = json.Unmarshal(text, &words)
	}
	if err != nil { // the tests read every language
		panic(fmt.Sprintf("words of user pages in %s: %v", language, err))
	}
	return words
}
