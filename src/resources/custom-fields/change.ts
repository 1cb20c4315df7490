/** Metadata to be written, before and after the check. */
import type { Issue, Loc } from '../../kernel/schema/index.ts'
import type { Definition } from './definition.ts'

export type Metadata = Record<string, unknown>

export interface Write {
  /** the id of the record; a new record has none */
  id?: string | undefined
  metadata: Metadata
  /** the stored metadata; undefined for a new record */
  before?: Metadata | undefined
}

export interface Checked {
  /** the values to store: converted to their types, with defaults for a new record */
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
