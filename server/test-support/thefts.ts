import { type RawBuilder, sql } from "kysely"
import { transactionKinds } from "#ledger/post-transactions"
import { nameRow } from "#money/chain/block"

const tables = {
  a: "audit_records",
  j: "journal",
  m: "manual_entries",
  p: "payments",
  r: "refunds",
  w: "withdrawals",
} as const
type Letter = keyof typeof tables

const otherId = sql`gen_random_uuid()`
const later = (column: string) => sql`${sql.ref(column)} + interval '1 microsecond'`
const more = (column: string) => sql`${sql.ref(column)} + 1`

/** The lies that a thief may write over each column. */
const lies: Record<Letter, [column: string, value: RawBuilder<unknown>][]> = {
  a: [
    ["happened_at", later("happened_at")],
    ["actor_id", sql`(select id from users where id is distinct from actor_id limit 1)`],
    ["action", sql`action || '.x'`],
    ["entity_id", sql`entity_id || 'x'`],
    ["after", sql`'{"name": "Eva"}'::jsonb`],
    ["before", sql`'{"name": "Ana"}'::jsonb`],
  ],
  j: [
    ["amount_cents", more("amount_cents")],
    ["debit_account", sql`debit_account || 'x'`],
    ["credit_account", sql`'fee-revenue-x'`],
    ["occurred_at", later("occurred_at")],
    ["booked_at", later("booked_at")],
    ["number", sql`default`],
    ["may_overdraw", sql`not may_overdraw`],
    ["seller_id", otherId],
  ],
  m: [
    ["amount_cents", more("amount_cents")],
    ["reason", sql`reason || ' '`],
    ["reference", sql`'E1'`],
    ["created_at", later("created_at")],
  ],
  p: [
    ["amount_cents", more("amount_cents")],
    ["fee_cents", more("fee_cents")],
    ["seller_id", otherId],
    ["charge_id", otherId],
    ["provider", sql`'outro'`],
    ["txid", sql`txid || 'x'`],
    ["paid_at", later("paid_at")],
    ["received_at", later("received_at")],
  ],
  r: [
    ["amount_cents", more("amount_cents")],
    ["fee_cents", more("fee_cents")],
    ["reason", sql`'outro'`],
    ["created_at", later("created_at")],
  ],
  w: [
    ["amount_cents", more("amount_cents")],
    ["pix_key", sql`'ladrao@exemplo.com'`],
    ["seller_id", otherId],
    ["created_at", later("created_at")],
  ],
}

const letterOf = (key: string) => key[0] as Letter
const tableOf = (key: string) => sql.table(tables[letterOf(key)])

function isRow(key: string): RawBuilder<boolean> {
  const id = key.slice(2)
  if (letterOf(key) === "p") return sql`end_to_end_id = ${id}`
  if (letterOf(key) === "j") return sql`kind || '/' || reference || '/' || line = ${id}`
  return sql`id = ${id}::uuid`
}

interface Edit {
  edits: RawBuilder<unknown>[]
  /** The names that must be told. */
  names: string[]
}

interface Plan {
  /** The key of a sealed row. */
  key: string
  luck: number
  keys: readonly string[]
  /** A transaction that has ended and is not sealed. */
  xid: string
}

type Theft = (plan: Plan) => Edit

export function pick<Item>(items: readonly Item[], luck: number): Item {
  const item = items[luck % items.length]
  if (item === undefined) throw new Error("nothing to pick from")
  return item
}

const ofLetter = (keys: readonly string[], letters: string) => keys.filter((key) => letters.includes(letterOf(key)))

const alter: Theft = ({ key, luck }) => {
  const [column, value] = pick(lies[letterOf(key)], luck)
  return {
    edits: [sql`update ${tableOf(key)} set ${sql.ref(column)} = ${value} where ${isRow(key)}`],
    names: [nameRow(key)],
  }
}

const remove: Theft = ({ key }) => ({
  edits: [sql`delete from ${tableOf(key)} where ${isRow(key)}`],
  names: [nameRow(key)],
})

/** The columns that make a copy of a row another one, and its key. */
function identityOf(key: string, luck: number): { columns: object; added: string } {
  const number = String(luck).padStart(12, "0")
  const id = `00000000-0000-4000-8000-${number}`
  const kind = pick(transactionKinds, luck)
  const identities: Record<Letter, { columns: object; added: string }> = {
    a: { columns: { id }, added: `a:${id}` },
    m: { columns: { id }, added: `m:${id}` },
    r: { columns: { id, psp_refund_id: `x${number}` }, added: `r:${id}` },
    w: { columns: { id, payout_id: `x${number}` }, added: `w:${id}` },
    p: { columns: { end_to_end_id: `E${number}` }, added: `p:E${number}` },
    j: { columns: { kind, reference: id, line: 1 }, added: `j:${kind}/${id}/1` },
  }
  return identities[letterOf(key)]
}

/** Writes a copy of the row, with these columns instead of its own. */
function copyOf(key: string, columns: object): RawBuilder<unknown>[] {
  const name = tables[letterOf(key)]
  const listed = sql`(
    select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
    where attrelid = ${name}::regclass and attnum > 0 and attgenerated = '' and not attisdropped
  )`
  return [
    sql`select set_config('thief.columns', ${listed}, true), set_config('thief.row', (
      select (to_jsonb(item) || ${JSON.stringify(columns)}::jsonb)::text from ${tableOf(key)} item where ${isRow(key)}
    ), true)`,
    sql`
      create or replace function pg_temp.copy_row() returns void language plpgsql as $$
      begin
        execute format(
          'insert into ${sql.raw(name)} (%1$s) overriding system value select %1$s from jsonb_populate_record(null::${sql.raw(name)}, %2$L)',
          current_setting('thief.columns'), current_setting('thief.row')
        );
      end $$`,
    sql`select pg_temp.copy_row()`,
  ]
}

/** A copy of a sealed row under another key, as if it had been there from the beginning. */
const insert: Theft = ({ key, luck }) => {
  const { columns, added } = identityOf(key, luck)
  return { edits: copyOf(key, columns), names: [nameRow(added)] }
}

const momentsOf: Record<Letter, readonly string[]> = {
  a: ["happened_at"],
  j: ["booked_at", "occurred_at"],
  m: ["created_at", "booked_at"],
  p: ["received_at", "paid_at"],
  r: ["created_at"],
  w: ["created_at"],
}

function monthsAgo(key: string, luck: number): object {
  const moment = new Date(Date.now() - (2 + (luck % 5_000)) * 3_600_000).toISOString()
  return Object.fromEntries(momentsOf[letterOf(key)].map((column) => [column, moment]))
}

/** As the platform would insert it, under a new transaction, but with a date of hours or months ago. */
export const insertBackdated: Theft = ({ key, luck, xid }) => {
  const { columns, added } = identityOf(key, luck)
  return { edits: copyOf(key, { ...columns, ...monthsAgo(key, luck), xid }), names: [nameRow(added)] }
}

/** As the platform would insert it, now: only what it contradicts can show it. An audit record contradicts nothing. */
export const insertNow: Theft = ({ luck, keys, xid }) => {
  const key = pick(ofLetter(keys, "jmprw"), luck)
  const { columns, added } = identityOf(key, luck)
  const isNamedByTable = "jmp".includes(letterOf(key))
  return {
    edits: copyOf(key, { ...columns, xid }),
    names: [isNamedByTable ? (nameRow(added).split(" (")[0] ?? "") : added.slice(2)],
  }
}

/** Two rows of the books change places: each gets the moment of the other one. */
const swapMoments: Theft = ({ luck, keys }) => {
  const bookings = keys.filter((key) => letterOf(key) === (luck % 2 === 0 ? "p" : "j"))
  const one = pick(bookings, luck)
  const other = pick(bookings, luck + 1)
  const column = sql.ref(letterOf(one) === "p" ? "received_at" : "booked_at")
  const momentOf = (key: string) => sql`(select ${column} from ${tableOf(key)} where ${isRow(key)})`
  return {
    edits: [
      sql`update ${tableOf(one)} set ${column} = case when ${isRow(one)} then ${momentOf(other)} else ${momentOf(one)} end
        where ${isRow(one)} or ${isRow(other)}`,
    ],
    names: [nameRow(one), nameRow(other)],
  }
}

const isOfSeveralRows = sql`number = (select max(number) from chain_blocks where cardinality(keys) > 1)`

/** The order that a block stores, with the rows as they are. */
const swapPlaces: Theft = () => ({
  edits: [sql`update chain_blocks set keys[2] = keys[1], keys[1] = keys[2] where ${isOfSeveralRows}`],
  names: ["fora da ordem em que foi selado"],
})

const swapWhole: Theft = () => ({
  edits: [
    sql`update chain_blocks set keys[2] = keys[1], keys[1] = keys[2], hashes =
      substr(hashes, 33, 32) || substr(hashes, 1, 32) || substr(hashes, 65) where ${isOfSeveralRows}`,
  ],
  names: ["ordem ou resumos das linhas"],
})

/** The payment, its charge and the balances say the same: the books agree with themselves. */
const consistently: Theft = ({ luck, keys }) => {
  const payment = pick(ofLetter(keys, "p"), luck)
  const own = sql`select charge_id, seller_id, provider from payments where ${isRow(payment)}`
  return {
    edits: [
      sql`update payments set amount_cents = amount_cents + 500 where ${isRow(payment)}`,
      sql`update charges set amount_cents = amount_cents + 500, net_cents = net_cents + 500 where id = (select charge_id from (${own}) own)`,
      sql`update ledger_accounts set balance_cents = balance_cents + 500
        where id = (select 'seller-available:' || seller_id from (${own}) own)`,
      sql`update ledger_accounts set balance_cents = balance_cents - 500
        where id = (select 'psp-clearing:' || provider from (${own}) own)`,
    ],
    names: [nameRow(payment)],
  }
}

function move(account: RawBuilder<unknown>, cents: number): RawBuilder<unknown> {
  return sql`update ledger_accounts set balance_cents = balance_cents + ${cents}::integer where id = ${account}`
}

/** The request, its posting, the balances and the totals say the same. */
const consistentWithdrawal: Theft = ({ luck, keys }) => {
  const key = pick(ofLetter(keys, "w"), luck)
  const posting = `j:withdrawal/${key.slice(2)}/1`
  const own = sql`(select seller_id from withdrawals where ${isRow(key)})`
  return {
    edits: [
      ...[key, posting].map(
        (row) => sql`update ${tableOf(row)} set amount_cents = amount_cents + 100 where ${isRow(row)}`,
      ),
      move(sql`'seller-available:' || ${own}`, -100),
      move(sql`'seller-held:' || ${own}`, 100),
      sql`update withdrawal_totals set amount_cents = amount_cents + 100 where seller_id = ${own} and status = 'pending'`,
    ],
    names: [nameRow(key), nameRow(posting)],
  }
}

const consistentRefund: Theft = ({ luck, keys }) => {
  const key = pick(ofLetter(keys, "r"), luck)
  const posting = `j:refund/${key.slice(2)}/1`
  const own = sql`(select seller_id from refunds where ${isRow(key)})`
  return {
    edits: [
      ...[key, posting].map(
        (row) => sql`update ${tableOf(row)} set amount_cents = amount_cents + 100 where ${isRow(row)}`,
      ),
      move(sql`'seller-available:' || ${own}`, -100),
      move(sql`'refunds-under-way:' || (select provider from refunds where ${isRow(key)})`, 100),
    ],
    names: [nameRow(key), nameRow(posting)],
  }
}

/** A withdrawal that nobody asked for, with its posting, balances and totals. */
export function insertWithdrawal({ luck, keys, xid }: Plan, isOld: boolean): Edit {
  const key = pick(ofLetter(keys, "w"), luck)
  const posting = `j:withdrawal/${key.slice(2)}/1`
  const { columns, added } = identityOf(key, luck)
  const id = added.slice(2)
  const own = sql`(select seller_id from withdrawals where ${isRow(key)})`
  const amount = sql`(select amount_cents from withdrawals where ${isRow(key)})`
  const dated = (row: string) => ({ xid, ...(isOld && monthsAgo(row, luck)) })
  return {
    edits: [
      ...copyOf(key, { ...columns, ...dated(key) }),
      ...copyOf(posting, { reference: id, ...dated(posting) }),
      sql`update ledger_accounts set balance_cents = balance_cents - ${amount} where id = 'seller-available:' || ${own}`,
      sql`update ledger_accounts set balance_cents = balance_cents + ${amount} where id = 'seller-held:' || ${own}`,
      sql`select add_withdrawal_changes(array(
        select row(seller_id, status, created_at, 1, amount_cents)::withdrawal_change
        from withdrawals where ${isRow(added)}
      ))`,
    ],
    names: [nameRow(added), nameRow(`j:withdrawal/${id}/1`)],
  }
}

/** A refund that nobody asked for, with its postings and balances: what was paid back once goes back twice. */
export function insertRefund({ luck, keys, xid }: Plan, isOld: boolean): Edit {
  const key = pick(ofLetter(keys, "r"), luck)
  const postings = [1, 2].map((line) => `j:refund/${key.slice(2)}/${line}`)
  const { columns, added } = identityOf(key, luck)
  const id = added.slice(2)
  const own = sql`(select seller_id from refunds where ${isRow(key)})`
  const part = (what: string) => sql`(select ${sql.raw(what)} from refunds where ${isRow(key)})`
  const dated = (row: string) => ({ xid, ...(isOld && monthsAgo(row, luck)) })
  return {
    edits: [
      ...copyOf(key, { ...columns, ...dated(key) }),
      ...postings.flatMap((row) => copyOf(row, { reference: id, ...dated(row) })),
      sql`update ledger_accounts set balance_cents = balance_cents - ${part("amount_cents - fee_cents")}
        where id = 'seller-available:' || ${own}`,
      sql`update ledger_accounts set balance_cents = balance_cents - ${part("fee_cents")} where id = 'fee-revenue'`,
      sql`update ledger_accounts set balance_cents = balance_cents + ${part("amount_cents")}
        where id = 'refunds-under-way:' || ${part("provider")}`,
    ],
    names: [added, ...[1, 2].map((line) => `j:refund/${id}/${line}`)].map(nameRow),
  }
}

/** The key and the transaction of one row are given to another: as many rows as before claim to be sealed. */
export function replaceRow({ luck, keys, xid }: Plan): Edit {
  const key = pick(ofLetter(keys, "p"), luck)
  const { columns, added } = identityOf(key, luck)
  return {
    edits: [...copyOf(key, columns), sql`update ${tableOf(key)} set xid = ${xid}::xid8 where ${isRow(key)}`],
    names: [nameRow(key), nameRow(added)],
  }
}

/** The chain alone names these. Of the last ones no balance and no total tells: the books agree with themselves. */
export const sealedThefts = {
  ...{ alter, remove, insert, insertBackdated, replaceRow, swapMoments, swapPlaces, swapWhole },
  ...{ consistently, consistentWithdrawal, consistentRefund },
  insertOldWithdrawal: (plan) => insertWithdrawal(plan, true),
  insertOldRefund: (plan) => insertRefund(plan, true),
} satisfies Record<string, Theft>
export const consistentThefts = new Set<string>([
  ...["consistently", "consistentWithdrawal", "consistentRefund", "insertOldWithdrawal", "insertOldRefund"],
])
