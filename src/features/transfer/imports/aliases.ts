/**
 * What other products call our fields in the files they export: HubSpot, Salesforce, Pipedrive, Attio, Twenty, Google
 * Contacts, and what people write themselves. Names are compared by their letters and digits alone, so "E-mail 1 -
 * Value" is email1value; a `#` stands for any number.
 */
import { decompose } from '../../../kernel/schema/index.ts'
import type { Exported } from '../exports/record.ts'

type Aliases = Record<string, string>

const address: Aliases = {
  address:
    'street streetaddress addressline1 address1 addressstreet addressaddress1 address#street mailingstreet mailingaddress billingstreet billingaddress fulladdressofaddress primarylocation strasse straße adresse',
  city: 'town addresscity address#city mailingcity billingcity locality stadt ort ville ciudad',
  state:
    'region province county stateregion stateprovince addressstate address#region mailingstate mailingstateprovince billingstate billingstateprovince bundesland',
  postal_code:
    'zip zipcode postcode postalcode zippostalcode zippostalcodeofaddress addresspostcode addresspostalcode address#postalcode mailingzippostalcode mailingpostalcode billingzippostalcode billingpostalcode plz',
  country:
    'countryregion nation addresscountry address#country mailingcountry billingcountry countryofaddress land pays pais',
}

const web: Aliases = {
  website: 'websiteurl url web homepage webpage site website#value webseite',
  linkedin_url:
    'linkedin linkedinprofile linkedinprofileurl linkedincompanypage linkedinlinkurl linkedinlinkprimarylinkurl linkedinprimarylinkurl linkedinbio',
  facebook_url: 'facebook facebookcompanypage facebookprofile facebookpage',
  instagram_url: 'instagram instagramprofile',
  twitter_url: 'twitter twitterprofile xlinkurl xprimarylinkurl x',
  twitter_handle: 'twitterusername twitterhandle',
  twitter_follower_count: 'twitterfollowers twitterfollowercount followercount',
}

const common = {
  created_at:
    'created createdate createddate createdat creationdate dateadded adddate personcreated organizationcreated dealcreated recordcreated activitycreated erstellt erstelltam angelegtam',
  created_by_name: 'createdby createdbyname creator creatorname author createdbyuser',
  updated_at:
    'updated lastmodifieddate lastupdate updatedat lastmodified updatetime modifieddate geandert geandertam aktualisiertam',
  categories: 'category',
  tags: 'tag labels label groups group groupmembership segments keywords topics publictags contacttags companytags dealtags etiketten schlagworte etiquetas etiquettes',
  description: 'about bio summary info background',
  notes: 'note comments comment remarks bemerkung bemerkungen notiz notizen',
  owner_name:
    'owner contactowner companyowner accountowner dealowner opportunityowner assignedto recordowner owneremail ownername accountmanager verantwortlich verantwortlicher betreuer',
} satisfies Aliases

const contact: Aliases = {
  ...common,
  ...address,
  ...web,
  first_name: 'firstname givenname forename namefirstname vorname prenom nombre',
  last_name: 'lastname surname familyname namelastname nachname familienname apellido',
  full_name: 'name fullname contactname personname displayname record contact person ansprechpartner',
  email:
    'emailaddress mail emailwork workemail emailsprimaryemail email#value emailadresse primaryemail correo',
  emails:
    'emails emailaddresses emailhome emailother homeemail otheremail additionalemails emailsadditionalemails secondaryemail personalemail additionalemailaddresses',
  phone:
    'phonenumber telephone tel phonework workphone businessphone phonesprimaryphonenumber phone#value telefon telefono officephone phoneno phonenr telno telephoneno telephonenumber telefonnummer',
  phones:
    'phones phonenumbers mobile mobilephone mobilephonenumber cell cellphone phonemobile phonehome phoneother homephone otherphone phonesadditionalphones handy mobil mobileno mobilenumber mobilenr cellno cellnumber handynummer',
  job_title: 'title jobtitle position role organizationtitle organization#title berufsbezeichnung',
  department: 'organizationdepartment organization#department abteilung',
  company_name:
    'company companyname organization organizationname organization#name accountname account associatedcompany employer firm firmname firma firmenname kunde unternehmen primarycompany',
  company_domain: 'companydomain companydomainname companywebsite organizationdomain',
  company_id: 'companyid companyrecordid associatedcompanyid',
  lead_source: 'source originalsource leadsource originalsourcetype',
  status: 'leadstatus lifecyclestage contactstatus stage',
  birthday: 'birthdate dateofbirth dob geburtstag geburtsdatum',
  do_not_contact: 'donotcall donotcontact unsubscribed',
  email_opt_out:
    'emailoptout hasoptedoutofemail optedoutofemail unsubscribedfromallemail marketingemailoptout',
  avatar_url: 'avatar photo avatarurl picture image',
  timezone: 'tz timezone',
  language: 'preferredlanguage lang',
}

const company: Aliases = {
  ...common,
  ...address,
  ...web,
  name: 'company companyname organization organizationname accountname account record firm firmname firma firmenname kunde unternehmen',
  domains:
    'domain domainname companydomainname companydomain domainnamelinkurl domainnameprimarylinkurl emaildomain',
  industry: 'sector branch branche companyindustry',
  company_size: 'size companysize employeerange',
  employee_count: 'employees numberofemployees employeecount headcount noofemployees mitarbeiter',
  annual_revenue:
    'revenue annualrevenue arramount estimatedarr annualrecurringrevenueamount arr turnover umsatz jahresumsatz',
  phone:
    'phonenumber telephone tel phonework companyphone telefon mainphone phoneno phonenr telno telephoneno telephonenumber telefonnummer',
  email: 'emailaddress companyemail mail emailwork',
  status: 'lifecyclestage companystatus accountstatus leadstatus',
  logo_url: 'logo companylogo',
  parent_name:
    'parent parentcompany parentcompanyname parentaccount parentaccountname parentorganization parentorganisation holding konzern muttergesellschaft mutterunternehmen maisonmere',
  parent_domain:
    'parentdomain parentcompanydomain parentcompanydomainname parentwebsite parentcompanywebsite',
}

const deal: Aliases = {
  ...common,
  name: 'dealname title dealtitle opportunityname opportunity deal record projekt bezeichnung',
  amount: 'value dealvalue dealamount amountamount price revenue sum betrag',
  currency:
    'currencyofvalue currencycode amountcurrency amountcurrencycode dealcurrencycode waehrung wahrung',
  stage_name: 'stage dealstage stagename opportunitystage phase',
  pipeline_name: 'pipeline dealpipeline',
  probability: 'probability dealprobability winprobability probabilitypercent wahrscheinlichkeit',
  close_date: 'closedate closingdate dealclosedate abschluss abschlussdatum',
  expected_close_date: 'expectedclosedate estimatedclosedate forecastclosedate',
  closed_at: 'closedat closedon dealclosedon dateclosed closedtime closetime actualclosedate',
  won_at: 'wonat wontime wonon wondate datewon dealwonat closedwondate',
  lost_at: 'lostat losttime loston lostdate datelost deallostat closedlostdate',
  stage_entered_at:
    'stageenteredat stageentered stageentrydate laststagechange laststagechangedate dateenteredcurrentstage stagechangetime',
  company_name:
    'company companyname organization organizationname accountname account associatedcompany associatedcompanyprimary firm firmname firma firmenname kunde unternehmen',
  primary_contact_name:
    'ansprechpartner contact contactname contactperson person pointofcontact associatedcontact primarycontact pointofcontactname primarycontactemail contactemail',
  deal_type: 'type dealtype opportunitytype',
  lead_source: 'source leadsource originalsource',
  next_step: 'nextstep nextaction',
  lost_reason: 'lostreason closedlostreason lossreason',
  priority: 'dealpriority',
}

const { notes: _, description: __, ...ofActivity } = common

const activity: Aliases = {
  ...ofActivity,
  subject: 'title name activityname subjectline activitysubject tasktitle taskname task betreff',
  type: 'activitytype kind tasktype',
  status: 'activitystatus taskstatus state done isdone',
  priority: 'taskpriority',
  due_at: 'duedateandtime duetime dueat',
  due_time: 'duetime uhrzeit',
  due_date: 'duedate due deadline date activitydate faellig fallig faelligam falligam datum',
  start_at: 'start starttime startdate startsat',
  end_at: 'end endtime enddate endsat',
  contact_names: 'contact contacts person people contactperson name associatedcontact associatedcontacts',
  company_names: 'company companies organization organizations account accountname associatedcompany',
  deal_names: 'deal deals opportunity associateddeal',
  assignee_name:
    'assignee assignedto assignedtouser owner assigneduser activityowner activityassignedto taskowner assigneename',
  description:
    'about bio summary info background note notes tasknotes body comments comment details bemerkung notiz',
  duration_minutes: 'duration durationminutes',
}

const note: Aliases = {
  created_at: common.created_at,
  updated_at: common.updated_at,
  tags: common.tags,
  title: 'subject name headline',
  content: 'body text note notes notebody content notecontent bodymarkdown markdown',
  contact_names: 'contact contacts person people associatedcontact parentrecord',
  company_names: 'company companies organization organizations account associatedcompany',
  deal_names: 'deal deals opportunity associateddeal',
}

const product: Aliases = {
  ...common,
  name: 'productname title product item itemname record produkt bezeichnung',
  sku: 'productcode productid code itemcode articlenumber itemnumber productsku artikelnummer',
  unit_price: 'price listprice salesprice priceperunit unitpriceamount preis',
  currency: 'currencycode pricecurrency unitpricecurrency waehrung wahrung',
  billing_period: 'billingfrequency recurringbillingfrequency billing interval term',
  active: 'isactive enabled productactive status',
  description: 'productdescription details about',
}

const lists: Record<Exported, Aliases> = { contact, company, deal, activity, note, product }

/** "E-mail 1 - Value" → email#value; what a product puts before its names is taken off. */
export function headerKeys(header: string): string[] {
  const plain = header.replace(
    /^\s*(person|organization|deal|lead|activity|note|product|contact|company)\s+-\s+/i,
    '',
  )
  // A heading that another column has, too (analyse.ts).
  const once = plain.replace(/\s\(\d+\)$/, '')
  const key = lettersOf(plain)
  return [...new Set([key, key.replace(/\d+/g, '#'), lettersOf(header), lettersOf(once)])].filter(
    text => text !== '',
  )
}

export const lettersOf = (text: string): string =>
  decompose(text)
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}#]+/gu, '')

/** Which field each known name stands for. */
export const fieldsByAlias: Record<Exported, ReadonlyMap<string, string>> = Object.fromEntries(
  Object.entries(lists).map(([entity, aliases]) => [
    entity,
    new Map(
      Object.entries(aliases).flatMap(([field, names]) =>
        names.split(' ').map(name => [name, field] as const),
      ),
    ),
  ]),
) as never

const headings = new Set(
  Object.values(lists).flatMap(aliases => [
    ...Object.keys(aliases).map(lettersOf),
    ...Object.values(aliases).flatMap(names => names.split(' ')),
  ]),
)

/** Whether files of any kind have such a heading. */
export const isKnownHeading = (text: string): boolean => headerKeys(text).some(key => headings.has(key))
