/** The columns of an export: which fields a kind of record has, and where each comes from. */
import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from '../../../kernel/context.ts'
import { errors } from '../../../kernel/errors.ts'
import type { Link, Target } from '../../../kernel/links.ts'
import type { RecordType } from '../../../kernel/resource.ts'
import { datetime } from '../../../kernel/schema/index.ts'
import { definitionsOf } from '../../../resources/custom-fields/definition.ts'
import { kindsWith } from '../../../resources/kinds.ts'
import { targets as pipelineTargets } from '../../../resources/pipelines/record.ts'
import { tagLink } from '../../../resources/tags/taggings.ts'
import { isJsonText, type Kind, kindOf } from './kinds.ts'

type Sql = RawBuilder<unknown>

export type Column = { name: string } & (
  | { from: 'row'; kind: Kind; sql: (ctx: Ctx) => Sql }
  /** the ids, or the names, of the records at the other end */
  | { from: 'link'; link: Link; part: 'ids' | 'names' }
  /** the name of the record whose id is in another column */
  | { from: 'name'; target: Target; field: string; id: (ctx: Ctx) => Sql }
  | { from: 'metadata'; key: string | undefined }
)

/** Fields that repeat another one, or that depend on the reader. */
const NOT_OFFERED = ['account_id', 'custom_fields', 'is_favorite', 'metadata', 'title of activities']

/** One-id fields whose target the record does not declare as a reference, because its rules check it otherwise. */
const FURTHER_REFERENCES: Record<string, Record<string, Target>> = {
  deal: { pipeline_id: pipelineTargets.pipeline, stage_id: pipelineTargets.stage },
}

/** Of records in the trash; written only on request, since an import cannot read it back. */
const DELETED_AT: Column = {
  name: 'deleted_at',
  from: 'row',
  kind: kindOf(datetime().json),
  sql: () => sql`r.deleted_at`,
}

const TAGGED: readonly string[] = kindsWith('taggable')

/** The names of the tags: no two tags have the same one. */
const TAGS: Column = { name: 'tags', from: 'link', link: tagLink, part: 'names' }

export const namesOf = (field: string): string => field.replace(/_ids$/, '_names').replace(/_id$/, '_name')

export const referencesOf = (record: RecordType): Record<string, Target> => ({
  ...record.references,
  ...FURTHER_REFERENCES[record.entityType ?? ''],
})

/** Every column that can be requested, in the order in which they are written. */
export async function columnsOf(ctx: Ctx, record: RecordType): Promise<Column[]> {
  const fields = Object.keys(record.output.fields).filter(
    name => !NOT_OFFERED.includes(name) && !NOT_OFFERED.includes(`${name} of ${record.table}`),
  )
  const tags = TAGGED.includes(record.entityType ?? '') ? [TAGS] : []
  const columns = [...fields.flatMap(name => fieldColumns(record, name)), ...tags, DELETED_AT]
  if (!('metadata' in record.output.fields)) return columns
  const declared = await definitionsOf(ctx, record.entityType ?? '')
  return [
    ...columns,
    ...declared.map(({ key }): Column => ({ name: `cf.${key}`, from: 'metadata', key })),
    { name: 'metadata', from: 'metadata', key: undefined },
  ]
}

function fieldColumns(record: RecordType, name: string): Column[] {
  const link = record.links?.[name]
  if (link) {
    return [
      { name, from: 'link', link, part: 'ids' },
      { name: namesOf(name), from: 'link', link, part: 'names' },
    ]
  }
  const kind = kindOf(record.output.fields[name]?.json ?? {})
  const plain = (ctx: Ctx) => record.computed?.[name]?.(ctx) ?? sql`r.${sql.ref(name)}`
  const column: Column = {
    name,
    from: 'row',
    kind,
    sql: isJsonText(kind) ? ctx => sql`to_json(${plain(ctx)})` : plain,
  }
  const target = referencesOf(record)[name]
  return target ? [column, { name: namesOf(name), from: 'name', target, field: name, id: plain }] : [column]
}

/** A link has two ends and is exported at one of them: with the contact, not the company; with the deal, not the others. */
const AT_THE_OTHER_END: Record<string, readonly string[]> = {
  company: ['team_ids', 'associated_deal_ids'],
  contact: ['associated_deal_ids'],
}

/** Columns that an import can read back: all except derived ones. */
export function isPortable(record: RecordType, column: Column): boolean {
  const { name } = column
  const elsewhere = AT_THE_OTHER_END[record.entityType ?? ''] ?? []
  if (elsewhere.some(field => field === name || namesOf(field) === name)) return false
  if (['id', 'created_at', 'updated_at', 'tags'].includes(name) || column.from === 'metadata') return true
  if (Object.hasOwn(record.input.fields, name)) return true
  const inputs = Object.keys(record.input.fields)
  return column.from !== 'row' && inputs.some(input => namesOf(input) === name && input !== name)
}

/**
 * The requested columns in the requested order. By default: for a table all that an import can read back, for JSON all
 * columns, with ids and names of linked records together.
 */
export async function chosenColumns(
  ctx: Ctx,
  record: RecordType,
  fields: readonly string[] | null,
  format: 'csv' | 'json',
): Promise<Column[]> {
  const columns = await columnsOf(ctx, record)
  if (fields === null) {
    const isWanted = (column: Column) =>
      format === 'csv'
        ? isPortable(record, column)
        : column === TAGS || !(column.from === 'link' && column.part === 'names')
    return columns.filter(column => column !== DELETED_AT && isWanted(column))
  }
  return fields.map((name, i) => {
    const column = columns.find(column => column.name === name) ?? undeclared(record, name)
    if (column) return column
    const expected = `one of ${columns.map(column => column.name).join(', ')}, or cf.<key>`
    throw errors.invalidValue(['body', 'fields', i], `there is no such field: take ${expected}`, name)
  })
}

/** A metadata key that is not declared as a custom field. */
function undeclared(record: RecordType, name: string): Column | undefined {
  const key = /^cf\.([A-Za-z0-9_-]{1,100})$/.exec(name)?.[1]
  return key !== undefined && 'metadata' in record.output.fields ? { name, from: 'metadata', key } : undefined
}
