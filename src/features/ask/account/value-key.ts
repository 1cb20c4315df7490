/** Values as people say them: "&" is "and", a hyphen is a space, and one or many is the same. */
import { fold } from '../../search/words.ts'

const single = (word: string): string =>
  word.length < 4 ? word : word.replace(/ies$/, 'y').replace(/(?<![sui])s$/, '')

export const valueKey = (text: string): string =>
  fold(text)
    .replace(/&/g, ' and ')
    .replace(/[^\p{L}\p{N}@.+]+/gu, ' ')
    .trim()
    .replace(/^the /, '')
    .split(' ')
    .map(single)
    .join(' ')
