import { admin, logIn } from "./api.ts"
import { createInstallation, type Installation } from "./installation.ts"
import { test } from "./journey.ts"

interface OwnServer {
  /** Workers are shared by tests that agree on it. A test of sums over everybody names itself, so that its server is untouched. */
  serverFor: string
  installation: Installation
}

/** Fixtures of a worker may start servers. */
export const forWorker = { scope: "worker", timeout: 300_000 } as const

/** A server with these variables, which is gone afterwards. */
export function installationWith(env: Record<string, string> = {}) {
  return async ({}, use: (installation: Installation) => Promise<void>): Promise<void> => {
    const installation = await createInstallation(env)
    try {
      await installation.start()
      await use(installation)
    } finally {
      await installation.remove()
    }
  }
}

/** For tests that would disturb others: a server that stops, a bank that fails. */
export const ownServerTest = test.extend<object, OwnServer>({
  serverFor: ["all", { scope: "worker", option: true }],
  installation: [installationWith(), forWorker],
  baseURL: async ({ installation }, use) => use(installation.url),
})

/** The admin's own browser, with an open session. */
export const adminTest = ownServerTest.extend({
  storageState: async ({ request, baseURL }, use) => {
    const localStorage = [{ name: "token", value: await logIn(request, admin) }]
    await use({ cookies: [], origins: [{ origin: baseURL ?? "", localStorage }] })
  },
})
