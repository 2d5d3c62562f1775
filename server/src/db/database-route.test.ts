import { expect, test } from "vitest"
import { addressesOf, addressFor, openRoute } from "./route.ts"

test.each([
  ["postgres://ana:x@a:1/tilinta?sslmode=disable", ["postgres://ana:x@a:1/tilinta?sslmode=disable"]],
  [
    "postgresql://ana:x%2Cy@a:1,b,[::1]:3/tilinta?sslmode=disable",
    [
      "postgresql://ana:x%2Cy@a:1/tilinta?sslmode=disable",
      "postgresql://ana:x%2Cy@b/tilinta?sslmode=disable",
      "postgresql://ana:x%2Cy@[::1]:3/tilinta?sslmode=disable",
    ],
  ],
  [
    "postgres://a,b/tilinta?target_session_attrs=read-write&sslmode=disable",
    ["postgres://a/tilinta?sslmode=disable", "postgres://b/tilinta?sslmode=disable"],
  ],
  ["postgres://a,b/t?target_session_attrs=any", ["postgres://a/t", "postgres://b/t"]],
  ["postgres:///t?host=a,b&port=1,2", ["postgres:///t?host=a&port=1", "postgres:///t?host=b&port=2"]],
  ["postgres:///t?host=a%2Cb&port=1", ["postgres:///t?host=a&port=1", "postgres:///t?host=b&port=1"]],
])("%s is one address a host", (url, addresses) => {
  expect(addressesOf(url)).toEqual(addresses)
})

test("another user takes the place of the one in the address, wherever it stands", () => {
  const login = { user: "b@c", password: "p/w" }
  expect(addressFor("postgres://ana:x@h,i/t", login)).toBe("postgres://b%40c:p%2Fw@h,i/t")
  expect(addressFor("postgres:///t?user=ana&password=x&host=h", login)).toBe("postgres://b%40c:p%2Fw@/t?host=h")
  expect(addressFor("postgresql://h/t?password=x", login)).toBe("postgresql://b%40c:p%2Fw@h/t")
})

test("a host that is left by many at once is left once, and after the last comes the first", () => {
  const route = openRoute("postgres://a,b,c/t")
  const first = route.address()
  route.leave(first)
  route.leave(first)
  expect(route.address()).toBe("postgres://b/t")
  route.leave(route.address())
  route.leave(route.address())
  expect(route.address()).toBe(first)
  const only = openRoute("postgres://a/t")
  only.leave(only.address())
  expect(only.address()).toBe("postgres://a/t")
})
