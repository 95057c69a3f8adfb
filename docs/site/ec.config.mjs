// How code looks. It is a file of its own because starlight-openapi drops what Starlight is given.
import { defineEcConfig } from "@astrojs/starlight/expressive-code";

export default defineEcConfig({
  themes: ["github-dark-default", "github-light-default"],
  removeUnusedThemes: false,
  defaultProps: { frame: "none", wrap: true },
  styleOverrides: {
    borderColor: "var(--sl-color-gray-5)",
    borderRadius: "0.5rem",
    codeBackground: "var(--sl-color-gray-6)",
    codeFontSize: "0.8125rem",
    codePaddingBlock: "0.65rem",
    frames: { frameBoxShadowCssValue: "none" },
  },
});
