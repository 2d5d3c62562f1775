import { noPayerFlags } from "@tilinta/contract/vocabulary/payer-data"
import { expect, test } from "vitest"
import { allCustomerFields, customerDataBody, customerDataOf } from "./customer-data.tsx"

test("off clears the four flags and makes the payment anonymous", () => {
  const body = customerDataBody({ requireCustomerData: false, ...allCustomerFields })
  expect(body).toEqual({ requireCustomerData: false, customerInfo: noPayerFlags, allowAnonymous: true })
})

test("on keeps the flags as they are ticked", () => {
  const body = customerDataBody({ requireCustomerData: true, ...allCustomerFields, requirePhone: false })
  expect(body.allowAnonymous).toBe(false)
  expect(body.customerInfo).toEqual({ ...allCustomerFields, requirePhone: false })
})

test("missing flags count as true, but a missing allowAnonymous as false", () => {
  expect(customerDataOf({})).toEqual({ requireCustomerData: true, ...allCustomerFields })
})

test("an anonymous page asks for nothing, whatever its flags say", () => {
  const page = { requireCustomerData: true, customerInfo: allCustomerFields, pixConfig: { allowAnonymous: true } }
  expect(customerDataOf(page)).toEqual({ requireCustomerData: false, ...noPayerFlags })
})
