import type { ReplyMessages } from '#messages/reply-messages';

export const FINNISH_MESSAGES: ReplyMessages = {
  quoted: '”{text}”',
  accordingTo: 'Asiakirjassa ”{title}” sanotaan:',
  mayAnswer: 'Tämä kohta asiakirjassa ”{title}” saattaa vastata kysymykseen:',
  alsoIn: '”{title}” lisää:',
  overview: 'Lyhyesti asiakirjojen perusteella:',
  closest: 'Lähin löytämäni kohta on tämä:',
  contradiction: 'Asiakirjat ovat keskenään ristiriidassa:',
  notFound: 'En löytänyt siihen vastausta niistä asiakirjoista, jotka minä näen.',
  nothingAbout: 'En löytänyt mitään aiheesta {subject} niistä asiakirjoista, jotka minä näen.',
  missing: 'Löydetyissä kohdissa ei mainita tätä: {value}.',
  missingSeveral: 'Löydetyissä kohdissa ei mainita näitä: {values}.',
  mainPoints: 'Mitä asiakirjassa ”{title}” sanotaan?',
  rephrase: 'Kokeile toisia sanoja tai kysy jostakin, mitä asiakirjat käsittelevät.',
  rephraseLike: 'Kokeile toisia sanoja tai kysy jostakin, mitä asiakirjat käsittelevät, esimerkiksi {titles}.',
  noDocuments:
    'Ei ole vielä asiakirjoja, joista voisin etsiä vastausta. Lataa asiakirjoja tai yhdistä lähde, ja kysy sitten uudelleen.',
  notYet: 'En voi vielä vastata.',
  indexing: {
    one: '{count} asiakirjan indeksointi on vielä kesken.',
    other: '{count} asiakirjan indeksointi on vielä kesken.',
  },
  askAgainLater: 'Kysy uudelleen muutaman minuutin kuluttua.',
  withheld:
    'Tätä vastausta ei enää näytetä: se perustuu asiakirjoihin, jotka on poistettu tai joita et saa enää lukea. Kysy uudelleen, niin saat uuden vastauksen.',
  greeting: 'Hei! Kysy jotakin asiakirjoistasi, niin lainaan kohdat, jotka vastaavat kysymykseen.',
  thanks: 'Ole hyvä. Kysy, jos tarvitset vielä jotakin.',
  farewell: 'Näkemiin!',
  aboutMe:
    'Olen Lectern ja käytän sisäänrakennettua poimivaa mallia: etsin asiakirjoistasi ja lainaan lauseet, jotka vastaavat kysymykseesi, sekä niiden lähteet. En kirjoita omia tekstejä.',
  acknowledged: 'Selvä. Mitä haluat etsiä asiakirjoistasi?',
};
