/** Writes whose result the page shows although the service has not answered them: what is read meanwhile would lack it. */
let count = 0

export const hasUnanswered = (): boolean => count > 0

export async function whileUnanswered<T>(write: () => Promise<T>): Promise<T> {
  count++
  try {
    return await write()
  } finally {
    count--
  }
}
