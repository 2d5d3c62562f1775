import { errorMessages } from "@tilinta/contract/vocabulary/error-codes"
import type { FastifyReply, FastifyRequest } from "fastify"
import { appPolicy } from "#http/content-security-policy"
import { startErrorReply } from "#http/handle-errors"
import type { DomainError } from "#kit/domain-error"

/** Payers get an HTML error page, which reloads itself once the server is back. */
export function sendErrorPage(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  sendFailurePage(startErrorReply(error, request, reply), reply)
}

export function sendFailurePage(failure: DomainError, reply: FastifyReply): void {
  const html = errorPage(failure.shownMessage ?? errorMessages[failure.code])
  reply.header("content-security-policy", appPolicy(html)).type("text/html; charset=utf-8").send(html)
}

/** Contains only our own texts, nothing of the request. */
function errorPage(message: string): string {
  return `<!doctype html>
<html lang="pt-BR">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <meta http-equiv="refresh" content="5">
    <title>Oops!</title>
    <style>
      body { margin: 0; min-height: 100vh; display: grid; place-content: center; gap: 1rem; padding: 1.5rem;
        background: #091012; color: #e9f1f0; font: 1.125rem/1.5 system-ui, sans-serif; text-align: center }
      h1, p { margin: 0 }
    </style>
  </head>
  <body>
    <h1>Oops!</h1>
    <p>${message}</p>
    <p>Esta página tenta de novo sozinha.</p>
  </body>
</html>
`
}
