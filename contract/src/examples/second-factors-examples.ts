import {
  beginTotpEndpoint,
  confirmTotpEndpoint,
  readFactorsEndpoint,
  removeTotpEndpoint,
  renewRecoveryCodesEndpoint,
  stepUpEndpoint,
} from "../api/second-factors-endpoints.ts"
import { defineExample } from "./define-example.ts"

const recoveryCodes = ["Q7MKPA-2VXHRT-9CNWDE-4GJBYS", "Z3TFLU-8KPQAX-5RWMVH-6DCEJN"]

export const secondFactorsExamples = [
  defineExample(stepUpEndpoint, {
    body: { password: "senha-da-ana", code: null },
    reply: { status: "success", data: { freshUntil: "2026-11-21T12:05:00.000Z" } },
    failures: ["second_factor_required", "second_factor_invalid", "too_many_requests"],
  }),
  defineExample(readFactorsEndpoint, {
    reply: {
      status: "success",
      data: { totp: { enrolledAt: "2026-11-21T12:00:00.000Z" }, passkeys: 1, recoveryCodesLeft: 10, stepUpAsked: true },
    },
    failures: [],
  }),
  defineExample(beginTotpEndpoint, {
    reply: {
      status: "success",
      data: {
        secret: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
        otpauthUri:
          "otpauth://totp/Tilinta:ana%40loja.example?issuer=Tilinta&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30",
        qrCode: "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=",
      },
    },
    failures: ["totp_already_enrolled"],
  }),
  defineExample(confirmTotpEndpoint, {
    body: { code: "492039" },
    reply: { status: "success", data: { recoveryCodes } },
    failures: ["totp_not_begun", "second_factor_invalid"],
  }),
  defineExample(removeTotpEndpoint, { failures: [] }),
  defineExample(renewRecoveryCodesEndpoint, {
    reply: { status: "success", data: { recoveryCodes } },
    failures: ["second_factor_missing"],
  }),
]
