import { it } from 'vitest'
import { wineWorld } from '../testing/wine-world.testing.ts'
import { expectComputed, expectNotComputed, inMemory } from '../testing/wordings.testing.ts'

inMemory('how a wine trader asks', wineWorld, account => {
  it.each<[question: string, text: string, cited?: string[]]>([
    // industries that name the companies in them
    ['Have we got any importer in Spain?', 'Yes, 1 company', ['Bodega Norte']],
    ['How many importers do we work with?', '2 companies'],
    ['list all wine bars', '1 company', ['Cave du Midi']],
    // a field that is true or false
    ['Which companies are EU 848 certified?', '1 company', ['Bodega Norte']],
    ['How many of the importers are certified?', '1 company', ['Bodega Norte']],
    ['Is Cave du Midi EU certified?', 'No: 0 companies', []],
    // fields without a value
    ['for which company is the annual revenue missing', '3 companies'],
    ['Which contacts do we not know the phone number of?', '1 contact', ['Nora Blanc']],
    ['all contacts we have no phone number for', '1 contact', ['Nora Blanc']],
    ['who in our contact list has no birthday?', '1 contact', ['Uwe Kern']],
    [
      'Is there a deal where nobody has filled in an amount yet? Tell me which.',
      'Yes, 1 deal',
      ['Glass rental'],
    ],
    ['Which deals have no pallets entered?', '4 deals'],
    ['Which companies have no deals whatsoever?', '1 company', ['Quinta Velha']],
    // one record, by its name or as the first of an order
    ['Who is the primary contact on our largest open deal?', 'Harvest order: primary contact Iker Sola'],
    ['What stage is our biggest open deal in?', 'Harvest order: stage Negotiation'],
    ['Which deals is Nora Blanc the primary contact for?', '2 deals', ['Bar menu', 'Bar terrace']],
    ['Does every open deal have a primary contact?', 'No: 1 of 2 deals', ['Glass rental']],
    ['In which city is Halle 7 based?', 'city Hamburg'],
    ['How long did the barrel tasting last?', 'duration minutes 150'],
    ['Where did the barrel tasting take place?', 'location Porto'],
    ['When was the Price call?', '2026-10-05'],
    ['What language does Uwe Kern speak?', 'language de'],
    // who takes part
    ['who came to the barrel tasting?', '2 contacts', ['Iker Sola', 'Nora Blanc']],
    ['Who will be at the Winter fair?', '1 contact', ['Nora Blanc']],
    ['How many people attended the barrel tasting?', '2 contacts'],
    ['Which contacts have never been involved in any activity?', '1 contact', ['Uwe Kern']],
    ['Which contacts are involved in more than one deal?', '2 contacts', ['Iker Sola', 'Nora Blanc']],
    ['With whom do we have a meeting planned?', '1 contact', ['Nora Blanc']],
    // deals won and lost by company
    ['Companies where we have won at least two deals', '1 company', ['Bodega Norte']],
    ['Which companies have we lost a deal with but never won one?', '1 company', ['Halle 7']],
    ['Any company where we have won one deal and lost another?', 'Yes, 1 company', ['Cave du Midi']],
    ['Does Halle 7 have an open deal?', 'Yes, 1 deal', ['Glass rental']],
    ['Did Cave du Midi buy the bar terrace?', 'No: 0 deals', []],
    ['What did we lose because the customer kept it in-house?', '1 deal', ['Port trial']],
    ['Which deals did we lose because they cut the budget?', '1 deal', ['Bar terrace']],
    // figures
    ['How many pallets did we sell in the deals won in 2026?', 'Total Pallets: 20'],
    ['Which won deal needed the most pallets?', 'Cellar stock'],
    ['Which customer has brought in the most money?', 'Bodega Norte: 70000 EUR'],
    ['who is our biggest customer by won value?', 'Bodega Norte: 70000 EUR'],
    ['In which country do we have the largest number of companies?', 'France: 1 company'],
    ['In which city do we have the largest number of contacts?', 'Bilbao: 1 contact'],
    ['Which stage holds the most open pipeline by value?', 'Negotiation: 90000 EUR'],
    ['Average number of employees per industry', 'Importers: 57.5'],
    ['How many minutes of completed calls did we have in October 2026?', '60, from 2 activities'],
    ['Weighted value of everything in negotiation?', '67500 EUR'],
    ['What was the first deal we won in 2026?', 'Cellar stock'],
    ['Which open deal has the latest expected close date?', 'Harvest order'],
    // the records with the most or the fewest related ones
    ['Which company has the fewest contacts?', 'Quinta Velha (0 contacts)', ['Quinta Velha']],
    ['Which contact has been in the most meetings?', 'Nora Blanc (2 activities)', ['Nora Blanc']],
    ['the two companies with the most deals', 'Bodega Norte (3 deals)'],
    ['companies by number of deals', '4 companies: Bodega Norte (3 deals)'],
    ['What is the average number of contacts per company?', 'Average contacts: 0.75'],
    ['What is our second largest won deal?', 'Summer list (amount 20000 EUR', ['Summer list']],
    ['Who is the primary contact of our third largest won deal?', 'Bar menu: primary contact Nora Blanc'],
    ['Which industry has the second most companies?', 'Hotels: 1 company'],
    // birthdays come every year
    ['whose birthday is in december?', '1 contact', ['Iker Sola']],
    ['Who has a birthday between 1 May and 30 June?', '1 contact', ['Nora Blanc']],
    ['Who was born in 1975?', '1 contact', ['Nora Blanc']],
    // two sides, with yes or no
    ['Do we have more importers in Spain than in Portugal?', 'Yes: Spain: 1 company'],
    ['Did we win more deals in 2025 than in 2026?', 'No: '],
    ['Are there more won deals than lost deals?', 'Yes: won: 3 deals; lost: 2 deals'],
    ['Have we won more deals than we have lost?', 'Yes: won: 3 deals; lost: 2 deals'],
    ['Did we lose more deals than we won?', 'No: lost: 2 deals; won: 3 deals'],
    ['Is the bar menu bigger than the cellar stock?', 'No: Total amount: Bar menu: 8000 EUR'],
    ['Is Uwe Kern at Halle 7?', 'Yes, 1 contact', ['Uwe Kern']],
    ['Do we have a phone number for every contact?', 'No: 1 of 3 contacts', ['Nora Blanc']],
    // the largest is one record, the most are many
    ['Which importer has the biggest won deal?', 'Cellar stock (company Bodega Norte)', ['Cellar stock']],
    ['How many deals did we lose on budget cut in 2026?', '1 deal', ['Bar terrace']],
    // what was bought, and when
    ['What did Cave du Midi buy from us?', '1 deal', ['Bar menu']],
    ['How much has Bodega Norte bought from us in total?', 'Total amount: 70000 EUR'],
    ['How much have we sold to Spanish companies in 2026?', 'Total amount: 50000 EUR'],
    ['When was the cellar stock won?', 'closed 2026-03-02'],
    ['When did we lose the bar terrace?', 'closed 2026-08-04'],
    ['When did we last meet Cave du Midi?', 'On 2026-09-09'],
    ['Which meetings did Nora Blanc attend?', '2 activities'],
    ['Which calls are still to be made?', '0 activities', []],
    ['How many importers do we have, and which ones?', '2 companies', ['Bodega Norte', 'Halle 7']],
    ["What's in negotiation?", '1 deal', ['Harvest order']],
    ['Do any of our contacts speak German?', 'Yes, 1 contact', ['Uwe Kern']],
    // most of a set, and what is done most often
    ['In which industry are most of our companies?', 'Importers: 2 companies'],
    ['Which companies do we have more than two deals with?', '1 company', ['Bodega Norte']],
    ['Which is bigger, Bodega Norte or Halle 7?', 'Halle 7', ['Halle 7']],
    // activities
    ['How many calls did we have in October 2026?', '2 activities'],
    ['How many meetings did we have?', '1 activity', ['Barrel tasting with Nora']],
    ['How many inbound calls did we receive?', '1 activity', ['Price call']],
    ['Which meetings took place in Porto?', '1 activity', ['Barrel tasting with Nora']],
    ['Which meetings lasted longer than two hours?', '1 activity', ['Barrel tasting with Nora']],
    // languages, connections, lists of what something is not
    ['How many contacts have French as their language?', '1 contact', ['Nora Blanc']],
    ['With which companies is our connection strong?', '1 company', ['Bodega Norte']],
    ['Which companies are neither customers nor leads?', '1 company', ['Quinta Velha']],
    ['Companies with fewer than 50 employees and more than two deals', '1 company', ['Bodega Norte']],
    ['Does every deal in negotiation have an expected close date before Christmas 2026?', 'Yes, 1 deal', []],
    ['Are all importers customers?', 'No: 1 of 2 companies', ['Halle 7']],
    ['What are all our won deals worth together?', 'Total amount: 78000 EUR'],
  ])('computes: %s', (question, text, cited) => expectComputed(account(), question, text, cited))

  it.each([
    ['a word of a job title names nobody', 'How many crews do we have?'],
    ['a word inside the name of a deal is no kind of deal', 'How many bars does Halle 7 have?'],
    ['whom a contact manages is not known', 'How many people does Nora manage?'],
    ['a deal that was won was not lost', 'When did we lose the bar menu?'],
    ['who has the biggest deal has not the most deals', 'Who has the biggest open deal?'],
    ['what does not close until then closes later', "Which open deals don't close until 2027?"],
    ['who has the fewest is not seen among those who have some', 'Which city has the fewest contacts?'],
  ])('does not compute: %s', (_, question) => expectNotComputed(account(), question))
})
