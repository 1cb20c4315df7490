/** Every resource, one line each. */
import type { Resource } from '../kernel/resource.ts'
import { companies } from './companies/index.ts'

export const resources: Resource[] = [companies]
