import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { prepareChromium } from "../../tools/find-chromium.ts"
import { isBuildFresh } from "../../web/build-stamp.ts"
import { createInstallation } from "./installation.ts"
import { serverUrlVariable } from "./server-url.ts"

const buildScript = fileURLToPath(new URL("../../web/build.ts", import.meta.url))

/** One server for all tests; each test brings its own seller, so they don't disturb each other. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  await prepareChromium()
  if (!isBuildFresh()) await promisify(execFile)(process.execPath, [buildScript])
  const installation = await createInstallation({ PIX_DUE_CHARGES: "sim" })
  try {
    await installation.start()
  } catch (error) {
    await installation.remove()
    throw error
  }
  process.env[serverUrlVariable] = installation.url
  return installation.remove
}
