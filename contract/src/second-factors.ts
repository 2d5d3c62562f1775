import * as z from "zod/mini"
import { MAX_PASSWORD_LENGTH } from "./auth.ts"
import { defineEndpoint, defineExample } from "./define-endpoint.ts"
import { isoDateTime, secretText, success, text } from "./fields.ts"
import * as heads from "./heads.ts"
import { passkeyAssertion } from "./passkeys.ts"
import { fillIn } from "./users.ts"

const tag = "Segurança"

const typedCode = text(60).check(z.trim(), z.minLength(1, "Informe o código."))

const stepUpBody = z
  .object({
    /** Needed without a passkey. */
    password: z.prefault(secretText(MAX_PASSWORD_LENGTH, "A senha é longa demais."), ""),
    /** Shown by the authenticator app, or a recovery code; asked for where the account has a second factor. */
    code: z.nullish(typedCode),
    /** Signed what `auth/step-up/options` answered to this session; it stands for password and code. */
    credential: z.nullish(passkeyAssertion),
  })
  .check(
    z.refine<{ password: string; credential?: unknown }>(
      ({ password, credential }) => password !== "" || (credential ?? null) !== null,
      { path: ["password"], error: fillIn },
    ),
  )

export const stepUpEndpoint = defineEndpoint("stepUp", heads.stepUp, {
  audience: "seller",
  roles: "person",
  whileFrozen: true,
  beforeEnrolment: true,
  tag: "Autenticação",
  summary: "Confirma quem está nesta sessão: por cinco minutos ela pode o que responde 403 step_up_required sem isso",
  body: stepUpBody,
  reply: { status: 200, schema: success(z.object({ freshUntil: isoDateTime })) },
})

const factorsView = z.object({
  /** Null without an authenticator app. */
  totp: z.nullable(z.object({ enrolledAt: isoDateTime })),
  /** How many of them; `users/me/passkeys` lists them. */
  passkeys: z.int(),
  recoveryCodesLeft: z.int(),
  /** Whether a step-up is asked of this account: always where protection is strict, else of accounts with a factor. */
  stepUpAsked: z.boolean(),
})

export const readFactorsEndpoint = defineEndpoint("readFactors", heads.readFactors, {
  audience: "seller",
  roles: "person",
  whileFrozen: true,
  beforeEnrolment: true,
  tag,
  summary: "Os segundos fatores da própria conta",
  reply: { status: 200, schema: success(factorsView) },
})

export const beginTotpEndpoint = defineEndpoint("beginTotp", heads.beginTotp, {
  audience: "seller",
  roles: "person",
  stepUp: "also_relaxed",
  beforeEnrolment: true,
  tag,
  summary:
    "Cria o segredo para um aplicativo autenticador, que só vale depois de confirmado com um código; `qrCode` é a imagem de `otpauthUri` (data:image/svg+xml)",
  reply: {
    status: 200,
    schema: success(z.object({ secret: z.string(), otpauthUri: z.string(), qrCode: z.string() })),
  },
})

const recoveryCodesView = success(z.object({ recoveryCodes: z.array(z.string()) }))

export const confirmTotpEndpoint = defineEndpoint("confirmTotp", heads.confirmTotp, {
  audience: "seller",
  roles: "person",
  stepUp: "also_relaxed",
  beforeEnrolment: true,
  tag,
  summary:
    "Liga o aplicativo autenticador com um código dele; `recoveryCodes` só vem, e só nesta resposta, com o primeiro segundo fator",
  body: z.object({ code: z.prefault(typedCode, "") }),
  reply: { status: 200, schema: recoveryCodesView },
})

export const removeTotpEndpoint = defineEndpoint("removeTotp", heads.removeTotp, {
  audience: "seller",
  roles: "person",
  stepUp: "also_relaxed",
  beforeEnrolment: true,
  tag,
  summary: "Desliga o aplicativo autenticador; encerra as outras sessões",
  reply: { status: 204 },
})

export const renewRecoveryCodesEndpoint = defineEndpoint("renewRecoveryCodes", heads.renewRecoveryCodes, {
  audience: "seller",
  roles: "person",
  stepUp: "also_relaxed",
  tag,
  summary: "Troca os códigos de recuperação; os antigos deixam de valer",
  reply: { status: 200, schema: recoveryCodesView },
})

const recoveryCodes = ["Q7MKPA-2VXHRT-9CNWDE-4GJBYS", "Z3TFLU-8KPQAX-5RWMVH-6DCEJN"]

export const secondFactorsExamples = [
  defineExample(stepUpEndpoint, {
    body: { password: "senha-da-ana", code: null },
    data: { freshUntil: "2026-11-21T12:05:00.000Z" },
    failures: ["password_reset_required", "second_factor_required", "second_factor_invalid", "too_many_requests"],
  }),
  defineExample(readFactorsEndpoint, {
    data: { totp: { enrolledAt: "2026-11-21T12:00:00.000Z" }, passkeys: 1, recoveryCodesLeft: 10, stepUpAsked: true },
    failures: [],
  }),
  defineExample(beginTotpEndpoint, {
    data: {
      secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
      otpauthUri:
        "otpauth://totp/Tilinta:ana%40loja.example?issuer=Tilinta&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30",
      qrCode: "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=",
    },
    failures: ["totp_already_enrolled"],
  }),
  defineExample(confirmTotpEndpoint, {
    body: { code: "492039" },
    data: { recoveryCodes },
    failures: ["totp_not_begun", "second_factor_invalid"],
  }),
  defineExample(removeTotpEndpoint, { failures: [] }),
  defineExample(renewRecoveryCodesEndpoint, { data: { recoveryCodes }, failures: ["second_factor_missing"] }),
]
