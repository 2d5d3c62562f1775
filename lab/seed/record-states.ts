import { recordedTables } from "../../server/src/db/catalog.ts"

/** Records ready rows as the product would have (server/database/schema/10_recorded_states.sql); nothing may be sealed yet. */
export const recordStates = [
  "set local session_replication_role = replica",
  "delete from recorded_states",
  ...recordedTables.map(
    ({ table, key, columns }) => `
      insert into recorded_states (subject, digest, made_by)
      select state_subject(item, '${table}', '${key}'), state_digest(item, '{${columns.join(",")}}'), 'tilinta_app'
      from ${table} item ${table === "charge_pages" ? "where not is_single" : ""}`,
  ),
].join(";")
