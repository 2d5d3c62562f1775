import { afterAll, expect, test } from "vitest"
import { createLog } from "#kit/log"
import { newSecretKeyText, parseSecretKeys } from "#kit/secrets"
import { holdOrderKeys } from "#platform/order-macs/macs"
import { resealEverything } from "#start/secrets-file"
import { openForgery } from "../../test-support/forgery.ts"
import { secretKeys } from "../../test-support/secret-keys.ts"

const forgery = await openForgery()
const { plan, chief, deputy, by, forge, now } = forgery
const victim = await forgery.newVictim()

afterAll(() => plan.close())

const ownerOf = async (id: string) => (await forgery.shown(id)).owner as string

test.each(["confirmed_by_person", "confirmed_by_bank"])(
  "%s, written into the row alone, is nobody's word",
  async (owner) => {
    const id = await forgery.asked(victim, 10, { paymentMethod: "pix", pixKey: `${owner}@dest.example` })
    await forge(`update destinations set owner = '${owner}', owner_reason = 'Conferido', owner_said_by = '${chief.id}',
    owner_said_at = ${now()} where pix_key = '${owner}@dest.example'`)
    expect(await ownerOf(id)).toBe("unknown")
  },
)

test("two administrators' word counts, also after a rotation, and of no other destination or holder", async () => {
  const [id, another] = [
    await forgery.asked(victim, 10),
    await forgery.asked(victim, 10, { paymentMethod: "pix", pixKey: "eva@dest.example" }),
  ]
  const { destinationId } = await forgery.shown(id)
  const word = { owner: "confirmed_by_person", reason: "Conferido por telefone" }
  for (const admin of [chief, deputy])
    await by(admin, "PATCH", `users/${victim.id}/destinations/${destinationId}`, word)
  expect(await ownerOf(id)).toBe("confirmed_by_person")
  await forge(`update destinations other set owner = said.owner, owner_reason = said.owner_reason, owner_mac = said.owner_mac,
    owner_said_by = said.owner_said_by, owner_said_at = said.owner_said_at
    from destinations said where said.id = '${destinationId}' and other.pix_key = 'eva@dest.example'`)
  expect(await ownerOf(another)).toBe("unknown")

  const next = parseSecretKeys(newSecretKeyText())
  if (next === null) throw new Error("a new key can be read")
  const rotation = { ...plan, secretKeys: () => [...next, ...secretKeys()] as const }
  expect(await resealEverything(rotation)).toBeGreaterThan(0)
  expect(await resealEverything(rotation)).toBe(0)
  holdOrderKeys({ secretKeys: () => next, log: createLog("silent") })
  try {
    expect([await ownerOf(id), await ownerOf(another)]).toEqual(["confirmed_by_person", "unknown"])
    await forge(`update destinations set owner = 'confirmed_by_bank' where id = '${destinationId}'`)
    expect(await ownerOf(id)).toBe("unknown")
  } finally {
    holdOrderKeys({ secretKeys, log: createLog("silent") })
  }
})
