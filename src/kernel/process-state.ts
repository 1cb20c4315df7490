/** State that one part of the service keeps for the whole process, such as a cache. It lives in `Services`. */
import type { Services } from './context.ts'

/** One value per `Services`, made at first use. `make` must not wait: two callers would make two values. */
export function processState<T>(make: (services: Services) => T): (services: Services) => T {
  const key = Symbol()
  return services => {
    if (!services.state.has(key)) services.state.set(key, make(services))
    // The key is known here alone, so what it holds came from `make`.
    return services.state.get(key) as T
  }
}
