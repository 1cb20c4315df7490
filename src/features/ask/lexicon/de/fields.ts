/** German words for fields. */
import { words } from '../entries.ts'
import type { FieldEntry } from '../types.ts'

const ofPeople: FieldEntry[] = (['company', 'contact'] as const).flatMap(entity => [
  { entity, field: 'country', type: 'text', words: words('land, lander, landern') },
  { entity, field: 'city', type: 'text', words: words('stadt, stadte, stadten, ort, orte') },
  { entity, field: 'status', type: 'text', words: words('status') },
  {
    entity,
    field: 'phone',
    type: 'text',
    words: words('telefon, telefonnummer, telefonnummern, nummer, handynummer'),
  },
  {
    entity,
    field: 'email',
    type: 'text',
    words: words('email, e-mail, mail, email-adresse, e-mail-adresse, mailadresse, emailadresse'),
  },
])

export const FIELDS: readonly FieldEntry[] = [
  {
    entity: 'deal',
    field: 'amount',
    type: 'money',
    words: words('betrag, betrage, wert, volumen, summe, grosse, auftragswert'),
    most: words('grosste, grossten, grosster, grosstes, hochste, hochsten, wertvollste, wertvollsten'),
    least: words('kleinste, kleinsten, kleinster, kleinstes, niedrigste, niedrigsten'),
  },
  {
    entity: 'deal',
    field: 'probability',
    type: 'number',
    words: words('wahrscheinlichkeit, abschlusswahrscheinlichkeit'),
  },
  { entity: 'deal', field: 'stage.name', type: 'text', words: words('phase, phasen, stufe, stufen') },
  { entity: 'deal', field: 'pipeline.name', type: 'text', words: words('pipelines') },
  {
    entity: 'deal',
    field: 'company.name',
    type: 'text',
    words: words('firma, firmen, unternehmen, customer, customers'),
  },
  {
    entity: 'deal',
    field: 'owner.name',
    type: 'text',
    words: words('besitzer, verantwortlicher, verantwortlichem, verkaufer, vertriebler'),
  },
  {
    entity: 'deal',
    field: 'lead_source',
    type: 'text',
    words: words('quelle, quellen, herkunft, leadquelle'),
  },
  {
    entity: 'deal',
    field: 'lost_reason',
    type: 'text',
    words: words('verlustgrund, verlustgrunde, grund, grunde'),
  },
  { entity: 'deal', field: 'currency', type: 'text', words: words('wahrung, wahrungen') },
  {
    entity: 'deal',
    field: 'expected_close_date',
    type: 'date',
    words: words('abschlussdatum, abschlusstermin, erwartetes abschlussdatum'),
  },
  {
    entity: 'company',
    field: 'industry',
    type: 'text',
    words: words('branche, branchen, industrie, industrien'),
  },
  {
    entity: 'company',
    field: 'employee_count',
    type: 'number',
    words: words('mitarbeiter, mitarbeitern, mitarbeiterzahl, beschaftigte, beschaftigten, angestellte'),
    most: words('grosste, grossten, grosster, grosstes'),
    least: words('kleinste, kleinsten, kleinster, kleinstes'),
  },
  {
    entity: 'company',
    field: 'annual_revenue',
    type: 'money',
    words: words('umsatz, jahresumsatz'),
  },
  { entity: 'company', field: 'website', type: 'text', words: words('webseite, website, homepage') },
  ...ofPeople,
  {
    entity: 'contact',
    field: 'job_title',
    type: 'text',
    words: words('position, positionen, stelle, funktion, berufsbezeichnung, titel'),
  },
  { entity: 'contact', field: 'department', type: 'text', words: words('abteilung, abteilungen') },
  { entity: 'contact', field: 'owner.name', type: 'text', words: words('besitzer') },
  { entity: 'contact', field: 'company.name', type: 'text', words: words('firma, arbeitgeber') },
  ...(['deal', 'company', 'contact'] as const).map(
    (entity): FieldEntry => ({
      entity,
      field: 'created_at',
      type: 'date',
      words: words('anlagedatum'),
      most: words('neueste, neuesten, neuester, neuestes'),
      least: words('alteste, altesten, altester, altestes'),
    }),
  ),
  { entity: 'activity', field: 'type', type: 'text', words: words('typ, art, arten') },
  {
    entity: 'activity',
    field: 'when',
    type: 'date',
    words: words('zeitpunkt'),
    most: words('neueste, neuesten'),
    least: words('alteste, altesten'),
  },
  { entity: 'activity', field: 'assignee.name', type: 'text', words: words('verantwortlicher') },
]
