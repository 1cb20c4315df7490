/**
 * What the files of other products are recognised by, and what their columns mean beyond the names that
 * aliases.ts knows for all of them: the ids of their records, and names that mean something else elsewhere.
 */
import type { Exported } from '../exports/record.ts'
import { headerKeys, lettersOf } from './aliases.ts'
import type { Column } from './analyse.ts'
import { ICAL_UID } from './formats/ical.ts'
import { UID_HEADING } from './formats/vcard.ts'

export const PROFILES = [
  'hubspot',
  'pipedrive',
  'salesforce',
  'attio',
  'google_contacts',
  'outlook',
  'vcard',
  'ical',
] as const
export type Profile = (typeof PROFILES)[number]

/** Field → the names of its columns, by their letters; `''`: columns that are none of our fields. */
type Names = Record<string, string>

interface Declared {
  isWrittenBy(headers: ReadonlySet<string>, columns: readonly Column[]): boolean
  /** its records have ids, which are stored as external ids */
  hasIds: boolean
  names: Partial<Record<Exported, Names>>
}

const hasSome = (headers: ReadonlySet<string>, names: string, count = 1): boolean =>
  names.split(' ').filter(name => headers.has(name)).length >= count

const SALESFORCE_ID = /^(?:001|003|006|00[QTU])[A-Za-z0-9]{12}(?:[A-Za-z0-9]{3})?$/

/** In this order: the first that fits counts. */
const DECLARED: Record<Profile, Declared> = {
  vcard: {
    isWrittenBy: headers => headers.has(lettersOf(UID_HEADING)),
    hasIds: true,
    names: { contact: { external_id: lettersOf(UID_HEADING), tags: 'categories categories#' } },
  },
  ical: {
    isWrittenBy: headers => headers.has(lettersOf(ICAL_UID)),
    hasIds: true,
    names: { activity: { external_id: lettersOf(ICAL_UID), tags: 'categories' } },
  },
  attio: {
    isWrittenBy: headers => headers.has('recordid') && headers.has('record'),
    hasIds: true,
    names: {
      contact: { external_id: 'recordid', company_external_id: 'companyrecordid' },
      company: { external_id: 'recordid', parent_external_id: 'parentcompanyrecordid parentrecordid' },
      deal: {
        external_id: 'recordid',
        company_external_id: 'associatedcompanyrecordid',
        associated_contact_external_ids: 'associatedpeoplerecordid',
      },
    },
  },
  hubspot: {
    isWrittenBy: headers =>
      headers.has('recordid') &&
      hasSome(
        headers,
        'contactowner companyowner dealowner dealstage dealname lifecyclestage leadstatus marketingcontactstatus companydomainname associatedcompany associatedcompanyids companyname tasktitle taskname taskstatus tasktype activityassignedto',
      ),
    hasIds: true,
    names: {
      contact: {
        external_id: 'recordid',
        company_external_id: 'associatedcompanyids primaryassociatedcompanyid associatedcompanyid',
        company_name: 'associatedcompany associatedcompanyprimary companyname',
      },
      company: {
        external_id: 'recordid',
        parent_external_id: 'parentcompanyid parentcompany hsparentcompanyid',
      },
      deal: {
        external_id: 'recordid',
        company_external_id: 'associatedcompanyids primaryassociatedcompanyid',
        primary_contact_external_id: 'associatedcontactids',
        description: 'dealdescription',
      },
      activity: { external_id: 'recordid' },
      product: { external_id: 'recordid' },
    },
  },
  pipedrive: {
    isWrittenBy: (_, columns) =>
      columns.filter(({ header }) => /^(?:person|organization|deal|activity|note|product) - /i.test(header))
        .length >= 2,
    hasIds: true,
    names: {
      contact: { external_id: 'id', company_external_id: 'organizationid' },
      company: { external_id: 'id' },
      deal: {
        external_id: 'id',
        company_external_id: 'organizationid',
        primary_contact_external_id: 'personid contactpersonid',
      },
      activity: { external_id: 'id' },
      product: { external_id: 'id' },
    },
  },
  salesforce: {
    isWrittenBy: (headers, columns) =>
      columns.some(
        ({ samples }) => samples.length > 0 && samples.every(value => SALESFORCE_ID.test(value)),
      ) ||
      hasSome(
        headers,
        'opportunityname accountowner opportunityowner accountname mailingstreet mailingcity mailingstateprovince billingstreet billingcity billingstateprovince systemmodstamp',
        2,
      ),
    hasIds: true,
    names: {
      contact: { external_id: 'contactid id contactid18', company_external_id: 'accountid' },
      company: {
        external_id: 'accountid id accountid18',
        parent_external_id: 'parentaccountid parentid parentaccountid18',
      },
      deal: {
        external_id: 'opportunityid id opportunityid18',
        company_external_id: 'accountid',
        primary_contact_external_id: 'contactid primarycontactid',
      },
      activity: { external_id: 'activityid id taskid eventid' },
    },
  },
  google_contacts: {
    isWrittenBy: headers =>
      hasSome(headers, 'email1value phone1value') ||
      hasSome(headers, 'givenname familyname groupmembership', 3),
    hasIds: false,
    names: {},
  },
  outlook: {
    isWrittenBy: headers =>
      hasSome(
        headers,
        'businessstreet homestreet email2address emaildisplayname businessfax businesscity',
        2,
      ),
    hasIds: false,
    names: {
      contact: {
        '': 'title suffix',
        email: 'emailaddress',
        emails: 'email2address email3address',
        phone: 'businessphone',
        phones: 'mobilephone homephone homephone2 businessphone2 otherphone primaryphone companymainphone',
        address: 'businessstreet',
        city: 'businesscity',
        state: 'businessstate',
        postal_code: 'businesspostalcode',
        country: 'businesscountryregion',
        website: 'webpage',
      },
    },
  },
}

export function profileOf(columns: readonly Column[]): Profile | undefined {
  const headers = new Set(columns.map(({ header }) => lettersOf(header)))
  return (Object.keys(DECLARED) as Profile[]).find(name => DECLARED[name].isWrittenBy(headers, columns))
}

/** The source of the ids in the product's files. */
export const sourceOf = (profile: Profile): string | undefined =>
  DECLARED[profile].hasIds ? profile : undefined

/** What a column of the product's files means; null: none of our fields. */
export function fieldIn(profile: Profile, entity: Exported, header: string): string | null | undefined {
  const names = Object.entries(DECLARED[profile].names[entity] ?? {})
  for (const key of headerKeys(header)) {
    const field = names.find(([, headers]) => headers.split(' ').includes(key))?.[0]
    if (field !== undefined) return field === '' ? null : field
  }
  return undefined
}
