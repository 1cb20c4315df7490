/** The name of any record. */
export const nameOf = (record: object): string => {
  const { full_name, name, subject, title } = record as Record<string, unknown>
  return String(full_name ?? name ?? subject ?? title ?? '')
}
