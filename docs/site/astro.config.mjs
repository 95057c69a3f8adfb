import { defineConfig } from "astro/config";
import starlight from "@astrojs/starlight";
import openAPI, { openAPISidebarGroups } from "starlight-openapi";
import { sections } from "./pages.mjs";

const [start, ...others] = sections();

export default defineConfig({
  // The path and origin that the site is served at.
  base: process.env.DOCS_BASE || "/docs",
  site: process.env.DOCS_ORIGIN || undefined,
  // Nothing is kept between builds: a change of these files changes pages that have not changed.
  cacheDir: "./.cache",
  // All images are vector graphics.
  image: { service: { entrypoint: "astro/assets/services/noop" } },
  integrations: [
    starlight({
      title: "Aviso",
      description: "How to build against Aviso, run it, and change it.",
      favicon: "/favicon.svg",
      customCss: ["./src/styles/site.css"],
      components: {
        MarkdownContent: "./src/components/MarkdownContent.astro",
      },
      tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
      plugins: [
        openAPI([
          {
            base: "reference",
            schema: "./reference.json",
            sidebar: { label: "API reference", operations: { labels: "summary" } },
          },
        ]),
        {
          name: "aviso-sidebar",
          hooks: {
            "config:setup": ({ addRouteMiddleware }) => addRouteMiddleware({ entrypoint: "./src/sidebar.ts", order: "post" }),
          },
        },
      ],
      sidebar: [
        start,
        ...openAPISidebarGroups,
        { label: "Look up", items: ["events", "problems", "law", "changelog"] },
        ...others,
      ],
    }),
  ],
});
