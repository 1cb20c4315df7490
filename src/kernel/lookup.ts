/**
 * A table that is read by names which clients send. A plain object would also answer to `constructor`, `toString` and
 * whatever else Object.prototype has.
 */
export const lookup = <T>(entries: Readonly<Record<string, T>>): Readonly<Record<string, T | undefined>> =>
  Object.assign(Object.create(null), entries)
