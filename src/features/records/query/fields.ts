/** The fields of records that queries compare, sort and group by. */
import { sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { sortType } from '../../../kernel/list-parameters.ts'
import type { RecordType } from '../../../kernel/resource.ts'
import type { Operand } from './relations.ts'

/**
 * Times of an activity that are not fields of the API. `when` is the time at which it happened, begins or is due; a
 * task without a due time has none.
 */
const ACTIVITY_TIMES: Readonly<Record<string, Operand>> = {
  when: {
    type: 'timestamptz',
    expression: sql`coalesce(r.happened_at, r.start_at, r.falls_due_at, case when r.type <> 'task' then r.created_at end)`,
  },
  happened_at: { type: 'timestamptz', expression: sql`r.happened_at` },
  falls_due_at: { type: 'timestamptz', expression: sql`r.falls_due_at` },
  planned_at: { type: 'timestamptz', expression: sql`r.planned_at` },
}

/** `birthday_day` is the month and day of a birthday, MM-DD, since it comes every year. */
const CONTACT_DAYS: Readonly<Record<string, Operand>> = {
  birthday_day: { type: 'text', expression: sql`to_char(r.birthday, 'MM-DD')` },
}

const FURTHER: Readonly<Record<string, Readonly<Record<string, Operand>>>> = {
  activities: ACTIVITY_TIMES,
  contacts: CONTACT_DAYS,
}

const further = ({ table }: RecordType): Readonly<Record<string, Operand>> => FURTHER[table] ?? {}

export function fieldOf(record: RecordType, ctx: Ctx, name: string): Operand | undefined {
  const custom = /^cf\.([A-Za-z0-9_-]{1,100})$/.exec(name)
  if (custom && 'metadata' in record.output.fields) {
    return { expression: sql`(r.metadata -> ${custom[1]})`, type: 'jsonb' }
  }
  const extra = further(record)
  if (Object.hasOwn(extra, name)) return extra[name]
  const schema = Object.hasOwn(record.output.fields, name) ? record.output.fields[name] : undefined
  if (schema && name === 'categories') return { expression: sql`r.categories`, type: 'text[]' }
  const type = schema && !record.links?.[name] ? sortType(schema.json) : undefined
  if (!type) return undefined
  return { expression: record.computed?.[name]?.(ctx) ?? sql`r.${sql.ref(name)}`, type }
}

export const fieldsOf = (record: RecordType): string[] => [
  ...Object.entries(record.output.fields)
    .filter(([name, schema]) => name === 'categories' || (!record.links?.[name] && sortType(schema.json)))
    .map(([name]) => name),
  ...Object.keys(further(record)),
  ...('metadata' in record.output.fields ? ['cf.<key>'] : []),
]
