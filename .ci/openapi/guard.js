// Sends nothing that lacks an ID, or has somebody else's: it would act on something else. replaceIn
// also reads the variables of an environment, in Bruno too.
const value = (name) => pm.variables.replaceIn("{{" + name + "}}");
const problem = (name) => {
  if (["", "{{" + name + "}}"].includes(value(name))) {
    return name + " is empty: " + (made[name] ? 'send "' + made[name] + '" first.' : "set it in the variables.");
  }
  const hidden = made[name] && value(name) !== pm.collectionVariables.get(name);
  return hidden ? name + " is not of this collection: remove it from your environment." : "";
};
const parts = pm.request.url.variables.filter((part) => part.value);
const address = pm.request.url.toString();
const sent = [
  address, ...parts.map((part) => part.value), JSON.stringify(pm.request.body),
  pm.request.headers.get("X-User-Id"), pm.request.headers.get("Cookie"),
].join("\n");
const path = pm.variables.replaceIn(address).replace(/^\w+:\/\/[^/]*/, "").split("?")[0];
const left = Array.from(path.matchAll(/\/:(\w+)/g), (match) => match[1]); // in Bruno all
const unset = left.some((name) => !parts.some((part) => [part.key, part.name].includes(name)));
let [first] = Array.from(sent.matchAll(/{{(\w+)}}/g), (match) => problem(match[1])).filter(Boolean);
if (unset || /\/\/|\/$/.test(path)) first ||= "The address has an empty part. Check baseUrl and the path's variables.";
if (first) {
  try {
    pm.request.url.update(""); // newman would send it nevertheless
  } catch {
    // Bruno does not.
  }
  throw new Error(first);
}
