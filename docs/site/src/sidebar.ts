// starlight-openapi calls the group of callbacks Webhooks, like the tag of the operations on
// subscriptions.
import { defineRouteMiddleware, type StarlightRouteData } from "@astrojs/starlight/route-data";

type Entry = StarlightRouteData["sidebar"][number];

const isCallback = (entry: Entry) => entry.type === "link" && entry.href.includes("/reference/webhooks/");

function rename(entries: Entry[]) {
  for (const entry of entries) {
    if (entry.type !== "group") continue;
    if (entry.entries.some(isCallback)) entry.label = "Callbacks";
    rename(entry.entries);
  }
}

export const onRequest = defineRouteMiddleware(({ locals }) => rename(locals.starlightRoute.sidebar));
