import * as heads from "@tilinta/contract/heads"
import type { PushSubscriptionView } from "@tilinta/contract/push"
import { call } from "./client.ts"

/** False in browsers without push, as on an iPhone before the app is on its home screen, and without https. */
export function canPush(): boolean {
  return "serviceWorker" in navigator && "PushManager" in window && "Notification" in window
}

async function ownSubscription(): Promise<PushSubscription | null> {
  const worker = await navigator.serviceWorker.ready
  return worker.pushManager.getSubscription()
}

/** Asks the person, the first time. @throws NotAllowedError where the browser refuses */
export async function subscribe(hideAmounts: boolean): Promise<PushSubscriptionView> {
  const worker = await navigator.serviceWorker.ready
  const { key: applicationServerKey } = (await call(heads.getPushKey)).data
  return save(await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }), hideAmounts)
}

async function save(subscription: PushSubscription, hideAmounts?: boolean): Promise<PushSubscriptionView> {
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
  if (known !== null) await save(known)
}
