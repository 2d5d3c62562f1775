import type { UserView } from "@tilinta/contract/users"
import { expect, test, vi } from "vitest"
import { ApiError, offlineError } from "./api-error.ts"
import { createSessionStore, type SessionParts } from "./session-token.ts"

const ana = { _id: "1", name: "Ana" } as UserView

function storeWith(parts: Partial<SessionParts>) {
  const forgetToken = vi.fn()
  const storeToken = vi.fn()
  const session = createSessionStore({
    loadToken: () => "token-1",
    storeToken,
    forgetToken,
    fetchUser: () => Promise.resolve(ana),
    pause: () => Promise.resolve(),
    ...parts,
  })
  return { session, forgetToken, storeToken }
}

test("without a token the session is closed without a request", async () => {
  const fetchUser = vi.fn()
  const { session } = storeWith({ loadToken: () => null, fetchUser })
  expect(session.current()).toEqual({ status: "loading" })
  await session.start()
  expect(session.current()).toEqual({ status: "closed" })
  expect(fetchUser).not.toHaveBeenCalled()
})

test("a token that the server knows opens the session", async () => {
  const { session, forgetToken } = storeWith({})
  await session.start()
  expect(session.current()).toEqual({ status: "open", user: ana })
  expect(forgetToken).not.toHaveBeenCalled()
})

test("a refused token is forgotten at once, without a second try", async () => {
  const fetchUser = vi.fn(() => Promise.reject(new ApiError(401, "unauthenticated", "Sessão expirada.")))
  const { session, forgetToken } = storeWith({ fetchUser })
  await session.start()
  expect(session.current()).toEqual({ status: "closed" })
  expect(forgetToken).toHaveBeenCalledOnce()
  expect(fetchUser).toHaveBeenCalledOnce()
})

test("a call that broke off is tried again before anybody is signed out", async () => {
  const fetchUser = vi.fn<SessionParts["fetchUser"]>().mockRejectedValueOnce(offlineError()).mockResolvedValueOnce(ana)
  const { session, forgetToken } = storeWith({ fetchUser })
  await session.start()
  expect(session.current()).toEqual({ status: "open", user: ana })
  expect(forgetToken).not.toHaveBeenCalled()
})

test("without a server the token is kept, and asked about again without a screen in between", async () => {
  let isOffline = true
  const broken = [offlineError(), new ApiError(200, "unreadable_reply", "")]
  const fetchUser = () => (isOffline ? Promise.reject(broken.pop() ?? offlineError()) : Promise.resolve(ana))
  const { session, forgetToken } = storeWith({ fetchUser })
  await session.start()
  expect(session.current()).toEqual({ status: "offline" })
  const heard: string[] = []
  session.subscribe(() => heard.push(session.current().status))
  isOffline = false
  await session.start()
  expect(heard).toEqual(["open"])
  expect(forgetToken).not.toHaveBeenCalled()
})

test("a token that the server refuses after a call that broke off is forgotten", async () => {
  const fetchUser = vi.fn<SessionParts["fetchUser"]>().mockRejectedValueOnce(offlineError())
  fetchUser.mockRejectedValueOnce(new ApiError(401, "unauthenticated", "Sessão expirada."))
  const { session, forgetToken } = storeWith({ fetchUser })
  await session.start()
  expect(session.current()).toEqual({ status: "closed" })
  expect(forgetToken).toHaveBeenCalledOnce()
})

test("an answer for an older token does not undo a login", async () => {
  let answer: (user: UserView) => void = () => undefined
  const { session } = storeWith({ fetchUser: () => new Promise((resolve) => (answer = resolve)) })
  const started = session.start()
  const bia = { ...ana, name: "Bia" }
  session.open("token-2", bia)
  answer(ana)
  await started
  expect(session.current()).toEqual({ status: "open", user: bia })
})

test("opening stores the token, closing forgets it, and listeners hear both", () => {
  const { session, storeToken, forgetToken } = storeWith({})
  const heard: string[] = []
  session.subscribe(() => heard.push(session.current().status))
  session.open("token-9", ana)
  session.close()
  expect(storeToken).toHaveBeenCalledWith("token-9")
  expect(forgetToken).toHaveBeenCalledOnce()
  expect(heard).toEqual(["open", "closed"])
})

test("a renewed person replaces only themselves, and opens no session", async () => {
  const { session } = storeWith({})
  session.renew(ana)
  expect(session.current()).toEqual({ status: "loading" })
  await session.start()
  session.renew({ ...ana, name: "Ana Maria" })
  expect(session.current()).toEqual({ status: "open", user: { ...ana, name: "Ana Maria" } })
  session.renew({ ...ana, _id: "2", name: "Bia" })
  expect(session.current()).toEqual({ status: "open", user: { ...ana, name: "Ana Maria" } })
})
