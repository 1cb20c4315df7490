/** What a copy is called: the same with "(copy)" behind it, within the length that the field may have. */
export function copiedName(name: string, max: number): string {
  const mark = ' (copy)'
  return [...name].slice(0, max - mark.length).join('') + mark
}
