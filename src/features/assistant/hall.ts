/** The answers that this process is giving at the moment. */
import type { Config } from '../../config.ts'
import type { Engine } from '../../db/engine.ts'
import type { Answering } from './answering.ts'

interface Hall {
  answers: Map<string, { answering: Answering; settled: Promise<unknown> }>
  /** when the service stops: until then answers may come to their end */
  closesAt: number | undefined
}

const halls = new WeakMap<Engine, Hall>()

function hallOf(engine: Engine): Hall {
  let hall = halls.get(engine)
  if (!hall) {
    hall = { answers: new Map(), closesAt: undefined }
    halls.set(engine, hall)
  }
  return hall
}

const cutAt = (answering: Answering, at: number) =>
  setTimeout(() => answering.cut('service_stopped'), Math.max(0, at - Date.now())).unref()

export function enterHall(engine: Engine, answering: Answering, settled: Promise<unknown>): void {
  const hall = hallOf(engine)
  hall.answers.set(answering.messageId, { answering, settled })
  if (hall.closesAt !== undefined) cutAt(answering, hall.closesAt)
  settled.finally(() => hall.answers.delete(answering.messageId))
}

export const answeringOf = (engine: Engine, messageId: string): Answering | undefined =>
  hallOf(engine).answers.get(messageId)?.answering

/** When the service stops: what cannot be said in half the time that requests in flight have is cut short. */
export function closeAnswers(engine: Engine, { drainMs, stopTimeoutMs }: Config['limits']): void {
  const hall = hallOf(engine)
  hall.closesAt = Date.now() + drainMs + stopTimeoutMs / 2
  for (const { answering } of hall.answers.values()) cutAt(answering, hall.closesAt)
}

/** All answers are stored: the database may go. */
export async function answersSettled(engine: Engine): Promise<void> {
  const hall = hallOf(engine)
  for (const { answering } of hall.answers.values()) answering.cut('service_stopped')
  await Promise.allSettled([...hall.answers.values()].map(({ settled }) => settled))
}
