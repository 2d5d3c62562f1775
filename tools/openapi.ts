import { describeApi } from "../server/src/http/openapi.ts"

/** The document of an installation under its usual name, for comparing and for generating types. */
export function presentApi(): object {
  return describeApi({ name: "Tilinta", publicUrl: "https://pix.exemplo.com.br", isSandbox: false })
}

export const releasedApiFile = new URL("../docs/openapi.json", import.meta.url)
