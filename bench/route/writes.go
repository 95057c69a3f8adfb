package route

import (
	"fmt"
	"sync"
	"sync/atomic"

	"aviso/bench/world"
	"aviso/internal/pfm"
)

// writes returns the routes that write and are called most, without the one of letters.
func writes(c Caller) []Route {
	hot := func(function, name string, status int, payload func(n int) []byte) Route {
		return Route{Function: function, Name: name, Hot: true, Payload: payload, Check: wants(status)}
	}
	var changes atomic.Int64
	change := hot("pfm", "PATCH transaction", 200, func(int) []byte {
		categories := []int{pfm.FoodRestaurants, pfm.FoodGroceries}
		return c.send("PATCH", "/openbanking/v1/transactions/"+world.ID("transaction/writer", 500),
			fmt.Sprintf(`{"categoryId":%d}`, categories[changes.Add(1)%2]))
	})
	change.Turns = &sync.Mutex{} // two changes at the same time would be tried again
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
