import { initialsOf } from "@tilinta/contract/vocabulary/initials"
import { logoPath, shopColorCodes } from "@tilinta/contract/vocabulary/shops"
import { namedDocument, parseDocument } from "@tilinta/contract/vocabulary/typed-data"
import { type ReactNode, useState } from "react"
import { Icon, type IconName } from "#ui/icon.tsx"
import { productName } from "#ui/page-title.tsx"
import { Segments } from "#ui/segments.tsx"
import type { ShopForm } from "./shop-changes.ts"

const screens = [
  { value: "open", label: "Cobrança" },
  { value: "paid", label: "Paga" },
  { value: "closed", label: "Encerrada" },
] as const
type Screen = (typeof screens)[number]["value"]

interface Props {
  shop: ShopForm
  logoUrl: string | null
  /** Payers see the person while the shop has no name. */
  sellerName: string
}

/** The payer's page in small, drawn as it is typed: the page itself is the checkout's. */
export function ShopPreview(props: Props) {
  const [screen, setScreen] = useState<Screen>("open")
  return (
    <section aria-label="Prévia" className="grid gap-3">
      <div className="[&_label]:flex-1">
        <Segments label="Tela da prévia" options={screens} value={screen} onChange={setScreen} />
      </div>
      <div className="overflow-hidden rounded-xl border border-line-2 bg-bg">
        <p className="flex items-center justify-center gap-2 border-b border-mint-line bg-mint-bg py-1.5 text-meta font-semibold text-mint">
          {screen === "closed" ? productName : <Safe />}
        </p>
        <Who {...props} />
        {screen === "open" && <Open {...props} />}
        {screen === "paid" && <Paid {...props} />}
        {screen === "closed" && <Closed {...props} />}
      </div>
    </section>
  )
}

function Safe() {
  return (
    <>
      <Icon name="lock" className="size-4" />
      Pagamento Seguro
    </>
  )
}

function Who({ shop: { name, document, color }, logoUrl, sellerName }: Props) {
  const known = name.trim() === "" ? null : parseDocument(document)
  const accent = { backgroundColor: shopColorCodes[color] }
  return (
    <div className="flex items-center justify-center gap-2.5 px-5 pt-4 text-t3">
      {logoUrl !== null && name.trim() !== "" ? (
        <img src={logoPath(logoUrl)} alt="" width={44} height={44} className="size-11 flex-none rounded-m" />
      ) : (
        <span
          className="grid size-8 flex-none place-items-center rounded-m text-[12px] font-bold text-bg"
          style={accent}
        >
          {initialsOf(name.trim() || sellerName)}
        </span>
      )}
      {name.trim() === "" ? (
        <p className="min-w-0 wrap-anywhere">
          Cobrança de <b className="font-semibold text-t1">{sellerName}</b>
        </p>
      ) : (
        <p className="min-w-0 wrap-anywhere">
          <b className="font-semibold text-t1">{name}</b>
          {known !== null && <span className="block text-meta tabular-nums">{namedDocument(known)}</span>}
        </p>
      )}
    </div>
  )
}

function Open({ shop: { color } }: Props) {
  return (
    <>
      <div className="px-5 pt-3 pb-4 text-center">
        <p className="text-section font-semibold text-t2">Bolo de aniversário</p>
        <p className="mt-1 text-[40px] leading-tight font-bold tracking-[-0.04em] tabular-nums">
          <span className="align-[0.62em] text-[0.455em] font-semibold tracking-normal text-t2">R$ </span>
          120<span className="text-[0.59em] font-semibold tracking-normal text-t2">,00</span>
        </p>
      </div>
      <div className="grid gap-3 px-5">
        {["Nome completo", "E-mail"].map((label) => (
          <div key={label}>
            <p className="mb-1.5 text-label font-semibold">{label}</p>
            <div className="h-12 rounded-m border border-ctl bg-side" />
          </div>
        ))}
      </div>
      <Foot>
        <Action className="text-bg" style={{ backgroundColor: shopColorCodes[color] }}>
          Pagar com PIX
        </Action>
      </Foot>
    </>
  )
}

function Paid({ shop, sellerName }: Props) {
  return (
    <>
      <Head
        icon="check"
        tone="bg-mint text-mint-ink"
        title="Pagamento Aprovado!"
        text="Seu pagamento foi processado com sucesso."
      />
      <dl className="mx-5 grid gap-2 rounded-xl border border-line bg-s1 p-4 text-label">
        <Fact term="Bolo de aniversário" value="R$ 120,00" />
        <Fact term="Para" value={shop.name.trim() || sellerName} />
      </dl>
      <Foot>
        <Action className="text-bg" style={{ backgroundColor: shopColorCodes[shop.color] }}>
          Ver comprovante
        </Action>
        <Ask shop={shop} className="text-t2" />
      </Foot>
    </>
  )
}

function Closed({ shop }: Props) {
  return (
    <>
      <Head icon="alert" tone="bg-s3 text-amber" title="Oops!" text="Página de cobrança não encontrada ou expirada" />
      {shop.name.trim() !== "" && shop.closedText.trim() !== "" && (
        <div className="mx-5 rounded-xl border border-line bg-s1 p-4 text-label">
          <p className="text-t3">Recado de {shop.name}</p>
          <p className="mt-1 whitespace-pre-line wrap-anywhere">{shop.closedText}</p>
        </div>
      )}
      <Foot>
        <Ask shop={shop} className="text-bg" style={{ backgroundColor: shopColorCodes[shop.color] }} />
      </Foot>
    </>
  )
}

function Head({ icon, tone, title, text }: { icon: IconName; tone: string; title: string; text: string }) {
  return (
    <div className="grid justify-items-center px-5 pt-6 pb-5 text-center">
      <span className={`grid size-14 place-items-center rounded-l ${tone}`}>
        <Icon name={icon} className="size-7 stroke-2" />
      </span>
      <p className="mt-4 text-[22px] font-bold tracking-[-0.02em]">{title}</p>
      <p className="mt-1 text-balance text-t2">{text}</p>
    </div>
  )
}

function Fact({ term, value }: { term: string; value: string }) {
  return (
    <div className="flex justify-between gap-3">
      <dt className="text-t3">{term}</dt>
      <dd className="min-w-0 text-right wrap-anywhere">{value}</dd>
    </div>
  )
}

function Foot({ children }: { children: ReactNode }) {
  return <div className="mt-4 grid min-h-4 gap-1 border-t border-line bg-side p-4 empty:hidden">{children}</div>
}

/** Only looks like the button: there is nothing to press here. */
function Action({
  className,
  ...rest
}: {
  className: string
  style?: { backgroundColor: string }
  children: ReactNode
}) {
  return <p className={`rounded-[16px] px-4 py-3.5 text-center font-bold wrap-anywhere ${className}`} {...rest} />
}

function Ask({ shop, ...rest }: { shop: ShopForm; className: string; style?: { backgroundColor: string } }) {
  if (shop.name.trim() === "" || (shop.whatsapp === "" && shop.email === "")) return null
  return <Action {...rest}>{`Falar com ${shop.name}`}</Action>
}
