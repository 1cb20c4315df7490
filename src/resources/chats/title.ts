const MAX_LENGTH = 80

/** A chat's title from its first message: the first line, cut between words. */
export function titleFrom(content: string): string | null {
  const [line = ''] = content.trimStart().split(/[\r\n]/, 1)
  const words = line.replace(/\s+/g, ' ').trim()
  if (words === '') return null
  const characters = [...words.slice(0, 4 * MAX_LENGTH)]
  if (characters.length <= MAX_LENGTH) return words
  const cut = characters.slice(0, MAX_LENGTH - 1).join('')
  const space = cut.lastIndexOf(' ')
  return `${(space > MAX_LENGTH / 2 ? cut.slice(0, space) : cut).trimEnd()}…`
}
