/** The kinds of records of this service and their relations. */
import { resources } from '../../../resources/index.ts'
import type { Kinds } from './relations.ts'
import { queryKinds } from './selection.ts'

let derived: Kinds | undefined

/** Derived from the declarations on first use. */
export function kinds(): Kinds {
  derived ??= queryKinds(resources)
  return derived
}
