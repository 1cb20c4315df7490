/** Counts the statements of this process, and wakes code that waits for the next one. */
export interface StatementCount {
  readonly value: number
  add(): void
  /** Resolves as soon as more than `count` statements have begun, or when the signal is aborted. */
  above(count: number, signal: AbortSignal): Promise<void>
}

export function statementCount(): StatementCount {
  let value = 0
  const waiting = new Set<() => void>()
  return {
    get value() {
      return value
    },
    add() {
      value++
      for (const wake of waiting) wake()
    },
    above(count, signal) {
      if (value > count || signal.aborted) return Promise.resolve()
      return new Promise(resolve => {
        const wake = () => {
          if (value <= count && !signal.aborted) return
          waiting.delete(wake)
          signal.removeEventListener('abort', wake)
          resolve()
        }
        waiting.add(wake)
        signal.addEventListener('abort', wake)
      })
    },
  }
}
