import { fileURLToPath } from "node:url"
import type { InlineConfig } from "vite"
import { leanPreact } from "./lean-preact.ts"

const root = fileURLToPath(new URL(".", import.meta.url))
const shared: InlineConfig = { root, configFile: false, publicDir: false, mode: "production", logLevel: "warn" }

/** Payers come with old phones: the syntax is that of 2020, the colours are hexadecimal. */
const payerSyntax = "es2020"
const payerBrowsers = ["chrome100", "safari15", "firefox100"]

/** One script, which the server inlines into the page. */
export function checkoutClientConfig(outDir: string): InlineConfig {
  return {
    ...shared,
    plugins: [leanPreact],
    build: {
      outDir,
      emptyOutDir: false,
      target: payerSyntax,
      reportCompressedSize: false,
      modulePreload: false,
      lib: {
        entry: `${root}/src/checkout/client.tsx`,
        formats: ["iife"],
        name: "checkout",
        fileName: () => "client.js",
      },
    },
  }
}

/** The same components for Node, with all their imports bundled, and the styles as text. */
export function checkoutRendererConfig(outDir: string): InlineConfig {
  return {
    ...shared,
    ssr: { noExternal: true, target: "node" },
    build: {
      outDir,
      emptyOutDir: false,
      ssr: `${root}/src/checkout/render.ts`,
      target: "node24",
      minify: false,
      cssMinify: true,
      cssTarget: payerBrowsers,
      rolldownOptions: { output: { entryFileNames: "render.js", format: "es", codeSplitting: false } },
    },
  }
}
