/** Everything that a schema consists of, as sorted lines of text, so that two databases can be compared. */
import { sql } from 'kysely'
import type { Db } from '../../src/db/engine.ts'

const IN_KITH = sql`c.relnamespace = 'kith'::regnamespace`

/** Not by position: a table of an earlier build has its columns in another order. */
const PARTS = {
  columns: sql`select format('%s.%s %s%s%s%s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
      case when a.attcollation <> t.typcollation then ' collate ' || a.attcollation::regcollation else '' end,
      case when a.attnotnull then ' not null' else '' end,
      case a.attidentity when '' then '' else ' identity ' || a.attidentity::text end,
      case when d.oid is null then '' else case a.attgenerated when '' then ' default ' else ' generated ' end
        || pg_get_expr(d.adbin, d.adrelid) end) as line
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where ${IN_KITH} and c.relkind in ('r', 'p', 'v', 'c') and a.attnum > 0 and not a.attisdropped`,
  constraints: sql`select format('%s %s %s', c.relname, k.conname, pg_get_constraintdef(k.oid)) as line
    from pg_constraint k join pg_class c on c.oid = k.conrelid where ${IN_KITH} and k.contype not in ('t', 'n')`,
  indexes: sql`select pg_get_indexdef(i.indexrelid) as line
    from pg_index i join pg_class c on c.oid = i.indexrelid where ${IN_KITH}`,
  types: sql`select format('%s %s %s %s', t.typname, t.typtype, format_type(t.typbasetype, t.typtypmod), t.typnotnull) as line
    from pg_type t left join pg_class c on c.oid = t.typrelid
    where t.typnamespace = 'kith'::regnamespace and t.typtype in ('d', 'e', 'r', 'c') and coalesce(c.relkind, 'c') = 'c'`,
  comments: sql`select format('%s %s', pg_describe_object(d.classoid, d.objoid, d.objsubid), d.description) as line
    from pg_description d join pg_class c on c.oid = d.objoid and d.classoid = 'pg_class'::regclass where ${IN_KITH}`,
  views: sql`select format('%s %s', c.relname, pg_get_viewdef(c.oid)) as line
    from pg_class c where ${IN_KITH} and c.relkind = 'v'`,
  triggers: sql`select pg_get_triggerdef(t.oid) as line
    from pg_trigger t join pg_class c on c.oid = t.tgrelid where ${IN_KITH} and not t.tgisinternal`,
  functions: sql`select pg_get_functiondef(p.oid) || coalesce(' -- ' || obj_description(p.oid, 'pg_proc'), '') as line
    from pg_proc p where p.pronamespace = 'kith'::regnamespace`,
  policies: sql`select format('%s %s %s %s %s %s', c.relname, p.polname, p.polcmd, p.polroles::regrole[]::text,
      pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)) as line
    from pg_policy p join pg_class c on c.oid = p.polrelid where ${IN_KITH}`,
  protection: sql`select format('%s %s %s', c.relname, c.relrowsecurity, c.relforcerowsecurity) as line
    from pg_class c where ${IN_KITH} and c.relkind = 'r'`,
  grants: sql`select format('%s %s', c.relname, array(select unnest(c.relacl)::text order by 1)) as line
      from pg_class c where ${IN_KITH} and c.relacl is not null
    union all select format('%s.%s %s', c.relname, a.attname, array(select unnest(a.attacl)::text order by 1))
      from pg_attribute a join pg_class c on c.oid = a.attrelid where ${IN_KITH} and a.attacl is not null
    union all select format('%s %s', p.oid::regprocedure, array(select unnest(p.proacl)::text order by 1))
      from pg_proc p where p.pronamespace = 'kith'::regnamespace`,
} as const

export type Catalogue = Record<keyof typeof PARTS, string[]>

export async function catalogue(db: Db): Promise<Catalogue> {
  const lists: [string, string[]][] = []
  for (const [part, query] of Object.entries(PARTS)) {
    const { rows } = await sql<{ line: string }>`${query} order by 1`.execute(db)
    lists.push([part, rows.map(({ line }) => line)])
  }
  return Object.fromEntries(lists) as Catalogue
}
