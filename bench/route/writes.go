package route

import (
	"fmt"
	"sync"

	"aviso/bench/world"
	"aviso/internal/pfm"
)

// changed is how many transactions are changed in turn, each to the other category than before.
const changed = 1_000

// writes returns the routes that write and are called most, without the one of letters.
func writes(c Caller) []Route {
	hot := func(function, name string, status int, payload func(n int) []byte) Route {
		return Route{Function: function, Name: name, Hot: true, Payload: payload, Check: wants(status)}
	}
	change := hot("pfm", "PATCH transaction", 200, func(n int) []byte {
		categories := []int{pfm.FoodRestaurants, pfm.FoodGroceries}
		return c.send("PATCH", "/openbanking/v1/transactions/"+world.ID("transaction/writer", n%changed),
			fmt.Sprintf(`{"categoryId":%d}`, categories[n/changed%len(categories)]))
	})
	change.Turns = &sync.Mutex{} // changes of one user at the same time are tried again
	return []Route{
		hot("identity", "POST users", 201, func(n int) []byte {
			return c.post("/identity/v1/users", fmt.Sprintf(`{"externalId":"bench-%d","countryCode":"DE","languageCode":"de"}`, n))
		}),
		hot("pfm", "POST connections", 201, func(int) []byte {
			return c.post("/openbanking/v1/connections", fmt.Sprintf(
				`{"providerId":%q,"returnUrl":"https://partner.example/back"}`, world.ID("provider", 0)))
		}),
		change,
		hot("notification", "POST events", 202, func(int) []byte {
			return c.post("/webhooks/v1/events", `{"eventType":"webhook.ping"}`)
		}),
	}
}
