package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"time"
)

// returnURL is where the bank sends the user in the end. Nothing answers there.
const returnURL = "http://localhost:8080/"

// approve plays a user who opens the link and shares all accounts at a sandbox bank.
func approve(link, persona string) error {
	cookies, err := cookiejar.New(nil)
	if err != nil {
		return err
	}
	browser := &http.Client{
		Jar: cookies, Timeout: 20 * time.Second,
		CheckRedirect: func(next *http.Request, _ []*http.Request) error {
			if strings.HasPrefix(next.URL.String(), returnURL) {
				return http.ErrUseLastResponse
			}
			return nil
		},
	}
	page, err := browser.Get(link)
	if err != nil {
		return err
	}
	if err := page.Body.Close(); err != nil {
		return err
	}
	shared := []string{"current", "savings", "card"}
	if persona == "family" {
		shared = append(shared, "joint")
	}
	back, err := browser.PostForm(page.Request.URL.String(), url.Values{
		"persona": {persona}, "decision": {"approve"}, "account[]": shared,
	})
	if err != nil {
		return err
	}
	text, err := io.ReadAll(back.Body)
	if err := errors.Join(err, back.Body.Close()); err != nil {
		return err
	}
	if at := back.Header.Get("Location"); !strings.Contains(at, "status=success") {
		return fmt.Errorf("the bank answers %d to %s: %s", back.StatusCode, at, text)
	}
	return nil
}
