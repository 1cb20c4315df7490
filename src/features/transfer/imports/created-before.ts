/**
 * What the file as a whole names and the import creates before its first row, so that what a row finds does not depend
 * on the rows before it: pipelines and stages, and options of custom fields.
 */
import type { Ctx } from '../../../kernel/context.ts'
import { createOptions, namedOptions } from './create-options.ts'
import { createStages, namedStages } from './create-stages.ts'
import type { CsvRecord } from './csv-parser.ts'
import type { Plan } from './types.ts'

/** Reads what the records of a file name; undefined where nothing is to be created. */
export function namesIn(plan: Plan): { add(record: CsvRecord): void; plan(): Plan } | undefined {
  const stages = namedStages(plan)
  const options = namedOptions(plan)
  if (!stages && !options) return undefined
  return {
    add(record) {
      stages?.add(record)
      options?.add(record)
    },
    plan: () => ({ ...plan, named: stages?.list() ?? [] }),
  }
}

export async function createNamed(tx: Ctx, plan: Plan): Promise<void> {
  await createStages(tx, plan)
  await createOptions(tx, plan)
}
