package bankcheck_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// serveAggregator makes the bank answer as Enable Banking does for it. The bank's consents are its sessions.
func (b *Bank) serveAggregator() {
	b.mux.HandleFunc("POST /auth", b.startSession)
	b.mux.HandleFunc("GET /log-in", b.logIn)
	b.mux.HandleFunc("POST /sessions", func(w http.ResponseWriter, _ *http.Request) {
		b.answer(w, http.StatusOK, b.session(map[string]any{"session_id": "s1", "accounts": b.listed()}))
	})
	b.mux.HandleFunc("GET /sessions/{id}", func(w http.ResponseWriter, _ *http.Request) {
		data := []any{}
		for _, s := range b.statements() {
			data = append(data, map[string]any{
				"uid": s.Account["uid"], "identification_hash": s.Account["identification_hash"],
			})
		}
		b.answer(w, http.StatusOK, b.session(map[string]any{"status": "AUTHORIZED", "accounts_data": data}))
	})
	b.mux.HandleFunc("DELETE /sessions/{id}", func(w http.ResponseWriter, _ *http.Request) {
		b.answer(w, http.StatusOK, map[string]any{"message": "OK"})
	})
	b.mux.HandleFunc("GET /accounts/{uid}/details", func(w http.ResponseWriter, r *http.Request) {
		if s, ok := b.held(w, r); ok {
			b.answer(w, http.StatusOK, s.Account)
		}
	})
	b.mux.HandleFunc("GET /accounts/{uid}/balances", func(w http.ResponseWriter, r *http.Request) {
		switch s, ok := b.held(w, r); {
		case !ok:
		case s.Refused.Balances != nil:
			b.give(w, *s.Refused.Balances)
		default:
			b.answer(w, http.StatusOK, map[string]any{"balances": s.balances(b.currency)})
		}
	})
	b.mux.HandleFunc("GET /accounts/{uid}/transactions", b.heldRows)
}

func (b *Bank) startSession(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		State    string `json:"state"`
		Redirect string `json:"redirect_url"`
		Access   struct {
			ValidUntil time.Time `json:"valid_until"`
		} `json:"access"`
	}
	_ = json.NewDecoder(r.Body).Decode(&asked)
	longest := time.Duration(b.scenario.BankDoes.LongestConsent) * time.Second
	if longest > 0 && asked.Access.ValidUntil.After(b.today.Add(longest-5*time.Second)) {
		b.give(w, Answer{Status: http.StatusUnprocessableEntity, Text: "WRONG_REQUEST_PARAMETERS"})
		return
	}
	back := url.Values{"state": {asked.State}, "code": {"code"}}
	to := url.Values{"back": {asked.Redirect + "?" + back.Encode()}}
	b.answer(w, http.StatusOK, map[string]any{
		"url": addressOf(r) + "/log-in?" + to.Encode(), "authorization_id": "a1", "psu_id_hash": "anna",
	})
}

func (b *Bank) logIn(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, r.URL.Query().Get("back"), http.StatusFound)
}

func (b *Bank) session(also map[string]any) map[string]any {
	also["psu_id_hash"], also["aspsp"] = "anna", map[string]any{"name": quirkyASPSP.Name, "country": quirkyASPSP.Country}
	also["access"] = map[string]any{"valid_until": resolveDay(b.today, "+90", "") + "T12:00:00Z"}
	return also
}

func (b *Bank) listed() (accounts []any) {
	for _, s := range b.statements() {
		accounts = append(accounts, s.Account)
	}
	return accounts
}

func (b *Bank) held(w http.ResponseWriter, r *http.Request) (Statement, bool) {
	for _, s := range b.statements() {
		if s.Account["uid"] == r.PathValue("uid") {
			return s, true
		}
	}
	b.give(w, Answer{Status: http.StatusNotFound, Text: "ACCOUNT_DOES_NOT_EXIST"})
	return Statement{}, false
}

func (b *Bank) heldRows(w http.ResponseWriter, r *http.Request) {
	s, ok := b.held(w, r)
	if !ok {
		return
	}
	query, does := r.URL.Query(), b.scenario.BankDoes
	key := query.Get("continuation_key")
	isTooLong := does.History != "" && query.Get("strategy") != "longest" &&
		query.Get("date_from") < resolveDay(b.today, strconv.Itoa(-does.HistoryDays), "")
	switch answer, replaced := s.PageAnswer[key]; {
	case s.Refused.Transactions != nil:
		b.give(w, *s.Refused.Transactions)
	case does.Refuses != "" && r.Header.Get(does.Refuses) != "":
		b.give(w, Answer{Status: http.StatusBadRequest, Text: "ASPSP_ERROR"})
	case replaced:
		b.give(w, answer)
	case isTooLong:
		b.give(w, Answer{Status: http.StatusUnprocessableEntity, Text: "WRONG_TRANSACTIONS_PERIOD"})
	default:
		page, ok := s.Pages.ByKey[key]
		if !ok {
			b.give(w, Answer{Status: http.StatusUnprocessableEntity, Text: "WRONG_CONTINUATION_KEY"})
			return
		}
		b.answer(w, http.StatusOK, page)
	}
}
