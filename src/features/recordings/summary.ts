/** An extractive summary: the most informative sentences of the transcript, in their original order. */

const MAX_SENTENCES = 5
const MAX_CHARACTERS = 1000
const SHORT_TEXT = 3

/** Words that are frequent in every conversation. */
const COMMON = new Set(
  `a about after again all also am an and any are as at back be because been before being but by can could did do
  does doing don done down even every few for from get go going good got had has have having he hello her here hi him
  his how i if in into is it its just know let like ll look m make maybe me mean more most much my no not now of off
  oh ok okay on one only or other our out over really right s said say see she should so some something sure t take
  than thank thanks that the their them then there these they thing things think this those to too um uh up us ve
  very want was way we well were what when where which who why will with would yeah yes you your`.split(
    /\s+/,
  ),
)

/** Words of agreements: days, amounts, tasks. */
const COMMITMENTS =
  /\d|\b(?:agree|agreed|action|budget|call|close|contract|deadline|decide|decided|decision|deliver|follow|invoice|meeting|monday|tuesday|wednesday|thursday|friday|saturday|sunday|next|price|proposal|quote|renewal|schedule|send|sign|tomorrow|will|hundred|thousand|million|percent)\b/gi

const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+(?:'[\p{L}]+)?/gu) ?? []).filter(word => !COMMON.has(word))

export function summaryOf(text: string): string | null {
  const sentences = text.match(/[^.!?]+(?:[.!?]+(?=\s|$)|$)|[^.!?]*[.!?]+/g)?.map(part => part.trim()) ?? []
  const full = sentences.filter(sentence => sentence.length > 0)
  if (full.length === 0) return null
  if (full.length <= SHORT_TEXT) return cut(full)

  const counts = new Map<string, number>()
  for (const word of full.flatMap(wordsOf)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const scored = full.map((sentence, position) => {
    const words = new Set(wordsOf(sentence))
    let sum = 0
    for (const word of words) sum += Math.log(1 + (counts.get(word) ?? 0))
    const commitments = sentence.match(COMMITMENTS)?.length ?? 0
    // divided by the length, because long sentences contain more words anyway
    return { sentence, position, score: sum / (6 + words.size) + 0.15 * Math.min(commitments, 3) }
  })
  const count = Math.min(MAX_SENTENCES, Math.max(2, Math.ceil(full.length / 6)))
  const best = scored
    .filter(({ sentence }) => wordsOf(sentence).length >= 3)
    .sort((a, b) => b.score - a.score || a.position - b.position)
    .slice(0, count)
    .sort((a, b) => a.position - b.position)
  return cut(best.length > 0 ? best.map(({ sentence }) => sentence) : full.slice(0, count))
}

function cut(sentences: readonly string[]): string {
  let summary = ''
  for (const sentence of sentences) {
    if (summary !== '' && summary.length + sentence.length > MAX_CHARACTERS) break
    summary += (summary === '' ? '' : ' ') + sentence
  }
  return [...summary].slice(0, MAX_CHARACTERS).join('')
}
