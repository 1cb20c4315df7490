/** The first rows as they would go in, without anything being written. */
import { type Ctx, transaction } from '../../kernel/context.ts'
import type { Item, Resource } from '../../kernel/resource.ts'
import { transferFiles } from '../exports/files.ts'
import { readRecords } from './analyse.ts'
import { importRows, type Plan } from './batch.ts'
import type { CsvRecord } from './csv-parser.ts'
import { type Draft, draftOf } from './drafts.ts'
import { planOf, type Stored } from './plan.ts'

export async function preview(
  ctx: Ctx,
  resources: readonly Resource[],
  stored: Stored,
  count: number,
): Promise<Item[]> {
  const records = await firstRecords(ctx, stored, count)
  const plan: Plan = { ...(await planOf(ctx, resources, stored)), seen: new Set() }
  return transaction(ctx, async tx => {
    const drafts = records.map(record => draftOf(record, plan.columns, stored.columns.length))
    const outcomes = await importRows(tx, plan, drafts)
    return drafts.map(draft => ({
      row: draft.row,
      outcome: outcomes.get(draft),
      values: valuesOf(draft),
      errors: draft.errors.map(error => ({ row: draft.row, severity: 'error', ...error })),
      warnings: draft.warnings.map(warning => ({ row: draft.row, severity: 'warning', ...warning })),
    }))
  })
}

async function firstRecords(ctx: Ctx, stored: Stored, count: number): Promise<CsvRecord[]> {
  const wanted = count + (stored.has_header ? 1 : 0)
  const found: CsvRecord[] = []
  for await (const records of readRecords(transferFiles.path(ctx, stored.id), stored)) {
    found.push(...records.slice(0, wanted - found.length))
    if (found.length === wanted) break
  }
  return stored.has_header ? found.slice(1) : found
}

const valuesOf = ({ id, created_at, updated_at, input, metadata }: Draft): Item => ({
  ...(id === undefined ? {} : { id }),
  ...(created_at === undefined ? {} : { created_at }),
  ...(updated_at === undefined ? {} : { updated_at }),
  ...input,
  ...(metadata === undefined ? {} : { metadata }),
})
