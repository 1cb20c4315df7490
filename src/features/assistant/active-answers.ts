/** The answers that this process is producing now. */
import type { Services } from '../../kernel/context.ts'
import { processState } from '../../kernel/process-state.ts'
import type { Answering } from './answering.ts'

interface ActiveAnswers {
  answers: Map<string, { answering: Answering; settled: Promise<unknown> }>
  /** when the service stops: answers may finish until then */
  closesAt: number | undefined
}

const activeAnswersOf = processState<ActiveAnswers>(() => ({ answers: new Map(), closesAt: undefined }))

const cutAt = (answering: Answering, at: number) =>
  setTimeout(() => answering.cut('service_stopped'), Math.max(0, at - Date.now())).unref()

export function trackAnswer(services: Services, answering: Answering, settled: Promise<unknown>): void {
  const active = activeAnswersOf(services)
  active.answers.set(answering.messageId, { answering, settled })
  if (active.closesAt !== undefined) cutAt(answering, active.closesAt)
  settled.finally(() => active.answers.delete(answering.messageId))
}

export const answeringOf = (services: Services, messageId: string): Answering | undefined =>
  activeAnswersOf(services).answers.get(messageId)?.answering

/** When the service stops: answers that do not finish in half the time of requests in flight are cut short. */
export function closeAnswers(services: Services): void {
  const { drainMs, stopTimeoutMs } = services.config.limits
  const active = activeAnswersOf(services)
  active.closesAt = Date.now() + drainMs + stopTimeoutMs / 2
  for (const { answering } of active.answers.values()) cutAt(answering, active.closesAt)
}

/** Resolves when all answers are stored and the database may be closed. */
export async function answersSettled(services: Services): Promise<void> {
  const active = activeAnswersOf(services)
  for (const { answering } of active.answers.values()) answering.cut('service_stopped')
  await Promise.allSettled([...active.answers.values()].map(({ settled }) => settled))
}
