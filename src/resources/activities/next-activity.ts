/**
 * The next planned activity of a contact or a deal. Triggers update the columns when activities change; a time that has
 * passed since then is replaced by the next one when it is read.
 */
import { sql } from 'kysely'

/** For `computed` of contacts. */
export const nextInteraction = () =>
  sql`(case when r.next_interaction < now() then coming_interaction(r.account_id, r.id) else r.next_interaction end)`

/** For `computed` of deals. */
export const nextActivityAt = () =>
  sql`(case when r.next_activity_at < now() then coming_activity(r.account_id, r.id) else r.next_activity_at end)`
