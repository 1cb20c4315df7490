/**
 * A table for lookups by names from clients. A plain object would also find `constructor`, `toString` and the other
 * properties of Object.prototype.
 */
export const lookup = <T>(entries: Readonly<Record<string, T>>): Readonly<Record<string, T | undefined>> =>
  Object.assign(Object.create(null), entries)
