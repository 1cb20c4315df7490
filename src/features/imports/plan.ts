/** An import as it is stored, and what is to be done with its rows. */
import { sql } from 'kysely'
import { type Ctx, queryOne } from '../../kernel/context.ts'
import { JobFailed } from '../../kernel/jobs.ts'
import type { Resource } from '../../kernel/resource.ts'
import { living } from '../../kernel/statements.ts'
import { accountCurrency } from '../../resources/accounts/currency.ts'
import type { Exported } from '../exports/record.ts'
import type { Column, Layout } from './analyse.ts'
import type { Plan } from './batch.ts'
import { mappedColumns } from './drafts.ts'
import { importFields, undeclaredField } from './fields.ts'
import { DEFAULT_MATCH } from './match.ts'
import type { ImportOptions } from './record.ts'
import type { SetWriter } from './write.ts'
import { companyWriter, contactWriter } from './write-people.ts'

export interface Stored extends Layout {
  id: string
  entity_type: Exported
  columns: Column[]
  mapping: Record<string, string | null>
  options: Partial<ImportOptions>
  status: string
  total_rows: number
  processed_rows: number
  operation_id: string | null
}

const WRITERS: Partial<Record<Exported, SetWriter>> = { contact: contactWriter, company: companyWriter }

export async function load(ctx: Ctx, id: string): Promise<Stored> {
  const stored = await queryOne(
    ctx,
    sql<Stored>`select i.id, i.entity_type, i.encoding, i.delimiter, i.has_header, i.columns, i.mapping, i.options,
      i.status, i.total_rows, i.processed_rows, i.operation_id from ${living(ctx, 'imports')} i where i.id = ${id}`,
  )
  if (!stored) throw new JobFailed('The import has been deleted')
  return stored
}

export async function planOf(ctx: Ctx, resources: readonly Resource[], stored: Stored): Promise<Plan> {
  const { entity_type, columns, mapping, options } = stored
  const resource = resources.find(({ record }) => record.entityType === entity_type)
  if (!resource) throw new JobFailed(`There are no records of the kind ${entity_type}`)
  const fields = await importFields(ctx, resource.record)
  const matchOn = options.match_on == null ? DEFAULT_MATCH[entity_type] : [options.match_on].flat()
  return {
    resource,
    writer: WRITERS[entity_type],
    columns: mappedColumns(columns, mapping, name => fields.get(name) ?? undeclaredField(name), options),
    width: columns.length,
    strategy: options.duplicate_strategy ?? 'skip',
    matchOn,
    currencies: { ofAccount: await accountCurrency(ctx), option: options.currency ?? undefined },
    createCompanies: (options.create_missing_companies ?? true) && ['contact', 'deal'].includes(entity_type),
  }
}
