/**
 * What is planned next with a contact or on a deal. The columns are kept by the database as activities change;
 * a moment that has passed since then is replaced, when read, by the one that comes next.
 */
import { sql } from 'kysely'

/** For `computed` of contacts. */
export const nextInteraction = () =>
  sql`(case when r.next_interaction < now() then coming_interaction(r.account_id, r.id) else r.next_interaction end)`

/** For `computed` of deals. */
export const nextActivityAt = () =>
  sql`(case when r.next_activity_at < now() then coming_activity(r.account_id, r.id) else r.next_activity_at end)`
