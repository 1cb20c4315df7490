/** The columns that refer to a kind of record, from the `references` of all records. */
import type { RecordType } from '../../kernel/resource.ts'
import type { TableName } from '../../kernel/statements.ts'
import { resources } from '../../resources/index.ts'
import { type KindName, kindOfTable } from '../../resources/kinds.ts'
import { transcription } from '../recordings/record.ts'

export interface Referrer {
  table: TableName
  column: string
  to: KindName
}

const records: RecordType[] = [...resources.map(({ record }) => record), transcription]

export const referrers: readonly Referrer[] = records.flatMap(({ table, references = {} }) =>
  Object.entries(references).flatMap(([column, target]) => {
    const to = kindOfTable.get(target.table)
    return to ? [{ table, column, to }] : []
  }),
)
