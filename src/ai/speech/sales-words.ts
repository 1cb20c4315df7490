/** Common sales terms. */
export const SALES_WORDS: readonly string[] =
  `account accounts agreement agenda amount annual appointment approval approved attachment bill billed billing board
  brochure budget business buyer calendar call calls campaign cancel case catalogue chairman channel charge claim client
  clients close closing colleague commission company competitor competitors complaint conference confirm consultant
  contact contacts contract contracts cost costs credit customer customers data database deadline deal deals dealer
  decision delivery demo department deposit director discount discounts distributor document documents draft email
  employee employees estimate euros dollars pounds event evaluation executive expense export feature features fee
  feedback finance financial follow forecast framework growth headquarters hotline implementation import imports
  industry insurance integration interested invoice invoices issue launch lead leads lease legal license licence licences
  list logistics maintenance management manager margin market marketing meeting meetings message milestone month monthly
  negotiation newsletter note notes offer offers office onboarding opportunity option order orders owner partner partners
  payment payments percent pilot pipeline plan plans plant platform portfolio presentation price prices pricing priority
  problem procurement product production project proposal prospect prospects provider purchase purchasing quality quarter
  quarterly quote quotes rebate reference references refund region release reminder renewal rent report reporting reports
  request requirement reseller revenue review rollout salary sales schedule seats security service services sheet
  shipment sign signature software solution specification spreadsheet spreadsheets staff stage stakeholder stock strategy
  subscription summary supplier suppliers support survey target tax team technical tender term terms ticket trade training
  trial update upgrade user users value vendor visit volume warehouse warranty website week weekly workshop year yearly`.split(
    /\s+/,
  )
