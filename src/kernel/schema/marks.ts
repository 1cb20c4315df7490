/**
 * Runs of combining marks. Unicode normalisation sorts the marks that follow a letter, and both PostgreSQL and V8 do
 * that by insertion: a run of n marks takes n² steps (20,000 marks: 9 s). No script needs more than a handful.
 */
export const MAX_MARKS = 30

/** General category M, and the two halfwidth marks (category Lm) that compatibility normalisation turns into marks. */
const MARK = /[\p{M}\uff9e\uff9f]/u
const RUNS = new RegExp(`${MARK.source}+`, 'gu')
/** Everything below U+0300 is a letter, a sign or a control character. */
const MAY_HAVE_MARKS = /[^\0-\u02ff]/

let bmpMarks: Uint8Array | undefined

/** Which UTF-16 units are marks; a loop over this is linear, where /\p{M}{31}/ takes up to 31 steps a character. */
function marksOfBmp(): Uint8Array {
  bmpMarks ??= Uint8Array.from({ length: 0x10000 }, (_, unit) =>
    MARK.test(String.fromCharCode(unit)) ? 1 : 0,
  )
  return bmpMarks
}

export function hasLongMarkRun(text: string): boolean {
  if (text.length <= MAX_MARKS || !MAY_HAVE_MARKS.test(text)) return false
  const isMark = marksOfBmp()
  let run = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (isMark[unit] === 1) {
      run++
    } else if ((unit & 0xfc00) === 0xd800 && MARK.test(text.slice(i, i + 2))) {
      run++
      i++
    } else {
      run = 0
    }
    if (run > MAX_MARKS) return true
  }
  return false
}

const cutMarkRuns = (text: string): string =>
  hasLongMarkRun(text) ? text.replace(RUNS, run => [...run].slice(0, MAX_MARKS).join('')) : text

/**
 * NFKD with bounds, for text that no schema has checked, e.g. what the entities of an HTML body decode to. Longer runs
 * of marks are cut. So is a long result that is more than three times the length of the text: Hangul grows to three
 * times its length, and nothing that people write grows more, but one U+FDFA becomes 18 characters.
 */
export const decompose = (text: string): string =>
  beginning(cutMarkRuns(text).normalize('NFKD'), Math.max(5000, 3 * lengthOf(text)))

/** In code points, as PostgreSQL counts. */
const lengthOf = (text: string): number => text.length - (text.match(/[\ud800-\udbff]/g)?.length ?? 0)

const beginning = (text: string, count: number): string =>
  text.length <= count ? text : [...text].slice(0, count).join('')
