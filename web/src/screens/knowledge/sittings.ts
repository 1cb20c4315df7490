/** Saves of one author that follow each other closely are one sitting: the text is saved after every pause. */
const PAUSE_MS = 10 * 60_000

interface Saved {
  user_id: string | null
  created_at: string
}

/** The last save of each sitting, of saves that begin with the newest. */
export const lastOfSittings = <T extends Saved>(saves: readonly T[]): T[] =>
  saves.filter((save, index) => {
    const next = saves[index - 1]
    if (next?.user_id !== save.user_id) return true
    return Date.parse(next.created_at) - Date.parse(save.created_at) > PAUSE_MS
  })
