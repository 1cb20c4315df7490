/** The result of one check. */
import { explain } from '../failure.ts'

export interface Finding {
  subject: string
  state: 'ok' | 'warning' | 'failure'
  text: string
  /** what to do */
  advice?: string
}

export const ok = (subject: string, text: string): Finding => ({ subject, state: 'ok', text })
export const warning = (subject: string, text: string, advice: string): Finding => ({
  subject,
  state: 'warning',
  text,
  advice,
})
export const failure = (subject: string, text: string, advice: string): Finding => ({
  subject,
  state: 'failure',
  text,
  advice,
})

/** A check that throws has failed. */
export async function checked(
  subject: string,
  advice: string,
  work: () => Promise<Finding | Finding[]>,
): Promise<Finding[]> {
  try {
    return [await work()].flat()
  } catch (error) {
    return [failure(subject, explain(error), advice)]
  }
}
