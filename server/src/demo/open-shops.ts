import { slugFromTitle } from "@tilinta/contract/vocabulary/charge-pages"
import { centsFromReais } from "@tilinta/contract/vocabulary/money"
import { noPayerFlags } from "@tilinta/contract/vocabulary/payer-data"
import { secondsAfter } from "#kit/clock"
import { removeDueCharges } from "#money/payments/book"
import { changeLogo, changeShop } from "#people/shops/change"
import { signUp } from "#people/users/sign-up"
import { updateProfile } from "#people/users/update-profile"
import type { Actor } from "#platform/audit/rules"
import { expireChargePages } from "#selling/charge-pages/change"
import { type ChargePageInput, createChargePage } from "#selling/charge-pages/create"
import type { ChargePage } from "#selling/charge-pages/rules"
import { cancelChargePage, deleteChargePage, updateChargePage } from "#selling/closings/closings"
import { changeReminderSettings } from "#selling/reminders/settings"
import { debitMonthly } from "./automatic.ts"
import { drawLogo } from "./draw-logo.ts"
import { chargeMonthly } from "./invoices.ts"
import type { DemoOrders, DemoPage, DemoSeller, DemoShop } from "./sellers.ts"
import {
  cpfOf,
  daysBefore,
  minutesAfter,
  noSecrets,
  type Shop,
  type ShopPage,
  type Story,
  unlessRefused,
} from "./story.ts"
import { offerPlan } from "./subscriptions.ts"
import { askForPix, sell } from "./trade.ts"

const dayMinutes = 24 * 60
const payerFields = {
  nothing: { allowAnonymous: true },
  name: { allowAnonymous: false, ...noPayerFlags, requireName: true },
  contact: { allowAnonymous: false, ...noPayerFlags, requireName: true, requireEmail: true, requirePhone: true },
  everything: { allowAnonymous: false },
} as const

export function emailOf({ mailbox }: DemoSeller): string {
  return `${mailbox}.example`
}

/** Registers a seller, fills in the profile and creates pages. */
export async function openShop(story: Story, seller: DemoSeller): Promise<Shop> {
  const { deps, luck, password } = story
  const [city, state, areaCode, zipCode] = seller.city
  const [street, number, neighborhood] = seller.street
  const digits = (count: number) => Array.from({ length: count }, () => luck.between(1, 9)).join("")
  const cpf = cpfOf(digits(9))
  const phone = `${areaCode}9${digits(8)}`
  const email = emailOf(seller)
  const { user } = await signUp(
    { ...deps, protection: "relaxed", secretKeys: noSecrets, isSandbox: true },
    {
      form: {
        name: seller.name,
        email,
        password,
        passwordConfirm: password,
        cpf,
        phone,
        address: { street, number, complement: "", neighborhood, city, state, zipCode },
      },
      origin: { address: `203.0.113.${luck.between(1, 250)}`, userAgent: "" },
      idempotencyKey: null,
    },
  )
  const actor = { id: user.id, address: null }
  const pixKey = { "pix-cpf": cpf, "pix-email": email, "pix-phone": `+55${phone}`, bank_transfer: "" }[seller.isPaidBy]
  const account = `${digits(6)}-${digits(1)}`
  const bankAccount = { bank: seller.bank, agency: digits(4), account, accountType: "corrente", pixKey } as const
  await updateProfile(deps, actor, { bankAccount })

  if (seller.shop !== undefined) await introduce(story, { actor, contact: { whatsapp: phone, email } }, seller.shop)

  const shop: Shop = { seller, actor, pages: [], orders: 0 }
  for (const page of seller.pages) await offer(story, shop, page)
  if (seller.orders !== undefined) takeOrders(story, shop, seller.orders)
  if (seller.monthly !== undefined) {
    await changeReminderSettings(story.deps, { seller: actor, changes: { enabled: true } })
    chargeMonthly(story, shop, seller.monthly)
  }
  if (seller.plan !== undefined) offerPlan(story, shop, seller.plan)
  if (seller.automatic !== undefined) debitMonthly(story, shop, seller.automatic)
  return shop
}

interface Owner {
  actor: Actor
  contact: { whatsapp: string; email: string }
}

async function introduce({ deps }: Story, { actor, contact }: Owner, { hasLogo, ...shop }: DemoShop): Promise<void> {
  await changeShop(deps, actor, { ...shop, ...contact })
  if (hasLogo) await changeLogo(deps, actor, drawLogo())
}

async function offer(story: Story, shop: Shop, offered: DemoPage): Promise<void> {
  const { title, description, reais, asks, places, perWeek, fate } = offered
  const page = await createPage(story, shop, {
    title,
    description,
    amountCents: centsFromReais(reais),
    payerData: payerFields[asks],
    expiresInHours: 0,
    maxPayments: places ?? null,
  })
  const sold: ShopPage = { id: page.id, asks }
  shop.pages.push(sold)
  forEachVisit(story, perWeek, () => sell(story, shop, sold))
  if (fate !== undefined) {
    const at = daysBefore(story, fate.daysBefore)
    // A payer still holds an unpaid code when the page ends or changes its amount.
    story.agenda.plan(minutesAfter(at, -9), async () => void (await askForPix(story, shop, sold)))
    story.agenda.plan(at, () => meetFate(story, shop, { id: page.id, what: fate.what }))
  }
}

type Fate = NonNullable<DemoPage["fate"]>["what"]

async function meetFate({ deps }: Story, { actor }: Shop, { id, what }: { id: string; what: Fate }): Promise<void> {
  const which = { id, sellerId: actor.id }
  if (what === "cancelled") await unlessRefused(cancelChargePage(deps, which))
  else if (what === "deleted") await deleteChargePage(deps, which)
  else
    await updateChargePage(
      { ...deps, protection: "relaxed" },
      { ...which, changes: { amountCents: centsFromReais(what.newReais) } },
    )
  await removeDueCharges(deps)
}

/** Each order has a page of its own, which one payment completes, or which expires or is cancelled. */
function takeOrders(story: Story, shop: Shop, orders: DemoOrders): void {
  const { luck, agenda, deps } = story
  forEachVisit(story, orders.perWeek, async () => {
    const page = await createOrderPage(story, shop, orders)
    if (luck.isTrue(0.06)) {
      agenda.plan(minutesAfter(page.createdAt, luck.between(60, 900)), async () => {
        await unlessRefused(cancelChargePage(deps, { id: page.id, sellerId: shop.actor.id }))
        await removeDueCharges(deps)
      })
    } else if (luck.isTrue(0.85)) {
      const sold: ShopPage = { id: page.id, asks: "contact" }
      agenda.plan(minutesAfter(page.createdAt, luck.between(15, 400)), () => sell(story, shop, sold))
    }
  })
}

export async function createOrderPage(story: Story, shop: Shop, orders: DemoOrders): Promise<ChargePage> {
  const { luck, agenda, deps } = story
  const [least, most] = orders.reais
  shop.orders += 1
  const page = await createPage(story, shop, {
    title: `Pedido ${shop.orders}: ${luck.pick(orders.titles)}`,
    description: orders.description,
    amountCents: centsFromReais(luck.between(least / 5, most / 5) * 5),
    payerData: payerFields.contact,
    expiresInHours: orders.expiresInHours,
    maxPayments: 1,
  })
  if (page.expiresAt !== null) agenda.plan(secondsAfter(page.expiresAt, 1), () => expireChargePages(deps))
  return page
}

type PageInput = Omit<ChargePageInput, "sellerId" | "slug" | "idempotencyKey">

async function createPage({ deps }: Story, { actor }: Shop, input: PageInput): Promise<ChargePage> {
  const slug = slugFromTitle(input.title)
  return createChargePage(
    { ...deps, protection: "relaxed" },
    { ...input, slug, sellerId: actor.id, idempotencyKey: null },
  )
}

/** Plans visits at usual shopping hours until the end, more often as the months pass. */
function forEachVisit({ agenda, luck, start, end }: Story, perWeek: number, visit: () => Promise<void>): void {
  const now = agenda.clock.now()
  const days = (end.getTime() - start.getTime()) / (dayMinutes * 60_000)
  for (let day = 0; day <= days; day += 1) {
    const isSunday = minutesAfter(start, day * dayMinutes + 720).getUTCDay() === 0
    const expected = (perWeek / 7) * (0.75 + (day / days) * 0.5) * (isSunday ? 0.5 : 1.1)
    const count = Math.floor(expected) + (luck.isTrue(expected % 1) ? 1 : 0)
    for (let each = 0; each < count; each += 1) {
      const at = minutesAfter(start, day * dayMinutes + luck.between(8 * 60, 15 * 60) + luck.between(0, 7 * 60))
      if (at > now) agenda.plan(at, visit)
    }
  }
}
