/**
 * German: the entries of `en/` in another language, with the same rules and a few more for the verb at the end of a
 * clause. Words are folded: "größte" is "grosste", "für" is "fur". Times are read by the English patterns, after each
 * word has been replaced by its like (`times`).
 */
export const GERMAN = `
Article: der, die, das, den, dem, des, ein, eine, einen, einem, einer, eines, unsere, unseren, unser, unserer,
  alle die
Ask: welche, welcher, welches, welchen, welche sind, zeige, zeig, zeige mir, zeig mir, liste, nenne,
  nenne mir, gib mir, was sind, was ist, finde, welche von, welche unserer, welche der
AskWho: wer, wen
AskField: welche, welcher, welches, welchem, welchen
WhatIs: was ist, was sind, wie ist, wie hoch ist, wie gross ist, wie hoch sind, wie lautet
Who: wer, wen
WhoIs: wer ist, wer sind
What: was
PeopleAt: wer arbeitet bei, wen kennen wir bei
WhoOfUs: wer, wer von uns, welcher verkaufer, welcher vertriebler
Exists: haben wir, gibt es, kennen wir, wir haben, habe ich, existieren
ThereAre: gibt es
Count: wie viele, wieviele, anzahl, anzahl der, die anzahl der, anzahl von, zahl der
HowManyOf: wie viele, wie viele verschiedene, in wie vielen, in wie vielen verschiedenen
HowMuch: wie viel, wieviel
Sum: summe, gesamt, gesamtsumme, die summe, gesamte, gesamten, der gesamte, insgesamt
Average: durchschnittlicher, durchschnittliche, durchschnittlichen, durchschnitt, mittlere, im schnitt
Median: median
Of: der, von, aller, unserer, fur, des, von allen, unserer
Be: ist, sind, war, waren, wurde, wurden, worden
Are: sind, waren
That: die, der, das, den, welche
Do: hat, haben, habe, hatte, hatten
We: wir, jemand
Never: nie, niemals, noch nie
NotDone: nicht, haben nicht, hat nicht
Have: mit, haben, hat, hatte, hatten
HaveVerb: haben, hat, hatte, hatten
Lack: ohne, haben keine, haben keinen, haben kein, hat keine, hat keinen, hat kein, fehlt, fehlen
LackVerb: haben keine, haben keinen, haben kein, hat keine, hat keinen, hat kein
No: keine, keinen, kein, keinerlei
Not: nicht, ausserhalb von, ausserhalb
Except: ausser, bis auf, ohne die
Preposition: in, bei, aus, von, fur, mit, an, auf, zu, im, in der, in den, zum, zur, in phase, in der phase,
  beim, vom, aus der, in der branche
TimePreposition: in, am, im, fur, seit
OwnedBy: von, im besitz von, zugewiesen an
Suffix: branche, phase
Or: oder
Nor: noch
InTotal: insgesamt, zusammen
And: und, sowie, als auch
But: aber, jedoch
Either: entweder
Neither: weder
Both: sowohl
Only: nur, ausschliesslich
All: alle, allen, jede, jeder, jedes, jeden, samtliche
Whose: deren, dessen
Per: pro, je, nach, gruppiert nach, in jedem, in jeder, fur jede, fur jeden, fur jedes
More: mehr als, uber, grosser als, hoher als
AtLeast: mindestens, wenigstens
Less: weniger als, unter, kleiner als
AtMost: hochstens, maximal
Exactly: genau
OrMore: oder mehr
OrLess: oder weniger
Between: zwischen, von
To: bis
Top: top, die top
First: zuerst
Sort: sortiere, ordne
SortedBy: sortiert nach, geordnet nach
Most: die meisten, meisten, den hochsten, die hochste, den grossten, die grosste, das grosste, das hochste,
  das meiste
Least: die wenigsten, wenigsten, den niedrigsten, die niedrigste, den kleinsten, die kleinste
MostMany: die meisten, meisten
LeastMany: die wenigsten, wenigsten
DoAll: haben alle, sind alle, ist jeder, ist jede, hat jeder, hat jede, hat jedes
Any: gibt es
Worth: im wert von, mit einem wert von, wert
Pipeline: pipeline
MoneyNoun: geld, umsatz
WinRate: gewinnquote, abschlussquote, erfolgsquote
WhoOwns: wem gehort, wer ist verantwortlich fur, wer betreut
Next: nachste, nachster, nachstes, nachsten
OfWhen: wann ist, was ist, wann, wann findet
With: mit, bei
Last: letzte, letzter, letztes, letzten
Brings: brachte, bringt, brachte uns
filler: bitte, aktuell, derzeit, gerade, momentan, insgesamt, eigentlich, zurzeit, bisher, schon, noch,
  im crm, bei uns, mit uns, denn, mal, jemals
unread: kurz davor
operators: oder, noch, weder, nicht, nie, kein, keine, keinen, keiner, ohne, ausser, alle, jede, jeder, jedes,
  entweder, nur, wenn
mine: mein, meine, meinen, meiner, meines
me: ich, mir
pronoun any: sie, ihnen, diese, dieser
pronoun deal: dieser deal, diese deals
pronoun company: diese firma, diese firmen
pronoun contact: dieser kontakt, diese kontakte
reason: konkurren, wettbewerb
reason: preis, teuer
numbers: null = 0, eins = 1, zwei = 2, drei = 3, vier = 4, funf = 5, sechs = 6, sieben = 7, acht = 8,
  neun = 9, zehn = 10, elf = 11, zwolf = 12
times: im = in, am = on, vom = from, seit = since, vor = before, nach = after, bis = until,
  zwischen = between, und = and, fur = for, den = the, der = the, die = the, das = the, dies- = this,
  letzt- = last, vergangen- = last, nachst- = next, kommend- = next, heute = today, morgen = tomorrow,
  gestern = yesterday, tag = day, tage = days, tagen = days, woche = week, wochen = weeks, monat = month,
  monate = months, monaten = months, quartal = quarter, quartals = quarter, jahr = year, jahre = years,
  jahren = years, jahres = year, januar = january, februar = february, marz = march, mai = may, juni = june,
  juli = july, oktober = october, dezember = december, montag = monday, dienstag = tuesday,
  mittwoch = wednesday, donnerstag = thursday, freitag = friday
values: kunde = customer, kunden = customers, interessent = prospect, interessenten = prospects,
  verhandlung = negotiation, angebotsphase = proposal, deutschland = germany, frankreich = france,
  norwegen = norway, spanien = spain, italien = italy, osterreich = austria, schweiz = switzerland,
  japan = japan, europa = europe, asien = asia, deutsch- = german, franzosisch- = french,
  norwegisch- = norwegian, spanisch- = spanish, italienisch- = italian

noun deal: deal, geschaft, verkaufschance, abschluss
nouns deal: deals, geschafte, geschaften, verkaufschancen, abschlusse
noun company: firma, unternehmen, gesellschaft, organisation
nouns company: firmen, unternehmen, gesellschaften, organisationen
noun product: produkt
nouns product: produkte, produkten
noun contact: kontakt, ansprechpartner, person
nouns contact: kontakte, kontakten, ansprechpartner, personen, leute, leuten
noun activity: aktivitat
nouns activity: aktivitaten
noun activity type=call: anruf, telefonat
nouns activity type=call: anrufe, anrufen, telefonate
noun activity type=meeting: termin, treffen, besprechung, meeting, besuch
nouns activity type=meeting: termine, terminen, treffen, besprechungen, meetings, besuche
noun activity type=task: aufgabe
nouns activity type=task: aufgaben
nouns activity type=email: emails, e-mails, mails
noun note: notiz
nouns note: notizen
state deal status=open: offen, offene, offenen, offener, offenes, laufende, laufenden, noch offen
state deal status=won @closed_at: gewonnen, gewonnene, gewonnenen, gewonnener, gewonnenes
verb deal status=won @closed_at: gewonnen, gewinnen, abgeschlossen
state deal status=lost @closed_at: verloren, verlorene, verlorenen, verlorener, verlorenes
verb deal status=lost @closed_at: verloren, verlieren
state deal status=won|lost @closed_at: geschlossen, geschlossene, geschlossenen
state deal status=open expected_close_date<$today, activity is_overdue=true: uberfallig, uberfallige,
  uberfalligen
state activity status=planned|in_progress @planned_at: offen, offene, offenen, geplant, geplante, geplanten,
  geplanter, geplantes, ausstehend
state activity status=completed @happened_at: erledigt, erledigte, erledigten, abgeschlossene,
  abgeschlossenen
verb activity status=completed @happened_at: gemacht, erledigt, gefuhrt, gehabt
state activity status=cancelled: abgesagt, abgesagte, abgesagten
dated activity.falls_due_at status=planned|in_progress: fallig, fallige, falligen
dated *.created_at: angelegt, erstellt, angelegte, angelegten
verb *.created_at: angelegt, erstellt
dated deal.expected_close_date status=open: schliessen, schliesst, schliessen voraussichtlich
touch call|meeting|email: gesprochen, kontaktiert, in kontakt
touch call: angerufen, telefoniert
touch meeting: getroffen, besucht
touch email: gemailt, angeschrieben
bucket day: tag
bucket week: woche
bucket month: monat
bucket quarter: quartal
bucket year: jahr
direction asc: aufsteigend
direction desc: absteigend
field deal.amount: betrag, betrage, wert, volumen, summe, grosse, auftragswert
most deal.amount: grosste, grossten, grosster, grosstes, hochste, hochsten, wertvollste, wertvollsten
least deal.amount: kleinste, kleinsten, kleinster, kleinstes, niedrigste, niedrigsten
field deal.probability: wahrscheinlichkeit, abschlusswahrscheinlichkeit
field deal.stage.name: phase, phasen, stufe, stufen
field deal.pipeline.name: pipelines
field deal.company.name: firma, firmen, unternehmen, customer, customers
field deal.owner.name: besitzer, verantwortlicher, verantwortlichem, verkaufer, vertriebler
field deal.lead_source: quelle, quellen, herkunft, leadquelle
field deal.lost_reason: verlustgrund, verlustgrunde, grund, grunde
field deal.currency: wahrung, wahrungen
field deal.expected_close_date: abschlussdatum, abschlusstermin, erwartetes abschlussdatum
field company.industry: branche, branchen, industrie, industrien
field company.employee_count: mitarbeiter, mitarbeitern, mitarbeiterzahl, beschaftigte, beschaftigten,
  angestellte
most company.employee_count: grosste, grossten, grosster, grosstes
least company.employee_count: kleinste, kleinsten, kleinster, kleinstes
field company.annual_revenue: umsatz, jahresumsatz
field company.website: webseite, website, homepage
field company.country, contact.country: land, lander, landern
field company.city, contact.city: stadt, stadte, stadten, ort, orte
field company.status, contact.status: status
field company.phone, contact.phone: telefon, telefonnummer, telefonnummern, nummer, handynummer
field company.email, contact.email: email, e-mail, mail, email-adresse, e-mail-adresse, mailadresse,
  emailadresse
field contact.job_title: position, positionen, stelle, funktion, berufsbezeichnung, titel
field contact.department: abteilung, abteilungen
field contact.owner.name: besitzer
field contact.company.name: firma, arbeitgeber
field deal.created_at, company.created_at, contact.created_at: anlagedatum
most deal.created_at, company.created_at, contact.created_at: neueste, neuesten, neuester, neuestes
least deal.created_at, company.created_at, contact.created_at: alteste, altesten, altester, altestes
field activity.type: typ, art, arten
field activity.when: zeitpunkt
most activity.when: neueste, neuesten
least activity.when: alteste, altesten
field activity.assignee.name: verantwortlicher
`
