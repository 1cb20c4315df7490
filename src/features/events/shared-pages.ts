/**
 * Streams of one account that wait at the same position get the same page: it is read and written as text once. With
 * 170 streams that read each page for themselves, 100 changes of 20 KB left 250 MB of garbage.
 */
import type { Services } from '../../kernel/context.ts'
import { processState } from '../../kernel/process-state.ts'
import type { StreamPage } from './pages.ts'

const reading = processState(() => new Map<string, Promise<StreamPage>>())

/**
 * Shares a read while it runs. `key` must contain everything that the page depends on, and how many events there were
 * when the stream was woken: a read that began before that may not have them.
 */
export function sharedPage(
  services: Services,
  key: string,
  read: () => Promise<StreamPage>,
): Promise<StreamPage> {
  const pages = reading(services)
  const running = pages.get(key) ?? read().finally(() => pages.delete(key))
  pages.set(key, running)
  return running
}
