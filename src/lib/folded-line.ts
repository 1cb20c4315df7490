/** Lines of vCard and iCalendar files. */
const MAX_OCTETS = 75

/** Lines have at most 75 octets: a long one continues after a line break and a space. No character is split. */
export function foldedLine(line: string): string {
  if (Buffer.byteLength(line) <= MAX_OCTETS) return line
  let text = ''
  let octets = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > MAX_OCTETS) {
      text += '\r\n '
      octets = 1
    }
    text += character
    octets += size
  }
  return text
}
