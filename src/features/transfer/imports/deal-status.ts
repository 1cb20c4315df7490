/** Whether a deal is open, won or lost, as other products and people write it apart from the stage. */
import type { StageType } from '../../../resources/pipelines/record.ts'
import { lettersOf } from './aliases.ts'
import { CellError } from './values.ts'

const WORDS: [type: StageType, words: RegExp][] = [
  ['won', /^(?:closed?)?won$|^(?:gewonnen|ganado|gagne|vinto|abschluss|dealwon|closedwon|wonclosed|signed)$/],
  ['lost', /^(?:closed?)?lost$|^(?:verloren|perdido|perdu|perso|deallost|lostclosed)$/],
]
const OPEN = /^(?:open|offen|opened|active|aktiv|inprogress|inbearbeitung|laufend|abierto|ouvert|aperto)$/
const DELETED = /^(?:deleted|geloscht|trash|trashed)$/

/** A stage of any other name is open. */
export const stageTypeOf = (name: string): StageType => closedType(name) ?? 'open'

const closedType = (text: string): StageType | undefined => {
  const letters = lettersOf(text)
  return WORDS.find(([, words]) => words.test(letters))?.[0]
}

/** undefined: the text is no status. */
export const dealStatusOf = (text: string): StageType | undefined =>
  closedType(text) ?? (OPEN.test(lettersOf(text)) ? 'open' : undefined)

export function readDealStatus(text: string): StageType {
  const status = dealStatusOf(text)
  if (status !== undefined) return status
  const shown = `“${text.trim().slice(0, 60)}”`
  if (DELETED.test(lettersOf(text)))
    throw new CellError(
      `${shown}: a deal that was deleted is not imported; to import it, map the cell to open, won or lost with value_mapping`,
    )
  throw new CellError(
    `${shown} is not a status: open, won and lost are read (offen, gewonnen, verloren); map other words to these with value_mapping, or the column to stage_name if it has stages`,
  )
}
