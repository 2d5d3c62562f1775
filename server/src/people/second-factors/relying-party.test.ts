import { expect, test } from "vitest"
import { findRelyingParty } from "./prove-passkey.ts"

test("passkeys belong to the host name and the origin of the public address", () => {
  expect(findRelyingParty("https://pix.loja.example")).toEqual({
    id: "pix.loja.example",
    origin: "https://pix.loja.example",
  })
  expect(findRelyingParty("https://pix.loja.example:8443")).toEqual({
    id: "pix.loja.example",
    origin: "https://pix.loja.example:8443",
  })
  expect(findRelyingParty("http://localhost:3000")).toEqual({ id: "localhost", origin: "http://localhost:3000" })
  expect(findRelyingParty("http://loja.localhost:3000")?.id).toBe("loja.localhost")
})

test("there are none under a number, and none without TLS outside this machine", () => {
  for (const url of [
    "http://127.0.0.1:3000",
    "https://192.168.0.5",
    "https://[::1]:3000",
    "http://pix.loja.example",
    "http://localhost.loja.example",
  ])
    expect({ url, party: findRelyingParty(url) }).toEqual({ url, party: null })
})
