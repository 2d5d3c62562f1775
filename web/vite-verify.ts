import { fileURLToPath } from "node:url"
import type { InlineConfig } from "vite"

const root = fileURLToPath(new URL(".", import.meta.url))

/** The page that checks receipts, and the worker that keeps it for when there is no network. Names stay: the worker lists them. */
export function verifyConfig(outDir: string): InlineConfig {
  return {
    root,
    configFile: false,
    publicDir: false,
    mode: "production",
    logLevel: "warn",
    build: {
      outDir,
      target: "es2022",
      modulePreload: false,
      reportCompressedSize: false,
      rolldownOptions: {
        checks: { bundlerTimings: false },
        input: { page: `${root}/src/verify/page.ts`, worker: `${root}/src/verify/worker.ts` },
        output: { entryFileNames: "[name].js", chunkFileNames: "[name].js" },
      },
    },
  }
}
