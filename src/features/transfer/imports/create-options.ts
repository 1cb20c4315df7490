/** Options of custom fields that a file names and the account does not have (`on_missing.option: create`). */
import type { Ctx } from '../../../kernel/context.ts'
import { customFieldOperations } from '../../../resources/custom-fields/operations.ts'
import type { CsvRecord } from './csv-parser.ts'
import { draftOf } from './drafts.ts'
import { unlessRefused } from './refused.ts'
import type { Plan } from './types.ts'

const optionColumns = ({ columns }: Plan) => columns.filter(({ field }) => field.choices)

/** Notes the options that rows name on their fields; undefined where none is to be created. */
export function namedOptions(plan: Plan): { add(record: CsvRecord): void } | undefined {
  const columns = optionColumns(plan)
  if (plan.onMissing.option !== 'create' || columns.length === 0) return undefined
  return {
    add(record) {
      for (const mapped of columns) {
        const { field } = mapped
        const { metadata } = draftOf(record, [mapped], plan.width)
        for (const value of Object.values(metadata ?? {}).flat()) field.choices?.add(String(value))
      }
    },
  }
}

/** An option that is refused is not created, and its rows fail. */
export async function createOptions(tx: Ctx, plan: Plan): Promise<void> {
  const all = new Map(
    optionColumns(plan).flatMap(({ field: { choices } }) => (choices ? [[choices.fieldId, choices]] : [])),
  )
  for (const { fieldId, added } of all.values()) {
    if (added.length === 0) continue
    await unlessRefused(async () => {
      const { options } = await customFieldOperations.get(tx, fieldId)
      const existing = new Set(options?.map(({ value }) => value))
      const missing = added.filter(value => !existing.has(value))
      if (missing.length === 0) return
      const created = missing.map(value => ({ value, is_archived: false }))
      await customFieldOperations.update(tx, fieldId, { options: [...(options ?? []), ...created] })
    })
  }
}
