import { cp, mkdir, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { repositoryFolder } from "./server-process.ts"

/** Whatever an expanding migration may do, to every table, so that no statement of the version before depends on the columns. */
const expandEverything = `
do $$
declare
  each_table regclass;
begin
  for each_table in select oid from pg_class where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace loop
    execute format('alter table %s add column next_note text, add column next_count integer not null default 0', each_table);
  end loop;
end
$$;
create table next_things (id uuid constraint next_things_by_id primary key);
create index charges_by_next_note on charges (next_note);
create index payments_by_next_count on payments (next_count);
`

/** Expands as well, moves money, and fails at its end. */
export const brokenMigration = `
${expandEverything}
alter table ledger_accounts disable trigger user;
update ledger_accounts set balance_cents = balance_cents + 1;
select 1 / 0;
`

/** Makes a copy of the server, in this folder, that has one migration more. Returns the script that starts it. */
export async function makeNextVersion(folder: string, migration: string = expandEverything): Promise<string> {
  await Promise.all([
    ...["server/src", "server/database", "server/package.json", "package.json"].map((path) =>
      cp(join(repositoryFolder, path), join(folder, path), { recursive: true }),
    ),
    ...["node_modules", "web"].map((path) => symlink(join(repositoryFolder, path), join(folder, path))),
  ])
  const migrations = join(folder, "server/database/migrations")
  await mkdir(migrations, { recursive: true })
  await writeFile(join(migrations, "9999_next.sql"), migration)
  return join(folder, "server/src/main.ts")
}
