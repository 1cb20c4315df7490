/** Texts of activities and notes. {company}, {contact}, {product} and {site} are replaced. */

export interface Step {
  type: 'call' | 'meeting' | 'email' | 'task'
  subject: string
  description: string
  outcome?: string
  minutes: number
}

/** The course of a sale, in order; a deal takes as many as it lasts. */
export const SALE: readonly Step[] = [
  {
    ...{ type: 'call', subject: 'First call with {contact}', minutes: 25 },
    description: '{contact} described what they measure today and what goes wrong at {site}.',
    outcome: 'Interested. Wants to see a {product} in a similar plant before talking about prices.',
  },
  {
    ...{ type: 'email', subject: 'Documents for {company}', minutes: 10 },
    description:
      'Sent the data sheet of the {product}, two references and the list of materials in contact with water.',
  },
  {
    ...{ type: 'meeting', subject: 'Site visit at {site}', minutes: 150 },
    description: 'Walked along the line with the maintenance team, took photos and measured cable lengths.',
    outcome: 'Mounting is simple. The radio link needs a second gateway behind the steel tanks.',
  },
  {
    ...{ type: 'meeting', subject: 'Demonstration for {company}', minutes: 60 },
    description: 'Showed dashboards, alarms and the monthly report. {contact} brought two colleagues.',
    outcome: 'They liked the report for the authority most. Open question: who may change alarm limits?',
  },
  {
    ...{ type: 'task', subject: 'Prepare the offer for {company}', minutes: 45 },
    description: 'Probes, gateways, mounting and one commissioning day; calibration as an option.',
  },
  {
    ...{ type: 'email', subject: 'Offer sent to {contact}', minutes: 10 },
    description: 'Offer with three options, valid for 30 days. Asked for a decision date.',
  },
  {
    ...{ type: 'call', subject: 'Questions about the offer', minutes: 30 },
    description: '{contact} asked about spare parts, delivery time and hosting of the data.',
    outcome: 'Price is fine, the payment terms are not. Purchasing wants 45 days and a framework agreement.',
  },
  {
    ...{ type: 'meeting', subject: 'Negotiation with purchasing', minutes: 50 },
    description: 'Went through the contract page by page: liability, delivery, service levels.',
    outcome: 'Agreed on delivery in two lots. Legal checks the data processing agreement.',
  },
]

/** What happens with customers between deals. */
export const CARE: readonly Step[] = [
  {
    ...{ type: 'call', subject: 'Quarterly check-in with {contact}', minutes: 20 },
    description: 'Asked how the probes are doing and what is planned.',
    outcome: 'All quiet. They think about a second site next year.',
  },
  {
    ...{ type: 'meeting', subject: 'Calibration visit at {site}', minutes: 180 },
    description: 'Calibrated all probes and replaced two membranes; certificates are in the cloud.',
    outcome: 'One turbidity probe drifts and goes to the workshop.',
  },
  {
    ...{ type: 'email', subject: 'Firmware update for {company}', minutes: 10 },
    description: 'Announced the update of the gateways and the maintenance window.',
  },
  {
    ...{ type: 'call', subject: 'Alarm at {site}', minutes: 15 },
    description: '{contact} reported alarms at night. The oxygen values were right: a pump had stopped.',
    outcome: 'Showed how to set a delay of five minutes. They were glad about the early warning.',
  },
  {
    ...{ type: 'meeting', subject: 'Training for the new shift', minutes: 90 },
    description: 'Trained six people in cleaning, changing membranes and reading the trend charts.',
    outcome: 'Sent the slides and a one-page checklist afterwards.',
  },
]

export const NEXT_STEPS: readonly Step[] = [
  {
    type: 'call',
    subject: 'Ask {contact} for the decision',
    description: 'The board met this week.',
    minutes: 15,
  },
  {
    type: 'task',
    subject: 'Revise the offer for {company}',
    description: 'Add the second gateway.',
    minutes: 30,
  },
  {
    type: 'meeting',
    subject: 'Show the cloud to IT of {company}',
    description: 'Hosting and single sign-on.',
    minutes: 45,
  },
  {
    type: 'task',
    subject: 'Send references to {contact}',
    description: 'Two plants of the same size.',
    minutes: 20,
  },
]

export const NOTES: readonly string[] = [
  '{contact} decides alone up to 20,000; above that the board has to agree. The board meets on the first Tuesday of the month.',
  'They had bad experience with a maker whose probes needed a new membrane every six weeks. **Service life is the argument**, not the price.',
  'Delivery address differs from the billing address: goods to {site}, gate 3, weekdays from 7 to 15.',
  'Budget for this year is spent. {contact} asked us to come back in the first quarter and to keep the price until then.',
  'Competes with us: an offer from another maker, about 12% cheaper, without calibration. {contact} sees the difference.',
  'IT requires hosting in the EU and a data processing agreement. Both are in the standard contract; sent it on the same day.',
  '{contact} prefers calls before nine in the morning and does not read long mails.',
  'At {site} the cabinet has no free power socket. Plan an electrician before the commissioning day.',
  'Works council must agree to the alarm list, because it shows who was on duty. {contact} takes care of it.',
  'Very happy with the oxygen probes: the alarm in August saved a whole tank. Agreed to be named as a reference.',
]

export const LOST = [
  'Price',
  'No budget this year',
  'Chose a competitor',
  'Project cancelled',
  'No decision',
] as const

export const SITES = [
  'the main plant',
  'pumping station north',
  'the new hall',
  'line 2',
  'the intake',
  'basin 4',
] as const
