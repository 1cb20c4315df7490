/**
 * Records that the whole file names and that the import creates before its first row, so that the lookups of a row do
 * not depend on earlier rows: pipelines and stages, and options of custom fields. Rows that others name as parent are
 * imported before those (families.ts).
 */
import type { Ctx } from '../../../kernel/context.ts'
import { createOptions, namedOptions } from './create-options.ts'
import { createStages, namedStages } from './create-stages.ts'
import type { CsvRecord } from './csv-parser.ts'
import { namedParents } from './families.ts'
import type { Plan } from './types.ts'

interface Names {
  add(record: CsvRecord): void
  plan(): Promise<Plan>
}

/** Reads what the records of a file name; undefined where the plan does not depend on it. */
export function namesIn(plan: Plan): Names | undefined {
  const stages = namedStages(plan)
  const options = namedOptions(plan)
  const parents = namedParents(plan)
  if (!stages && !options && !parents) return undefined
  return {
    add(record) {
      stages?.add(record)
      options?.add(record)
      parents?.add(record)
    },
    plan: async () => ({ ...plan, named: stages?.list() ?? [], families: await parents?.families() }),
  }
}

export async function createNamed(tx: Ctx, plan: Plan): Promise<void> {
  await createStages(tx, plan)
  await createOptions(tx, plan)
}
