/** Words that people use beside those of the lexicon, and what they may be about. */
import type { Hint } from '../../types.ts'
import { FIELD_HINTS } from './fields.ts'
import { RECORD_HINTS } from './records.ts'
import { WORD_HINTS } from './words.ts'

export const ENGLISH_HINTS: readonly Hint[] = [...FIELD_HINTS, ...RECORD_HINTS, ...WORD_HINTS]
