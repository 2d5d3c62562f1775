import {
  addScreenEndpoint,
  type CurrentScreenView,
  getCurrentScreenEndpoint,
  listScreensEndpoint,
  pairScreenEndpoint,
  removeScreenEndpoint,
  type ScreenView,
  screenStream,
  showOnScreenEndpoint,
} from "@tilinta/contract/screens"
import { screenEvent } from "@tilinta/contract/vocabulary/events"
import { reaisFromCents } from "@tilinta/contract/vocabulary/money"
import type { FastifyInstance, FastifyRequest } from "fastify"
import type { Logger } from "pino"
import type { Db } from "#db/transaction"
import type { Events } from "#events/events"
import { createStreamSlots, serveEventStreams } from "#http/event-streams"
import { limitAddresses } from "#http/rate-limits"
import { serveEndpoint } from "#http/serve-endpoint"
import { type Clock, secondsAfter } from "#kit/clock"
import { DomainError } from "#kit/errors"
import { networkOf } from "#kit/outside"
import { qrPng } from "#kit/qr-code"
import { actorOf, sellerOf } from "#people/sessions/caller"
import { readReceiver, readShop } from "#people/shops/reads"
import { toPublicShop } from "#people/shops/views"
import { findCharge } from "#selling/charges/find"
import { type Charge, chargeStatusAt } from "#selling/charges/rules"
import { addScreen, getScreen, pairScreen, removeScreen, showOnScreen } from "./pair.ts"
import { listScreens } from "./reads.ts"
import type { LiveScreen, Screen } from "./rules.ts"

interface Deps {
  db: Db
  clock: Clock
}

export function screenRoutes(app: FastifyInstance, deps: Deps): void {
  serveEndpoint(app, addScreenEndpoint, async ({ request }) => {
    const { code, ...screen } = await addScreen(deps, actorOf(request))
    return { screen: toScreenView(screen, code) }
  })

  serveEndpoint(app, listScreensEndpoint, async ({ request }) => {
    const screens = await listScreens(deps.db, sellerOf(request).id, deps.clock.now())
    return { screens: screens.map((screen) => toScreenView(screen, null)) }
  })

  serveEndpoint(app, showOnScreenEndpoint, async ({ params, body, request }) => {
    await showOnScreen(deps, { screenId: params.screenId, by: actorOf(request), chargeId: body.transactionId })
  })

  serveEndpoint(app, removeScreenEndpoint, async ({ params, request }) => {
    await removeScreen(deps, { screenId: params.screenId, by: actorOf(request) })
  })
}

function toScreenView({ id, createdBy, createdAt, pairedAt }: Screen, code: string | null): ScreenView {
  const moments = { createdAt: createdAt.toISOString(), pairedAt: pairedAt?.toISOString() ?? null }
  return { _id: id, code, createdBy, ...moments }
}

/** A person types a code once in months; a hundred thousand guesses a year meet no code of ten minutes. */
const perAddress = { burst: 10, perSecond: 1 / 60, keys: 20_000 }

export function pairingRoutes(scope: FastifyInstance, deps: Deps): void {
  limitAddresses(scope, deps, perAddress)
  serveEndpoint(scope, pairScreenEndpoint, async ({ body }) => ({ token: await pairScreen(deps, body.code) }))
}

type ScreenDeps = Deps & { payersUrl: string; events: Events; log: Logger }

export function currentScreenRoutes(app: FastifyInstance, deps: ScreenDeps): void {
  serveEndpoint(app, getCurrentScreenEndpoint, async ({ request }) => {
    return toCurrentView(deps, await getScreen(deps.db, tokenOf(request)))
  })
}

const STREAMS_PER_ADDRESS = 50
/** A shop that sells a thousand times a second has its screens read four times. */
const GATHER_MS = 250

/** Sends what the screen shows at once, and again when it changes. It ends with the screen. */
export async function screenStreamRoutes(app: FastifyInstance, deps: ScreenDeps): Promise<void> {
  const streams = serveEventStreams(app)
  const places = createStreamSlots(STREAMS_PER_ADDRESS)
  app.get(screenStream.path, { exposeHeadRoute: false }, async (request, reply) => {
    const token = tokenOf(request)
    const { shopId, createdById } = await getScreen(deps.db, token)
    const leave = places.take(networkOf(request.ip))
    const stops: (() => void)[] = [leave]
    const stream = streams.open(reply, () => {
      for (const stop of stops) stop()
    })
    if (reply.raw.destroyed) return
    let sent = ""
    async function send(): Promise<void> {
      try {
        const view = await toCurrentView(deps, await getScreen(deps.db, token))
        const text = JSON.stringify(view)
        if (text !== sent) stream.send(screenEvent, view)
        sent = text
      } catch (error) {
        if (!(error instanceof DomainError)) deps.log.warn({ err: error }, "a screen's stream missed an event")
        else if (error.code === "screen_not_found") stream.close()
      }
    }
    const change = gathered(send)
    stops.push(change.stop, deps.events.onSeller(shopId, change.add))
    for (const id of new Set([shopId, createdById])) stops.push(deps.events.onSessionsOf(id, change.add))
    change.add()
  })
}

/** Runs the work once for all changes of a moment, one run after the other. */
function gathered(work: () => Promise<void>) {
  let timer: NodeJS.Timeout | null = null
  let isRunning = false
  let isMore = false
  async function run(): Promise<void> {
    timer = null
    isRunning = true
    isMore = false
    await work()
    isRunning = false
    if (isMore) add()
  }
  function add(): void {
    if (isRunning) isMore = true
    else timer ??= setTimeout(() => void run(), GATHER_MS)
  }
  return { add, stop: () => clearTimeout(timer ?? undefined) }
}

function tokenOf({ headers }: FastifyRequest): unknown {
  return headers["x-screen"]
}

const PAID_SECONDS = 60

/** The device stands before a stranger: it learns nothing beyond this. */
async function toCurrentView(
  { db, clock, payersUrl }: ScreenDeps,
  { shopId, chargeId }: LiveScreen,
): Promise<CurrentScreenView> {
  const [shop, receiver, charge] = await Promise.all([
    readShop(db, shopId),
    readReceiver(db, { sellerId: shopId, paidAt: null }),
    chargeId === null ? null : findCharge(db, chargeId),
  ])
  const { color, logoUrl } = toPublicShop(shop, payersUrl)
  return {
    shop: { name: receiver.name, color, ...(logoUrl !== undefined && { logoUrl }) },
    sale: charge === null ? null : toSaleView(charge, clock.now()),
  }
}

function toSaleView(charge: Charge, now: Date): CurrentScreenView["sale"] {
  const { amountCents, pixCode, paidAt, expiresAt } = charge
  const status = chargeStatusAt(charge, now)
  const isPaid = status === "paid" && paidAt !== null && secondsAfter(paidAt, PAID_SECONDS) > now
  if (pixCode === null || !(status === "pending" || isPaid)) return null
  return {
    amount: reaisFromCents(amountCents),
    pixCode,
    pixQrCodeBase64: qrPng(pixCode).toString("base64"),
    status: isPaid ? "pago" : "pendente",
    expiresAt: expiresAt.toISOString(),
  }
}
