/** A stored import, and the plan of how its rows are imported. */
import { sql } from 'kysely'
import { type Ctx, queryOne } from '../../../kernel/context.ts'
import { errors } from '../../../kernel/errors.ts'
import { JobFailed } from '../../../kernel/jobs.ts'
import { isSetResource, type Resource } from '../../../kernel/resource.ts'
import { living } from '../../../kernel/statements.ts'
import { accountCurrency } from '../../../resources/accounts/currency.ts'
import type { Exported } from '../exports/record.ts'
import type { Column, Layout } from './analyse.ts'
import { mappedColumns } from './drafts.ts'
import { importFields } from './fields.ts'
import { fieldNamed, type Mapping } from './mapping.ts'
import { defaultMatch } from './match.ts'
import { newFields } from './new-fields.ts'
import { type ImportOptions, onMissingOf } from './options.ts'
import type { Plan } from './types.ts'
import type { ValueMapping } from './value-mapping.ts'
import type { Warning } from './warnings.ts'

export interface Stored extends Layout {
  id: string
  entity_type: Exported
  columns: Column[]
  mapping: Mapping
  value_mapping: ValueMapping
  options: ImportOptions
  notices: Warning[]
  status: string
  total_rows: number
  processed_rows: number
  operation_id: string | null
}

const find = (ctx: Ctx, id: string): Promise<Stored | undefined> =>
  queryOne(
    ctx,
    sql<Stored>`select i.id, i.entity_type, i.format, i.notices, i.encoding, i.delimiter, i.has_header, i.columns, i.mapping,
      i.value_mapping, i.options,
      i.status, i.total_rows, i.processed_rows, i.operation_id from ${living(ctx, 'imports')} i where i.id = ${id}`,
  )

/** For a job, which fails without the import. */
export async function load(ctx: Ctx, id: string): Promise<Stored> {
  const stored = await find(ctx, id)
  if (!stored) throw new JobFailed('The import has been deleted')
  return stored
}

/** For a request. */
export async function requestedImport(ctx: Ctx, id: string): Promise<Stored> {
  const stored = await find(ctx, id)
  if (!stored) throw errors.notFound('Import')
  return stored
}

export async function planOf(ctx: Ctx, resources: readonly Resource[], stored: Stored): Promise<Plan> {
  const { entity_type, columns, mapping, value_mapping, options } = stored
  const onMissing = onMissingOf(options)
  const kinds = resources.filter(isSetResource)
  const resource = kinds.find(({ record }) => record.entityType === entity_type)
  if (!resource) throw new JobFailed(`There are no records of the kind ${entity_type}`)
  const fields = await importFields(ctx, resource.record)
  const created = await newFields(ctx, stored)
  const source = options.source ?? undefined
  const matchOn = options.match_on == null ? defaultMatch(entity_type) : [options.match_on].flat()
  const isExternal = source !== undefined && 'external_ids' in resource.record.input.fields
  return {
    resource,
    columns: mappedColumns(
      columns,
      mapping,
      name => created.get(name)?.field ?? fieldNamed(resource.record, fields)(name),
      options,
      value_mapping,
      onMissing,
    ),
    width: columns.length,
    strategy: options.duplicate_strategy ?? 'skip',
    matchOn: isExternal ? [`external_ids.${source}`, ...matchOn] : matchOn,
    source,
    currencies: { ofAccount: await accountCurrency(ctx), option: options.currency ?? undefined },
    named: [],
    families: undefined,
    onMissing,
    pipeline: options.pipeline ?? undefined,
    companies: kinds.find(({ record }) => record.entityType === 'company'),
    contacts: kinds.find(({ record }) => record.entityType === 'contact'),
  }
}
