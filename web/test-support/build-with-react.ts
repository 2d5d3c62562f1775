import { build, type InlineConfig, mergeConfig } from "vite"
import { checkoutClientConfig, checkoutRendererConfig } from "../vite-checkout.ts"

/** Builds without aliases. React's development build reports where the browser's page differs from the server's. */
const withReact: InlineConfig = {
  define: { "process.env.NODE_ENV": '"development"' },
  build: { minify: false, rolldownOptions: { checks: { bundlerTimings: false } } },
}

export async function buildWithReact(folder: string): Promise<void> {
  const configs = [
    checkoutClientConfig(folder, "client", {}),
    checkoutClientConfig(folder, "choosing", {}),
    checkoutRendererConfig(folder, {}),
  ]
  await Promise.all(configs.map((config) => build(mergeConfig(config, withReact))))
}
