import type { Page } from "@playwright/test"

interface VirtualAuthenticator {
  /** Whether it answers without a touch. */
  answers(automatically: boolean): Promise<void>
  /** Whether it recognises who touches it. */
  recognises(person: boolean): Promise<void>
  credentials(): Promise<number>
}

/** A phone's own authenticator, as Chromium plays it: it keeps passkeys and recognises its owner. */
export async function addAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send("WebAuthn.enable")
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    async answers(enabled) {
      await devtools.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled })
    },
    async recognises(isUserVerified) {
      await devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified })
    },
    async credentials() {
      return (await devtools.send("WebAuthn.getCredentials", { authenticatorId })).credentials.length
    },
  }
}
