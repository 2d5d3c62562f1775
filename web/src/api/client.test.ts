import * as heads from "@tilinta/contract/heads"
import { afterEach, expect, test, vi } from "vitest"
import { messageOf, pauseOf } from "./api-error.ts"
import { call, createSubmissions, urlOf } from "./client.ts"

afterEach(() => vi.unstubAllGlobals())

function answerWith(response: () => Promise<Response>) {
  const fetch = vi.fn<(url: string, init: RequestInit) => Promise<Response>>(response)
  vi.stubGlobal("fetch", fetch)
  return fetch
}

const json = (status: number, body: unknown) => () => Promise.resolve(Response.json(body, { status }))

test("parameters are escaped and empty query values are left out", () => {
  expect(urlOf("/a/:id/b", { id: "x/y z" }, { page: "2", search: "", status: undefined })).toBe("/a/x%2Fy%20z/b?page=2")
})

test("a success is the reply's body", async () => {
  const fetch = answerWith(json(200, { status: "success", results: 0 }))
  const reply = await call(heads.listChargePages, { query: { page: "3" } })
  expect(reply.results).toBe(0)
  expect(fetch).toHaveBeenCalledWith("/api/v1/checkout/pages?page=3", expect.objectContaining({ method: "GET" }))
})

test("a failure carries status, code, message and field problems", async () => {
  const errors = [{ path: "title", message: "O título da cobrança é obrigatório" }]
  answerWith(json(422, { status: "fail", message: "Confira os dados.", code: "validation_failed", errors }))
  await expect(call(heads.getChargePage, { params: { id: "1" } })).rejects.toMatchObject({
    status: 422,
    code: "validation_failed",
    message: "Confira os dados.",
    errors,
  })
})

test("no network is an error with a message of its own", async () => {
  answerWith(() => Promise.reject(new TypeError("Failed to fetch")))
  await expect(call(heads.listChargePages)).rejects.toMatchObject({
    status: 0,
    code: "offline",
    message: "Sem conexão com a internet.",
  })
})

test("an answer that is no JSON has no message, so the screen uses its own", async () => {
  answerWith(() => Promise.resolve(new Response("<h1>Bad Gateway</h1>", { status: 502 })))
  const error = await call(heads.listChargePages).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ status: 502, message: "" })
  expect(messageOf(error, "Erro ao carregar")).toBe("Erro ao carregar")
})

test("a broken-off call is not taken for a missing network", async () => {
  const abort = new AbortController()
  answerWith(() => Promise.reject(new DOMException("aborted", "AbortError")))
  abort.abort()
  await expect(call(heads.listChargePages, { signal: abort.signal })).rejects.toHaveProperty("name", "AbortError")
})

test("a server with too much to do is left alone for as long as it asks, and a little longer", async () => {
  const answer = { status: "error", code: "overloaded", message: "Estamos com muitos acessos agora." }
  const overloaded = (seconds: string) => () =>
    Promise.resolve(Response.json(answer, { status: 503, headers: { "retry-after": seconds } }))
  const pauseAfter = async (response: () => Promise<Response>) => {
    answerWith(response)
    return pauseOf(await call(heads.listChargePages).catch((thrown: unknown) => thrown))
  }
  const pause = await pauseAfter(overloaded("5"))
  expect(pause).toBeGreaterThanOrEqual(5000)
  expect(pause).toBeLessThanOrEqual(7500)
  expect(await pauseAfter(overloaded("86400"))).toBeLessThanOrEqual(90_000)
  expect(await pauseAfter(overloaded("Fri, 31 Dec 1999 23:59:59 GMT"))).toBeUndefined()
  expect(await pauseAfter(json(503, answer))).toBeUndefined()
})

function counted() {
  let made = 0
  return createSubmissions(() => `key-${++made}`)
}

test("the same filled form keeps its key and its moment", () => {
  const submit = counted()
  const first = submit({ title: "A" })
  expect(submit({ title: "A" })).toBe(first)
})

test("a changed form gets another key", () => {
  const submit = counted()
  expect(submit({ title: "A" }).key).not.toBe(submit({ title: "B" }).key)
})

test("keys of two forms differ even for the same content", () => {
  expect(createSubmissions()({}).key).not.toBe(createSubmissions()({}).key)
})
