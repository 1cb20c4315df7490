/** Which column goes into which field: what is proposed, and what is accepted. */
import type { Ctx } from '../../kernel/context.ts'
import { errors } from '../../kernel/errors.ts'
import type { RecordType } from '../../kernel/resource.ts'
import type { Exported } from '../exports/record.ts'
import type { Column } from './analyse.ts'
import { importFields, undeclaredField } from './fields.ts'
import { guessMapping, type Here } from './guess.ts'
import { membersOf, stagesOf } from './lookups.ts'

export type Mapping = Record<string, string | null>

/** The columns with what each is taken for. */
export async function proposed(ctx: Ctx, record: RecordType, columns: readonly Column[]): Promise<Column[]> {
  const fields = await importFields(ctx, record)
  const guess = guessMapping(record.entityType as Exported, columns, fields, await namesHere(ctx, record))
  return columns.map(column => ({ ...column, suggested_field: guess.get(column.header) ?? null }))
}

async function namesHere(ctx: Ctx, record: RecordType): Promise<Here> {
  const lower = (names: string[]) => new Set(names.map(name => name.trim().toLowerCase()))
  const members = await membersOf(ctx)
  const people = lower(members.flatMap(({ name, email }) => [name, email]))
  const stages = record.entityType === 'deal' ? await stagesOf(ctx) : []
  return {
    owner_id: people,
    assignee_id: people,
    created_by: people,
    pipeline_id: lower(stages.map(stage => stage.pipeline_name)),
    stage_id: lower(stages.map(stage => stage.name)),
  }
}

export const mappingOf = (columns: readonly Column[]): Mapping =>
  Object.fromEntries(columns.map(({ header, suggested_field }) => [header, suggested_field]))

/** Every column by its header: a field, or null where it is left out. */
export async function checkMapping(
  ctx: Ctx,
  record: RecordType,
  columns: readonly Column[],
  given: Record<string, unknown>,
): Promise<Mapping> {
  const fields = await importFields(ctx, record)
  const headers = new Set(columns.map(column => column.header))
  for (const [header, field] of Object.entries(given)) {
    const loc = ['body', 'mapping', header]
    if (!headers.has(header)) throw errors.invalidValue(loc, 'the file has no such column', field)
    if (field === null) continue
    const isKnown =
      typeof field === 'string' &&
      (fields.has(field) || ('metadata' in record.input.fields && undeclaredField(field)))
    if (isKnown) continue
    const names = [...fields.keys(), 'cf.<key>'].join(', ')
    throw errors.invalidValue(loc, `there is no such field: take one of ${names}`, field)
  }
  return Object.fromEntries(
    columns.map(({ header }) => [header, (given[header] as string | null | undefined) ?? null]),
  )
}
