/** The first rows as they would be imported, without writing anything. */
import type { Ctx } from '../../../kernel/context.ts'
import type { Resource } from '../../../kernel/resource.ts'
import { storedFile } from './access.ts'
import { readRecords } from './analyse.ts'
import { namesIn } from './created-before.ts'
import type { CsvRecord } from './csv-parser.ts'
import type { Draft } from './draft.ts'
import { rolledBack } from './dry-run.ts'
import { planOf, type Stored } from './plan.ts'

export async function preview(ctx: Ctx, resources: readonly Resource[], stored: Stored, count: number) {
  const records = await firstRecords(ctx, stored, count)
  const plan = await planOf(ctx, resources, stored)
  const names = namesIn(plan)
  if (names) records.forEach(names.add)
  const { drafts, outcomes } = await rolledBack(ctx, (await names?.plan()) ?? plan, [], records)
  return drafts.map(draft => ({
    row: draft.row,
    outcome: outcomes.get(draft),
    values: valuesOf(draft),
    errors: draft.errors.map(error => ({ row: draft.row, severity: 'error', ...error })),
    warnings: draft.warnings.map(warning => ({ row: draft.row, severity: 'warning', ...warning })),
  }))
}

async function firstRecords(ctx: Ctx, stored: Stored, count: number): Promise<CsvRecord[]> {
  const limit = count + (stored.has_header ? 1 : 0)
  const rows: CsvRecord[] = []
  for await (const records of readRecords(storedFile(ctx, stored.id), stored)) {
    rows.push(...records.slice(0, limit - rows.length))
    if (rows.length === limit) break
  }
  return stored.has_header ? rows.slice(1) : rows
}

/** What the row calls the records that it is linked to: `company_name`, `contact_names`. */
const namesOf = (links: Draft['links']) =>
  Object.fromEntries(
    Object.entries(links).flatMap(([field, { names, domain }]) => {
      const all = names.length > 0 ? names : domain === undefined ? [] : [domain]
      const name = field.replace(/_ids$/, '_names').replace(/_id$/, '_name')
      return all.length > 0 ? [[name, all.join(', ')]] : []
    }),
  )

const valuesOf = ({ id, created_at, updated_at, input, links, metadata, tags }: Draft) => ({
  ...(id === undefined ? {} : { id }),
  ...(created_at === undefined ? {} : { created_at }),
  ...(updated_at === undefined ? {} : { updated_at }),
  ...input,
  ...namesOf(links),
  ...(metadata === undefined ? {} : { metadata }),
  ...(tags.length === 0 ? {} : { tags }),
})
