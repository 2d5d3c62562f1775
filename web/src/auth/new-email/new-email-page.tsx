import { getRouteApi, Link } from "@tanstack/react-router"
import * as heads from "@tilinta/contract/heads"
import { useState } from "react"
import { messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { session } from "#api/session.ts"
import { authTexts } from "#auth/auth-parts.tsx"
import { Button } from "#ui/button.tsx"
import { FormAlert } from "#ui/field.tsx"
import { FormPage } from "#ui/form-page.tsx"
import { useSubmit } from "#ui/use-submit.ts"
import { FormDone, textLinkClass } from "../auth-parts.tsx"

const route = getRouteApi("/mailed-link/new-email/$token")

/** Opening the link confirms nothing: mail programs open links, too. These pages have no query client. */
export function NewEmailPage() {
  const { token } = route.useParams()
  /** The server's text once the address counts. */
  const [done, setDone] = useState<string | null>(null)
  const { submit, busy, failure } = useSubmit(
    async () => {
      setDone((await call(heads.confirmNewEmail, { params: { token } })).message)
      session.close()
    },
    (error) => messageOf(error, authTexts.emailNotConfirmed),
  )

  return (
    <FormPage
      title="Confirmar e-mail"
      lead={done !== null ? "O novo endereço já vale." : "Este passa a ser o e-mail da sua conta."}
    >
      {done !== null ? (
        <FormDone message={done} />
      ) : (
        <div className="grid gap-4">
          <FormAlert message={failure} />
          <p className="text-label text-t2">
            As sessões abertas terminam, e o endereço antigo é avisado. Não pediu esta troca? Não confirme e fale com o
            suporte.
          </p>
          <Button variant="primary" disabled={busy} onClick={() => void submit()}>
            {busy ? "Confirmando..." : "Confirmar e-mail"}
          </Button>
        </div>
      )}
      <p className="mt-3 -mb-2.5 text-center text-t2">
        <Link to="/login" replace className={textLinkClass}>
          Ir para o login
        </Link>
      </p>
    </FormPage>
  )
}
