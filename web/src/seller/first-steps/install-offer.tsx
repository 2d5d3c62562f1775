import { managers } from "@tilinta/contract/vocabulary/team"
import { useMay } from "#api/session.ts"
import { createStoredSwitch } from "#ui/browser-hooks.ts"
import { Button } from "#ui/button.tsx"
import { Card } from "#ui/card.tsx"
import { install, isInstallable } from "#ui/install-prompt.ts"

const isAnswered = createStoredSwitch("install-answered")

/** Offered once, to who has sold, where the browser can install the app and has not. */
export function InstallOffer() {
  const hearsOfPayments = useMay(managers)
  if (isAnswered.use() || !isInstallable()) return null
  const answer = (isYes: boolean) => {
    isAnswered.toggle()
    if (isYes) void install()
  }
  return (
    <Card aria-label="Instalar" className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4 p-5 md:p-6">
      <div className="min-w-0 flex-1 basis-64">
        <h2 className="text-[20px] font-bold tracking-[-0.02em]">Leve as suas vendas na tela inicial</h2>
        <p className="mt-0.5 text-t2">
          Abre como um aplicativo{hearsOfPayments ? ", e avisa de cada pagamento se você quiser" : ""}.
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => answer(false)}>Agora não</Button>
        <Button variant="primary" onClick={() => answer(true)}>
          Instalar
        </Button>
      </div>
    </Card>
  )
}
