package console

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"aviso/internal/notification"
	"aviso/internal/owner"
)

// catchUp are the calls that return what one user's lost events would have said.
type catchUp struct {
	User  owner.UserID
	Paths []string
}

var (
	readPattern = regexp.MustCompile(`GET (/[\w/{}.-]*\w}?)`)
	partPattern = regexp.MustCompile(`\{(\w+)\}`)
)

// catchUps returns the calls for each user with lost events, which are newest first. Where an event has the ID of its
// object, only that is read.
func catchUps(lost []lostEvent) (all []catchUp) {
	at := map[owner.UserID]int{}
	for _, e := range slices.Backward(lost) {
		user := e.Event.User
		if e.IsSimulated || user == "" {
			continue
		}
		path := pathOf(e)
		if path == "" {
			continue
		}
		i, known := at[user]
		if !known {
			i = len(all)
			at[user] = i
			all = append(all, catchUp{User: user})
		}
		covers := func(other string) bool { // the first token of a user returns all later changes, too
			return other == path || strings.Contains(path, "?since=") && strings.Contains(other, "?since=")
		}
		if !slices.ContainsFunc(all[i].Paths, covers) {
			all[i].Paths = append(all[i].Paths, path)
		}
	}
	return all
}

// pathOf returns the call that replaces an event, with what the event says in it, or "" if there is none.
func pathOf(e lostEvent) string {
	found := readPattern.FindStringSubmatch(missed(e.EventType))
	if found == nil {
		return ""
	}
	var data map[string]any
	_ = json.Unmarshal([]byte(e.Data), &data) // without data, the path stays as it is
	path := partPattern.ReplaceAllStringFunc(found[1], func(part string) string {
		if id, ok := data[strings.Trim(part, "{}")].(string); ok {
			return id
		}
		return part
	})
	for _, list := range []struct{ end, id string }{
		{"/connections", "connectionId"}, {"/cancellations", "cancellationId"},
	} {
		if id, ok := data[list.id].(string); ok && strings.HasSuffix(path, list.end) {
			return path + "/" + id
		}
	}
	if since, ok := data["since"].(string); ok && strings.HasSuffix(path, "/changes") {
		return path + "?since=" + since
	}
	return path
}

// command is one command that makes all of a user's calls.
func (u catchUp) command(origin string) string {
	lines := []string{`curl -s -H "Authorization: Bearer $TOKEN" -H 'X-User-Id: ` + string(u.User) + "'"}
	for _, path := range u.Paths {
		lines = append(lines, quoted(origin+path))
	}
	return strings.Join(lines, " \\\n  ")
}

// maxCommands is the maximum number of users on the page of an outage. The CSV file has all.
const maxCommands = 20

// catchUpBlock is a text to paste: a command for each user.
func (c *Console) catchUpBlock(call *Call, all []catchUp) *Block {
	if len(all) == 0 {
		return nil
	}
	var commands []string
	for _, u := range all[:min(len(all), maxCommands)] {
		commands = append(commands, u.command(c.origin(call.Request)))
	}
	label := "One command per user"
	if len(all) > maxCommands {
		label += ", for the first " + countOf(maxCommands, "user", "users") + "; the CSV file has all"
	}
	return &Block{label, strings.Join(commands, "\n\n")}
}

func (c *Console) saveCatchUp(call *Call, sub notification.Subscription) (Answer, error) {
	_, lost, err := c.outage(call, sub)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	_ = w.Write([]string{"userId", "method", "url"})
	for _, u := range catchUps(lost) {
		for _, path := range u.Paths {
			_ = w.Write([]string{string(u.User), "GET", c.origin(call.Request) + path})
		}
	}
	w.Flush()
	return File{Type: "text/csv; charset=utf-8", Content: b.Bytes(), Name: "catch-up.csv", Save: true}, w.Error()
}
