/** Writes a set so that the result is that of writing its items one after the other. */
import { isDatabaseError, isStatementTimeout, isTransient, isUnavailable } from '../db/sqlstate.ts'
import { type Ctx, withSavepoint } from './context.ts'
import { HttpError } from './errors.ts'

/** Thrown where the outcome of an item of a set may depend on one before it. */
export class Entangled extends Error {}

/**
 * Calls `write` with all items. Where that fails because of one of them, what it wrote is rolled back and each half is
 * written by itself, the first before the second: 1,000 items of which one fails take about 20 further calls. The error
 * of a single item is for `refused`, which throws it again if it is not the item's fault.
 */
export async function inHalves<T, R>(
  tx: Ctx,
  items: readonly T[],
  write: (items: readonly T[]) => Promise<R[]>,
  refused: (item: T, error: unknown) => R,
): Promise<R[]> {
  try {
    return await withSavepoint(tx, () => write(items))
  } catch (error) {
    if (!isOfAnItem(error)) throw error
    const [only, ...more] = items
    if (only !== undefined && more.length === 0) return [refused(only, error)]
    const half = Math.ceil(items.length / 2)
    const first = await inHalves(tx, items.slice(0, half), write, refused)
    return [...first, ...(await inHalves(tx, items.slice(half), write, refused))]
  }
}

const isOfAnItem = (error: unknown): boolean => {
  if (!isDatabaseError(error)) return error instanceof Entangled || error instanceof HttpError
  return !isTransient(error) && !isUnavailable(error) && !isStatementTimeout(error)
}
