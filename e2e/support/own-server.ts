import { admin, logIn } from "./api.ts"
import { createInstallation, type Installation } from "./installation.ts"
import { test } from "./journey.ts"

interface OwnServer {
  /** Workers are shared by tests that agree on it. A test of sums over everybody names itself, so that its server is untouched. */
  serverFor: string
  installation: Installation
}

/** For tests that would disturb others: a server that stops, a bank that fails. */
export const ownServerTest = test.extend<object, OwnServer>({
  serverFor: ["all", { scope: "worker", option: true }],
  installation: [
    async ({}, use) => {
      const installation = await createInstallation()
      try {
        await installation.start()
        await use(installation)
      } finally {
        await installation.remove()
      }
    },
    { scope: "worker", timeout: 90_000 },
  ],
  baseURL: async ({ installation }, use) => use(installation.url),
})

/** The admin's own browser, with an open session. */
export const adminTest = ownServerTest.extend({
  storageState: async ({ request, baseURL }, use) => {
    const localStorage = [{ name: "token", value: await logIn(request, admin) }]
    await use({ cookies: [], origins: [{ origin: baseURL ?? "", localStorage }] })
  },
})
