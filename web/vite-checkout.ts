import { fileURLToPath } from "node:url"
import type { InlineConfig } from "vite"

/** The module that answers each import of the checkout's runtime. */
export type CheckoutRuntime = Record<string, string>

const root = fileURLToPath(new URL(".", import.meta.url))
const shared: InlineConfig = { root, configFile: false, publicDir: false, mode: "production", logLevel: "warn" }

/** The checkout is written for React. This answers its imports with Preact as published; without it React itself does. */
const payerRuntime: CheckoutRuntime = {
  "react-dom/server": fileURLToPath(import.meta.resolve("preact-render-to-string")),
  "react-dom/client": fileURLToPath(import.meta.resolve("./preact-dom.ts")),
  "react-dom": fileURLToPath(import.meta.resolve("./preact-dom.ts")),
  "react/jsx-runtime": fileURLToPath(import.meta.resolve("preact/jsx-runtime")),
  react: fileURLToPath(import.meta.resolve("preact/hooks")),
}

/** Payers come with old phones: the syntax is that of 2020, the colours are hexadecimal. */
const payerSyntax = "es2020"
const payerBrowsers = ["chrome100", "safari15", "firefox100"]

/** `choosing` for the pages whose payers choose the amount, whose script is larger. */
type Script = "client" | "choosing"

/** One script, which the server inlines into the page. */
export function checkoutClientConfig(outDir: string, name: Script = "client", runtime = payerRuntime): InlineConfig {
  return {
    ...shared,
    define: { FIXED_AMOUNT: String(name === "client") },
    resolve: { alias: runtime },
    build: {
      outDir,
      emptyOutDir: false,
      target: payerSyntax,
      minify: "terser",
      terserOptions: { ecma: 2020, compress: { passes: 2, pure_getters: true } },
      reportCompressedSize: false,
      modulePreload: false,
      rolldownOptions: { checks: { bundlerTimings: false } },
      lib: {
        entry: `${root}/src/checkout/client.tsx`,
        formats: ["iife"],
        name: "checkout",
        fileName: () => `${name}.js`,
      },
    },
  }
}

/** The same components for Node, with all their imports bundled, and the styles as text. */
export function checkoutRendererConfig(outDir: string, runtime = payerRuntime): InlineConfig {
  return {
    ...shared,
    resolve: { alias: runtime },
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
