/** Names of people, by the language of their country, and what they do. No combination is meant to be a real person. */

const ENGLISH = {
  first: [
    'Alice',
    'Owen',
    'Priya',
    'Callum',
    'Grace',
    'Samuel',
    'Nadia',
    'Theo',
    'Imogen',
    'Marcus',
    'Hannah',
    'Dev',
  ],
  last: [
    'Whitcombe',
    'Okafor',
    'Fairley',
    'Patel',
    'Dunmore',
    'Ashworth',
    'Lindgate',
    'Mercer',
    'Holloway',
    'Byrne',
  ],
}
const GERMAN = {
  first: ['Katrin', 'Jonas', 'Anja', 'Matthias', 'Leyla', 'Sebastian', 'Heike', 'Florian', 'Miriam', 'Uwe'],
  last: [
    'Brandhofer',
    'Yildirim',
    'Kessler',
    'Steinbach',
    'Vogtländer',
    'Reinhardt',
    'Obermayr',
    'Lohse',
    'Falk',
  ],
}
const ROMANCE = {
  first: ['Lucía', 'Mathieu', 'Inês', 'Giulia', 'Rafael', 'Élodie', 'Tiago', 'Carmen', 'Paolo', 'Margaux'],
  last: [
    'Ferreira',
    'Montclair',
    'Aguilar',
    'Benedetti',
    'Le Goff',
    'Carvalho',
    'Romero',
    'Sartori',
    'Duval',
  ],
}
const NORTHERN = {
  first: [
    'Ingrid',
    'Lars',
    'Sanne',
    'Mikkel',
    'Aino',
    'Joost',
    'Freja',
    'Eirik',
    'Marieke',
    'Tomasz',
    'Elin',
  ],
  last: [
    'Haugland',
    'Verbeek',
    'Lindqvist',
    'Nieminen',
    'Dahlgaard',
    'Kowalczyk',
    'de Wit',
    'Sørensen',
    'Ekman',
  ],
}

export const NAMES: Readonly<Record<string, typeof ENGLISH>> = {
  Germany: GERMAN,
  Austria: GERMAN,
  Switzerland: GERMAN,
  Spain: ROMANCE,
  France: ROMANCE,
  Portugal: ROMANCE,
  Italy: ROMANCE,
  Belgium: ROMANCE,
  Norway: NORTHERN,
  Sweden: NORTHERN,
  Denmark: NORTHERN,
  Finland: NORTHERN,
  Netherlands: NORTHERN,
  Poland: NORTHERN,
}
export const OTHER_NAMES = ENGLISH

/** One person of each at every company, in this order: who decides, who uses, who buys, who pays, who connects. */
export const ROLES = [
  [
    ['Managing Director', 'Management'],
    ['Head of Operations', 'Operations'],
    ['Technical Director', 'Engineering'],
  ],
  [
    ['Plant Manager', 'Operations'],
    ['Quality Manager', 'Quality'],
    ['Laboratory Manager', 'Laboratory'],
  ],
  [
    ['Procurement Manager', 'Purchasing'],
    ['Senior Buyer', 'Purchasing'],
  ],
  [
    ['Finance Director', 'Finance'],
    ['Controller', 'Finance'],
  ],
  [
    ['Maintenance Lead', 'Maintenance'],
    ['IT Manager', 'IT'],
    ['Process Engineer', 'Engineering'],
  ],
] as const

export const SOURCES = ['Trade fair', 'Recommendation', 'Website', 'Tender', 'Partner', 'Webinar'] as const
export const PHONE_CODES: Readonly<Record<string, string>> = {
  'United Kingdom': '+44 1632 96',
  'United States': '+1 202 555 0',
  Canada: '+1 613 555 0',
  Ireland: '+353 20 911',
}
