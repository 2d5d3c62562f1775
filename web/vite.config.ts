import { fileURLToPath } from "node:url"
import tailwindcss from "@tailwindcss/vite"
import react from "@vitejs/plugin-react"
import { defineConfig, type Plugin } from "vite"

/** The fallback for browsers without `@property`, which can't show the rest of Tailwind 4 either. */
const propertyFallback = /@layer properties\{@supports[^{]+\{[^{]+\{[^}]*\}\}\}/

const withoutPropertyFallback: Plugin = {
  name: "without-property-fallback",
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== "asset" || !file.fileName.endsWith(".css")) continue
      file.source = file.source.toString().replace(propertyFallback, "")
    }
  },
}

/** Packages, and the files that every screen needs, which come with the first file. */
const start =
  /node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|@tanstack\/(?:history|react-router(?!\/dist\/esm\/useBlocker)|react-store|router-core|store))\/|\/contract\/src\/(?:heads|define-endpoint|vocabulary\/team)\.ts$|\/web\/src\/(?:api\/(?:acting-shop|api-error|client|session|session-token)|app\/(?:places|router|screen-states)|format\/days|ui\/(?:button|icon|lazy-part|toaster))\.tsx?$/

/** Parts of the design system and of `format` that the first screen after the login shares with all others. */
const kit = new RegExp(
  `/contract/src/vocabulary/money\\.ts$|/web/src/(?:ui/(?:${[
    ...["amounts", "badge", "browser-hooks", "card", "copy-button", "copy-text", "data-table", "menu", "segments"],
  ].join("|")})|format/(?:dates|money-text))\\.tsx?$`,
)

/** The frame of the signed-in app and the dashboard's parts: one file, since they are always fetched together. */
const dashboard = new RegExp(
  `/web/src/(?:${[
    "app/(?:session-gate|shell|sidebar|top-bar|palette/search-button)",
    "parts/transactions/recent-transactions",
    "seller/(?:dashboard|fee|live|sales-chart)/.*",
    "seller/charge-page-parts/charge-pages-data",
    "seller/transactions/(?:transaction-title|transactions-data)",
    "seller/seller-(?:data|texts)",
    "ui/(?:bar-chart|plot)",
  ].join("|")})\\.tsx?$`,
)

/** Words of which the first screens take constants alone, which are inlined: without this the texts would come along. */
const words = /\/contract\/src\/vocabulary\/(?:api|events)\.ts$/

/** The fields of the login, and how a form is sent: most forms have them too. */
const form = /\/web\/src\/ui\/(?:field|use-submit)\.tsx?$/

/** The frame of all screens in front of the login. */
const door = /\/web\/src\/(?:app\/public-pages|auth\/auth-parts|ui\/form-page)\.tsx?$/

/** The login asks for a passkey by itself. */
const passkeys = /\/web\/src\/(?:api\/passkeys|auth\/login\/passkey-login)\.ts$/

/** Shared parts of the lists, and of their dialogs: fewer files, of whose names the first one lists fewer. */
const list =
  /\/web\/src\/(?:api\/download|ui\/(?:export-button|list-filters|list-screen|period-filter|table-columns))\.tsx?$/
const details = /\/web\/src\/ui\/(?:dialog|facts|masked-inputs|steps|switch)\.tsx$/

/** The seller's and admin's app. The checkout has builds of its own, in `build.ts`. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "/",
  // React has the hook that this package brings for older ones.
  resolve: { alias: { "use-sync-external-store/shim/with-selector": "use-sync-external-store/with-selector" } },
  plugins: [react(), tailwindcss(), withoutPropertyFallback],
  build: {
    rolldownOptions: {
      checks: { bundlerTimings: false },
      // The heads of endpoints go to the screens that call them.
      optimization: { inlineConst: { mode: "all", pass: 1 } },
      // The first file lists all others: without names, and with seven characters of a hash, the list stays short.
      output: {
        chunkFileNames: "assets/[hash:7].js",
        entryFileNames: "assets/[name]-[hash:7].js",
        codeSplitting: {
          groups: [
            { name: "start", test: start, priority: 4 },
            { name: "query", test: /node_modules\/@tanstack\/(?:query-core|react-query)\//, priority: 3 },
            { name: "kit", test: kit, priority: 2 },
            { name: "dashboard", test: dashboard, priority: 1 },
            { name: "form", test: form, priority: 3 },
            { name: "words", test: words, priority: 5 },
            { name: "door", test: door, priority: 1 },
            { name: "passkeys", test: passkeys, priority: 1 },
            { name: "list", test: list },
            { name: "details", test: details },
          ],
        },
      },
    },
    sourcemap: false,
    assetsDir: "assets",
    // Browsers that support the rest of our code preload modules natively, or fetch them a moment later.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { "/api": "http://localhost:3000", "^/checkout/": "http://localhost:3000" } },
})
