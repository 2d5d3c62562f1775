import { getRouteApi, Link } from "@tanstack/react-router"
import * as heads from "@tilinta/contract/heads"
import { useState } from "react"
import { messageOf } from "#api/api-error.ts"
import { call } from "#api/client.ts"
import { session } from "#api/session.ts"
import { Button } from "#ui/button.tsx"
import { FormAlert } from "#ui/field.tsx"
import { AuthCard, FormDone, textLinkClass } from "../auth-card.tsx"
import { authTexts } from "../auth-texts.ts"

const route = getRouteApi("/mailed-link/new-email/$token")

interface State {
  busy: boolean
  failure: string | null
  /** The server's word once the address counts. */
  done: string | null
}

/** Opening the link confirms nothing: mail programs open links, too. These pages have no query client. */
export function NewEmailPage() {
  const { token } = route.useParams()
  const [state, setState] = useState<State>({ busy: false, failure: null, done: null })

  async function confirm(): Promise<void> {
    setState({ busy: true, failure: null, done: null })
    try {
      const { message } = await call(heads.confirmNewEmail, { params: { token } })
      setState({ busy: false, failure: null, done: message })
      session.close()
    } catch (error) {
      setState({ busy: false, failure: messageOf(error, authTexts.emailNotConfirmed), done: null })
    }
  }

  return (
    <AuthCard
      title="Confirmar e-mail"
      lead={state.done !== null ? "O novo endereço já vale." : "Este passa a ser o e-mail da sua conta."}
    >
      {state.done !== null ? (
        <FormDone message={state.done} />
      ) : (
        <div className="grid gap-4">
          <FormAlert message={state.failure} />
          <p className="text-label text-t2">
            As sessões abertas terminam, e o endereço antigo é avisado. Não pediu esta troca? Não confirme e fale com o
            suporte.
          </p>
          <Button look="primary" disabled={state.busy} onClick={() => void confirm()}>
            {state.busy ? "Confirmando..." : "Confirmar e-mail"}
          </Button>
        </div>
      )}
      <p className="mt-3 -mb-2.5 text-center text-t2">
        <Link to="/login" replace className={textLinkClass}>
          Ir para o login
        </Link>
      </p>
    </AuthCard>
  )
}
