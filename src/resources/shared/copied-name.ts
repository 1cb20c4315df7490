/** The name of a copy: the original's with "(copy)" appended, within the field's maximum length. */
export function copiedName(name: string, max: number): string {
  const mark = ' (copy)'
  return [...name].slice(0, max - mark.length).join('') + mark
}
