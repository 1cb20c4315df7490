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
  const hall = activeAnswersOf(services)
  hall.answers.set(answering.messageId, { answering, settled })
  if (hall.closesAt !== undefined) cutAt(answering, hall.closesAt)
  settled.finally(() => hall.answers.delete(answering.messageId))
}

export const answeringOf = (services: Services, messageId: string): Answering | undefined =>
  activeAnswersOf(services).answers.get(messageId)?.answering

/** When the service stops: answers that do not finish in half the time of requests in flight are cut short. */
export function closeAnswers(services: Services): void {
  const { drainMs, stopTimeoutMs } = services.config.limits
  const hall = activeAnswersOf(services)
  hall.closesAt = Date.now() + drainMs + stopTimeoutMs / 2
  for (const { answering } of hall.answers.values()) cutAt(answering, hall.closesAt)
}

/** All answers are stored: the database may go. */
export async function answersSettled(services: Services): Promise<void> {
  const hall = activeAnswersOf(services)
  for (const { answering } of hall.answers.values()) answering.cut('service_stopped')
  await Promise.allSettled([...hall.answers.values()].map(({ settled }) => settled))
}
