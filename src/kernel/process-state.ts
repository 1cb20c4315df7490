/** Process-wide state of one part of the service, such as a cache. It is stored in `Services`. */
import type { Services } from './context.ts'

/**
 * One value per `Services`, created at first use. `make` must be synchronous: otherwise two callers could create two
 * values.
 */
export function processState<T>(make: (services: Services) => T): (services: Services) => T {
  const key = Symbol()
  return services => {
    if (!services.state.has(key)) services.state.set(key, make(services))
    // Only this function has the key, so the value came from `make`.
    return services.state.get(key) as T
  }
}
