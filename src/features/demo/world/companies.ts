/** The customers and prospects of Tidewater Instruments, a maker of water sensors. All of them are invented. */

export interface DemoCompany {
  name: string
  industry: string
  city: string
  country: string
  employees: number
  status: 'lead' | 'qualified' | 'opportunity' | 'customer' | 'inactive'
  about: string
}

type Row = [
  name: string,
  industry: string,
  city: string,
  country: string,
  employees: number,
  status: DemoCompany['status'],
  about: string,
]

const WATER = 'Water utilities'
const FISH = 'Aquaculture'
const DRINKS = 'Beverages'
const FOOD = 'Food'
const CHEMISTRY = 'Chemicals'
const RESEARCH = 'Research'
const ENGINEERING = 'Engineering services'

// biome-ignore format: a table reads better with one company on a line
const ROWS: readonly Row[] = [
  ['Harrow Valley Water', WATER, 'Leeds', 'United Kingdom', 640, 'customer', 'Supplies 310,000 households from seven reservoirs; replaces its chlorine probes site by site.'],
  ['Stadtwerke Lindenau', WATER, 'Leipzig', 'Germany', 1150, 'customer', 'Municipal utility with 14 pumping stations; tenders are published twice a year.'],
  ['Norfjord Salmon', FISH, 'Bergen', 'Norway', 420, 'customer', 'Runs 22 sea cages; oxygen alarms go straight to the night shift.'],
  ['Brauhaus Silberbach', DRINKS, 'Bamberg', 'Germany', 85, 'customer', 'Family brewery; wants to prove the quality of its spring to the authority.'],
  ['Costa Clara Desalination', WATER, 'Alicante', 'Spain', 230, 'opportunity', 'Two desalination plants; high salt destroys ordinary probes within a year.'],
  ['Lakeshore Municipal Utilities', WATER, 'Milwaukee', 'United States', 900, 'customer', 'Buys through a cooperative contract; payment terms are 60 days.'],
  ['Verdant Foods', FOOD, 'Rotterdam', 'Netherlands', 1800, 'customer', 'Washes and packs salads; each line has its own water circuit.'],
  ['Institut Bleu', RESEARCH, 'Brest', 'France', 140, 'customer', 'Marine institute; publishes with our data and is a good reference.'],
  ['Kestrel Process Engineering', ENGINEERING, 'Manchester', 'United Kingdom', 60, 'customer', 'Plans treatment plants and specifies our sensors for its clients.'],
  ['Alpenquell', DRINKS, 'Innsbruck', 'Austria', 210, 'opportunity', 'Bottles mineral water; the new line starts next spring.'],
  ['Hanlon Dairy', FOOD, 'Cork', 'Ireland', 520, 'customer', 'Cleans its tanks eleven times a day and pays for every cubic metre.'],
  ['Meridian Chemicals', CHEMISTRY, 'Antwerp', 'Belgium', 3100, 'qualified', 'Cooling water of four units; needs devices for hazardous areas.'],
  ['Polder Waterschap Oost', WATER, 'Zwolle', 'Netherlands', 480, 'customer', 'Water board; measures in 90 ditches and wants solar power only.'],
  ['Rio Verde Pisciculture', FISH, 'Porto', 'Portugal', 75, 'lead', 'Trout farm on three rivers; found us at the fair in Vigo.'],
  ['Osthafen Logistics Park', ENGINEERING, 'Frankfurt', 'Germany', 130, 'lead', 'Operates the rainwater basins of a logistics park.'],
  ['Cedar Mill Paper', CHEMISTRY, 'Tampere', 'Finland', 760, 'customer', 'Paper mill; measures turbidity before the water goes back to the lake.'],
  ['Glenmoray Distillers', DRINKS, 'Elgin', 'United Kingdom', 190, 'opportunity', 'Three distilleries on one river; the temperature limit is strict in summer.'],
  ['Aguas del Valle', WATER, 'Granada', 'Spain', 350, 'qualified', 'Regional utility; compares us with two other makers.'],
  ['Baltic Oyster', FISH, 'Gdynia', 'Poland', 40, 'customer', 'Young company; grows fast and decides within days.'],
  ['University of Ashford', RESEARCH, 'Ashford', 'United Kingdom', 2600, 'customer', 'Hydrology group with a field station; orders before the fiscal year ends.'],
  ['Schönfeld Pharma', CHEMISTRY, 'Basel', 'Switzerland', 1400, 'opportunity', 'Purified water for two filling lines; every device needs a qualification file.'],
  ['Ridgeway Irrigation', ENGINEERING, 'Fresno', 'United States', 95, 'customer', 'Installs irrigation for almond growers; resells our conductivity probes.'],
  ['Tavola Fresca', FOOD, 'Verona', 'Italy', 300, 'qualified', 'Ready meals; had a recall two years ago and measures everything since.'],
  ['Vatten Syd', WATER, 'Malmö', 'Sweden', 700, 'customer', 'Utility of five municipalities; strict about data protection and hosting.'],
  ['Blue Heron Hatchery', FISH, 'Halifax', 'Canada', 55, 'customer', 'Hatchery; one lost tank costs more than the whole system.'],
  ['Marlow Aggregates', ENGINEERING, 'Reading', 'United Kingdom', 410, 'inactive', 'Quarry; the project ended when the pit was closed.'],
  ['Quellwerk', DRINKS, 'Fulda', 'Germany', 120, 'customer', 'Makes juice and lemonade; cleaning water is the next project.'],
  ['Isle Textiles', CHEMISTRY, 'Belfast', 'United Kingdom', 270, 'lead', 'Dye house; the council asks for colour measurements at the outlet.'],
  ['Océane Conserves', FOOD, 'Lorient', 'France', 220, 'opportunity', 'Canned fish; wants one screen for three plants.'],
  ['Prairie Waterworks', WATER, 'Des Moines', 'United States', 330, 'opportunity', 'Nitrate in spring is the problem; the board decides in January.'],
  ['Hydrolab Wien', RESEARCH, 'Vienna', 'Austria', 48, 'customer', 'Accredited laboratory; checks our calibration twice a year.'],
  ['Sunderby Energi', ENGINEERING, 'Aalborg', 'Denmark', 260, 'customer', 'District heating; leaks show first as conductivity.'],
  ['Fjellvann', DRINKS, 'Voss', 'Norway', 65, 'lead', 'Bottler with one spring and big plans for export.'],
  ['Granite Peak Resorts', ENGINEERING, 'Denver', 'United States', 1200, 'qualified', 'Snow making from two ponds; needs devices that survive frost.'],
  ['Tejo Semicondutores', CHEMISTRY, 'Lisbon', 'Portugal', 540, 'opportunity', 'Rinse water of a chip fab; asks for values below one part per billion.'],
  ['Moorland Trout', FISH, 'Okehampton', 'United Kingdom', 28, 'customer', 'Small and loyal; was our third customer.'],
  ['Delta Greens', FOOD, 'Almere', 'Netherlands', 150, 'customer', 'Grows lettuce on water; doses nutrients by our probes.'],
  ['Kurort Bad Elsen', WATER, 'Bad Elsen', 'Germany', 110, 'lead', 'Thermal baths; the pool water is checked by hand today.'],
  ['Saltmarsh Conservation Trust', RESEARCH, 'Norwich', 'United Kingdom', 35, 'customer', 'Charity; gets the research price and writes wonderful reports.'],
  ['Ironbridge Steel', CHEMISTRY, 'Sheffield', 'United Kingdom', 2200, 'inactive', 'Chose a competitor last year; the contract runs for three years.'],
]

export const COMPANIES: readonly DemoCompany[] = ROWS.map(
  ([name, industry, city, country, employees, status, about]) => ({
    name,
    industry,
    city,
    country,
    employees,
    status,
    about,
  }),
)

/** Example domains only: no mail can reach a real address. */
export const domainOf = ({ name }: DemoCompany): string =>
  `${name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')}.example`
