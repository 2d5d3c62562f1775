import type { signupStep1, signupStep2 } from "@tilinta/contract/auth"
import { digitsOf } from "@tilinta/contract/vocabulary/payer-data"
import { emptyAddress } from "@tilinta/contract/vocabulary/people"
import type { Path, UseFormReturn } from "react-hook-form"
import type * as z from "zod/mini"

type Account = z.input<typeof signupStep1>
type Person = z.input<typeof signupStep2>
export type AccountForm = UseFormReturn<Account, unknown, z.output<typeof signupStep1>>
export type PersonForm = UseFormReturn<Person, unknown, z.output<typeof signupStep2>>

export const emptyAccount = { name: "", email: "", password: "", passwordConfirm: "" } satisfies Account

export const emptyPerson = {
  cpf: "",
  phone: "",
  address: emptyAddress,
} satisfies Person

/** Tells which step's form holds the field that the server complains about. */
export function isAccountField(path: string): path is Path<Account> {
  return Object.hasOwn(emptyAccount, path)
}

export function isPersonField(path: string): path is Path<Person> {
  return Object.hasOwn(emptyPerson, path) || Object.hasOwn(emptyAddress, path.replace(/^address\./, ""))
}

export const CPF_DIGITS = 11

export function digitsOfCpf(typed: string): string {
  return digitsOf(typed).slice(0, CPF_DIGITS)
}
