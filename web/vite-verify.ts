import { fileURLToPath } from "node:url"
import type { InlineConfig } from "vite"

const root = fileURLToPath(new URL(".", import.meta.url))

/** The pages that check receipts and statements, and the worker that keeps them for when there is no network. Names stay: the worker lists them. */
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
        input: Object.fromEntries(
          ["page", "statement", "worker"].map((name) => [name, `${root}/src/verify/${name}.ts`]),
        ),
        output: { entryFileNames: "[name].js", chunkFileNames: "[name].js" },
      },
    },
  }
}
