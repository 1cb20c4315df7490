/** Metadata that is written on records, before and after it is checked. */
import type { Issue, Loc } from '../../kernel/schema/index.ts'
import type { Definition } from './definition.ts'

export type Metadata = Record<string, unknown>

export interface Write {
  /** of the record that changes; a new one has none */
  id?: string | undefined
  metadata: Metadata
  /** what the record has already; undefined when it is new */
  before?: Metadata | undefined
}

export interface Checked {
  /** the values as they are stored: read as their types, with the defaults of a new record */
  metadata: Metadata
  issues: Issue[]
  /** the message of a 409: a unique value that another record has */
  conflict: string | undefined
}

/** A value of a field, at its location in the request. */
export interface FieldValue {
  definition: Pick<Definition, 'field_type' | 'validation'>
  value: unknown
  loc: Loc
}

/** A value that changes, as opposed to one sent back unchanged. */
export interface Change extends FieldValue {
  definition: Definition
  write: Write
  checked: Checked
}
