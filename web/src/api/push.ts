import * as heads from "@tilinta/contract/heads"
import type { PushSubscriptionView } from "@tilinta/contract/push"
import type { UserView } from "@tilinta/contract/users"
import { managers, type ShopRole } from "@tilinta/contract/vocabulary/team"
import { mayAs } from "./acting-shop.ts"
import { call } from "./client.ts"

/** False in browsers without push, as on an iPhone before the app is on its home screen, and without https. */
export function canPush(): boolean {
  return "serviceWorker" in navigator && "PushManager" in window && "Notification" in window
}

async function ownSubscription(): Promise<PushSubscription | null> {
  const worker = await navigator.serviceWorker.ready
  return worker.pushManager.getSubscription()
}

const hidingKey = "push-hides-amounts"

/** The subscription ends with its session; what the person chose for this device stays. */
function storedHiding(): boolean | undefined {
  try {
    return localStorage.getItem(hidingKey) === "true" || undefined
  } catch {
    return undefined
  }
}

function storeHiding(hideAmounts: boolean): void {
  try {
    localStorage.setItem(hidingKey, String(hideAmounts))
  } catch {
    // It lasts as long as the session.
  }
}

/** Asks the person, the first time. @throws NotAllowedError where the browser refuses */
export async function subscribe(hideAmounts: boolean): Promise<PushSubscriptionView> {
  const worker = await navigator.serviceWorker.ready
  const { key: applicationServerKey } = (await call(heads.getPushKey)).data
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
  storeHiding(hideAmounts)
  return save(subscription, hideAmounts)
}

async function save(subscription: PushSubscription, hideAmounts: boolean | undefined): Promise<PushSubscriptionView> {
  const { endpoint = "", keys = {} } = subscription.toJSON()
  const { p256dh = "", auth = "" } = keys
  const body = { endpoint, keys: { p256dh, auth }, ...(hideAmounts !== undefined && { hideAmounts }) }
  return (await call(heads.savePushSubscription, { body })).data.subscription
}

export async function unsubscribe({ _id, isCurrent }: PushSubscriptionView): Promise<void> {
  if (isCurrent) await (await ownSubscription())?.unsubscribe()
  await call(heads.endPushSubscription, { params: { id: _id } })
}

/** Gives a browser that was subscribed in an ended session to the present one. */
export async function keepSubscribed(): Promise<void> {
  if (!canPush()) return
  const known = await ownSubscription()
  if (known !== null) await save(known, storedHiding())
}

/** Names the notices that a device shows of the shop: a cashier and an accountant get none. */
export function pushedTo({ role }: Pick<UserView, "role">, shopRole: ShopRole): string {
  if (role === "admin") return "Ações que esperam a sua segunda aprovação, na hora."
  if (mayAs(shopRole, managers)) {
    return "Pagamentos, saques, contestações, cobranças vencidas e pedidos de estorno, na hora."
  }
  return "Pagamentos, saques e contestações desta loja são avisados só a donos e gerentes."
}
