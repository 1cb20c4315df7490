/** Edits of one field: each is written only while the field has the value that the person saw. */
import { changesOf, type Field, readField } from './field-types.ts'
import type { Methods } from './groups.ts'

export interface FieldEdit {
  field: Field
  /** in the form that the API takes */
  value: unknown
  /** the same in the form of the record, where it differs: links are written as ids and read with names */
  shown?: object
  /** the value when the editor was opened */
  before: unknown
  /** other fields that the same text sets: the currency of "€ 500" */
  also?: Readonly<Record<string, unknown>>
}

/** What `useUpdate` takes for the edit of a field. */
export const fieldUpdate = (id: string, edit: FieldEdit, editAgain: () => void) => ({
  id,
  changes: { ...changesOf(edit.field, edit.value), ...edit.also },
  shown: edit.shown ?? {},
  message: `Changed ${edit.field.label.toLowerCase()}`,
  editAgain,
  edit,
})

/** An empty value is null, and a linked record its id, whatever its name is now. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(comparable)
  if (typeof value === 'object' && value !== null && 'id' in value) return value.id
  return value ?? null
}

export const isSameValue = (one: unknown, other: unknown): boolean =>
  JSON.stringify(comparable(one)) === JSON.stringify(comparable(other))

/** Somebody has changed the field since the person saw it. */
export class ChangedMeanwhile<T> extends Error {
  override readonly name = 'ChangedMeanwhile'
  readonly stored: T
  constructor({ label }: Field, by: string, stored: T) {
    super(`${by} changed ${label.toLowerCase()} meanwhile, so it stays as it is`)
    this.stored = stored
  }
}

const SOMEBODY = 'Somebody else'

/** Who has changed the field last. */
async function changerOf<T>(methods: Methods<T>, id: string, { key }: Field): Promise<string> {
  const { items } = await methods.timeline(id, { query: { page_size: 50 } })
  const name = key.replace(/^cf\./, '')
  const actor = items.find(({ changes }) => changes.some(({ field }) => field === name))?.actor
  return actor?.user_name ?? SOMEBODY
}

/**
 * Writes the changes of an edit. The condition of the service is the whole record, so another field that was changed
 * meanwhile makes it read the record again, and only a change of this field is a conflict.
 */
export async function writeEdit<T extends object>(
  methods: Methods<T>,
  id: string,
  changes: object,
  { field, value, before, also }: FieldEdit,
): Promise<T> {
  for (;;) {
    const stored = await methods.get(id)
    const current = readField(stored, field)
    if (!also && isSameValue(current, value)) return stored
    if (!isSameValue(current, before)) {
      const by = await changerOf(methods, id, field).catch(() => SOMEBODY)
      throw new ChangedMeanwhile(field, by, stored)
    }
    try {
      return await methods.patch(id, changes, { ifMatch: stored })
    } catch (error) {
      if (!(error instanceof Error && 'status' in error && error.status === 412)) throw error
    }
  }
}

/** The last write of each record, which the next one waits for: it compares with what that one has stored. */
const writes = new Map<string, Promise<unknown>>()

export function inOrder<T>(id: string, write: () => Promise<T>): Promise<T> {
  const turn = (writes.get(id) ?? Promise.resolve()).then(write, write)
  writes.set(id, turn)
  const forget = () => {
    if (writes.get(id) === turn) writes.delete(id)
  }
  turn.then(forget, forget)
  return turn
}
