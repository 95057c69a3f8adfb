package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"strings"
)

// partner reads what the service says of a user, without a generated client.
type partner struct{ address, token string }

func authenticate(address string) (partner, error) {
	ask, err := http.NewRequest(http.MethodPost, address+"/oauth2/token", strings.NewReader("grant_type=client_credentials"))
	if err != nil {
		return partner{}, err
	}
	ask.SetBasicAuth("sandbox", "sandbox-secret")
	ask.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	var token struct {
		AccessToken string `json:"access_token"`
	}
	err = read(ask, &token)
	return partner{address: address, token: token.AccessToken}, err
}

// totals returns the number and the sum of a user's transactions, which the service has
// kept up to date while it read them.
func (p partner) totals(user string) (count int, sum *big.Rat, err error) {
	sum = new(big.Rat)
	for _, direction := range []string{"Income", "Expense"} {
		ask, err := http.NewRequest(http.MethodGet,
			p.address+"/openbanking/v1/insights/categories?granularity=alltime&transactionType="+direction, nil)
		if err != nil {
			return 0, nil, err
		}
		ask.Header.Set("Authorization", "Bearer "+p.token)
		ask.Header.Set("X-User-Id", user)
		var body struct {
			Data struct {
				Insights []struct {
					Amount               json.Number `json:"amount"`
					NumberOfTransactions int         `json:"numberOfTransactions"`
				} `json:"insights"`
			} `json:"data"`
		}
		if err := read(ask, &body); err != nil {
			return 0, nil, err
		}
		for _, insight := range body.Data.Insights {
			amount, ok := new(big.Rat).SetString(insight.Amount.String())
			if !ok {
				return 0, nil, fmt.Errorf("%q is not an amount", insight.Amount)
			}
			sum.Add(sum, amount)
			count += insight.NumberOfTransactions
		}
	}
	return count, sum, nil
}

func read(ask *http.Request, into any) error {
	resp, err := http.DefaultClient.Do(ask)
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return errors.Join(fmt.Errorf("%s answers %d", ask.URL.Path, resp.StatusCode), resp.Body.Close())
	}
	return errors.Join(json.NewDecoder(resp.Body).Decode(into), resp.Body.Close())
}
